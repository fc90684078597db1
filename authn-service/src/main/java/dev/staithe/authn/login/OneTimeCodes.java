package dev.staithe.authn.login;

import dev.staithe.authn.users.SecondFactors;
import dev.staithe.authn.users.UsersUnavailable;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Second factors: one-time codes by time, and recovery codes for a lost phone. A code is good once,
 * on all nodes together. Names are those of accounts. Thread-safe.
 */
public final class OneTimeCodes {
  private static final int RECOVERY_CODES = 8;
  private static final int RECOVERY_BYTES = 10;
  private static final Pattern CODE = Pattern.compile("[0-9]{6}");
  private static final Pattern RECOVERY = Pattern.compile("[A-Z2-7]{16}");

  private final SecondFactors store;
  private final SecretBox box;
  private final String issuer;
  private final Clock clock;
  private final SecureRandom random;

  /** What a code is. */
  enum Judgement {
    /** The one of now, not used before. */
    CODE,
    /** A recovery code, which is used up now. */
    RECOVERY,
    /** Neither. */
    WRONG,
    /** Right, but used before. */
    REPLAYED,
    /** The user has no second factor. */
    NONE
  }

  /**
   * On the store of second factors.
   *
   * @param issuer the site's name, which authenticator programs show
   */
  public OneTimeCodes(
      SecondFactors store, SecretBox box, String issuer, Clock clock, SecureRandom random) {
    this.store = store;
    this.box = box;
    this.issuer = issuer;
    this.clock = clock;
    this.random = random;
  }

  /** Whether codes are set up and confirmed. */
  public boolean enrolled(String user) throws UsersUnavailable {
    return store.has(user);
  }

  /** Makes a new secret, which is in use only when it is confirmed; until then an old one stays. */
  public Enrolment begin(String user) throws UsersUnavailable {
    byte[] secret = new byte[Totp.SECRET_BYTES];
    random.nextBytes(secret);
    String sealedFor = store.find(user).map(SecondFactors.StoredFactors::sealedFor).orElse(user);
    store.begin(user, box.seal(sealedFor, secret));
    String text = Base32.encode(secret);
    String uri =
        "otpauth://totp/"
            + encode(issuer)
            + ":"
            + encode(user)
            + "?secret="
            + text
            + "&issuer="
            + encode(issuer)
            + "&algorithm=SHA1&digits="
            + Totp.DIGITS
            + "&period="
            + Totp.STEP_SECONDS;
    return new Enrolment(text, uri);
  }

  /**
   * Puts the secret in use that was made last, where the code shows that the user has it. A wrong
   * code ends what was begun: nobody guesses on. What is no code at all does not.
   */
  public Confirmation confirm(String user, String code) throws UsersUnavailable {
    Optional<SecondFactors.StoredFactors> kept = store.find(user);
    byte[] pending = kept.isEmpty() ? null : kept.get().pending();
    if (pending == null) {
      return new Confirmation.NothingPending();
    }
    String sealedFor = kept.get().sealedFor();
    String plain = plain(code);
    OptionalLong step = Totp.match(open(sealedFor, pending), plain, now());
    if (step.isEmpty()) {
      if (CODE.matcher(plain).matches()) {
        store.giveUp(user, pending);
      }
      return new Confirmation.WrongCode();
    }
    List<String> codes = new ArrayList<>();
    List<String> hashes = new ArrayList<>();
    for (int i = 0; i < RECOVERY_CODES; i++) {
      byte[] bytes = new byte[RECOVERY_BYTES];
      random.nextBytes(bytes);
      String text = Base32.encode(bytes);
      hashes.add(hash(sealedFor, text));
      codes.add(text.toLowerCase(Locale.ROOT).replaceAll("(.{4})(?=.)", "$1-"));
    }
    return store.confirm(user, pending, step.getAsLong(), hashes)
        ? new Confirmation.Confirmed(codes)
        : new Confirmation.NothingPending();
  }

  /** Checks a code and uses it up. */
  Judgement check(String user, String code) throws UsersUnavailable {
    Optional<SecondFactors.StoredFactors> kept = store.find(user);
    byte[] sealed = kept.isEmpty() ? null : kept.get().secret();
    if (sealed == null) {
      return Judgement.NONE;
    }
    String sealedFor = kept.get().sealedFor();
    String plain = plain(code);
    if (CODE.matcher(plain).matches()) {
      OptionalLong step = Totp.match(open(sealedFor, sealed), plain, now());
      if (step.isEmpty()) {
        return Judgement.WRONG;
      }
      return store.useStep(user, step.getAsLong()) ? Judgement.CODE : Judgement.REPLAYED;
    }
    if (RECOVERY.matcher(plain).matches() && store.useRecoveryCode(user, hash(sealedFor, plain))) {
      return Judgement.RECOVERY;
    }
    return Judgement.WRONG;
  }

  /** Without what authenticator programs and people put between: {@code 123 456}. */
  private static String plain(String code) {
    return code.replaceAll("[\\s-]", "").toUpperCase(Locale.ROOT);
  }

  /** Forgets the second factor; false where there was none. */
  public boolean remove(String user) throws UsersUnavailable {
    return store.remove(user);
  }

  private byte[] open(String user, byte[] sealed) throws UsersUnavailable {
    return box.open(user, sealed)
        .orElseThrow(
            () -> new UsersUnavailable("a second factor was sealed with another key than ours"));
  }

  private long now() {
    return Totp.step(clock.instant().getEpochSecond());
  }

  /** 80 random bits need no slow hash. */
  private static String hash(String user, String code) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest((user + "\0" + code).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
