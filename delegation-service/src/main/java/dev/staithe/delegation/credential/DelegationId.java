package dev.staithe.delegation.credential;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What its owner calls a delegation. Unique for one owner, not over owners. No secret: it buys
 * nothing by itself.
 *
 * @param text 1 to 128 letters, digits, and {@code - _ .} of which the first is none
 */
public record DelegationId(String text) {
  private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");
  private static final SecureRandom RANDOM = new SecureRandom();

  /** Checks the characters. */
  public DelegationId {
    if (!SAFE.matcher(text).matches()) {
      throw new IllegalArgumentException("not 1 to 128 safe characters");
    }
  }

  /** One that a client wrote; empty where it has characters that an id cannot have. */
  public static Optional<DelegationId> parse(String written) {
    return SAFE.matcher(written).matches()
        ? Optional.of(new DelegationId(written))
        : Optional.empty();
  }

  /** One of 128 random bits. */
  public static DelegationId random() {
    byte[] bytes = new byte[16];
    RANDOM.nextBytes(bytes);
    return new DelegationId(HexFormat.of().formatHex(bytes));
  }

  /**
   * The one that gLite and FTS give to whoever names none: the first 16 hexadecimal digits of the
   * SHA-1 of the owner's name, written with slashes, and the FQANs.
   *
   * @param through the id of the delegation by which somebody acts for the owner, or null
   */
  static DelegationId standard(String slashed, List<String> fqans, @Nullable String through) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-1");
      digest.update(slashed.getBytes(StandardCharsets.UTF_8));
      for (String fqan : fqans) {
        digest.update(fqan.getBytes(StandardCharsets.UTF_8));
      }
      if (through != null) {
        digest.update(("\nthrough " + through).getBytes(StandardCharsets.UTF_8));
      }
      return new DelegationId(HexFormat.of().formatHex(digest.digest()).substring(0, 16));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-1", e);
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
