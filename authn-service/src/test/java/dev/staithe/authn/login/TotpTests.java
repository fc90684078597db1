package dev.staithe.authn.login;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.staithe.authn.users.SecondFactors;
import dev.staithe.authn.users.TestStore;
import dev.staithe.authn.users.UsersUnavailable;
import dev.staithe.testkit.MutableClock;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TotpTests {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final TestStore store = TestStore.h2();
  private final MutableClock clock = MutableClock.at(Instant.parse("2026-11-21T10:00:00Z"));
  private final SecretKey key = key();
  private final OneTimeCodes node = codes(key);
  private final OneTimeCodes other = codes(key);

  @AfterEach
  void close() {
    store.close();
  }

  private static SecretKey key() {
    byte[] bytes = new byte[32];
    RANDOM.nextBytes(bytes);
    return new SecretKeySpec(bytes, "AES");
  }

  private OneTimeCodes codes(SecretKey... keys) {
    return new OneTimeCodes(
        new SecondFactors(store.database()),
        new SecretBox(List.of(keys), RANDOM),
        "Site of tests",
        clock,
        RANDOM);
  }

  /** What an authenticator program shows. */
  private String shown(Enrolment enrolment, long stepsFromNow) {
    return Totp.code(
        decode(enrolment.secret()),
        Totp.step(clock.instant().getEpochSecond()) + stepsFromNow,
        Totp.DIGITS);
  }

  private static byte[] decode(String base32) {
    byte[] bytes = new byte[base32.length() * 5 / 8];
    long buffer = 0;
    int bits = 0;
    int at = 0;
    for (char each : base32.toCharArray()) {
      buffer = buffer << 5 | "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(each);
      bits += 5;
      if (bits >= 8) {
        bits -= 8;
        bytes[at++] = (byte) (buffer >> bits);
      }
    }
    return bytes;
  }

  @Test
  void codeIsConfirmedAsAuthenticatorProgramsShowIt() throws UsersUnavailable {
    Enrolment enrolment = node.begin("alice");
    String code = shown(enrolment, 0);

    assertThat(node.confirm("alice", code.substring(0, 3) + " " + code.substring(3)))
        .isInstanceOf(Confirmation.Confirmed.class);
  }

  private Enrolment enrolled(String user) throws UsersUnavailable {
    Enrolment enrolment = node.begin(user);
    assertThat(node.confirm(user, shown(enrolment, 0))).isInstanceOf(Confirmation.Confirmed.class);
    clock.advance(Duration.ofMinutes(5));
    return enrolment;
  }

  @ParameterizedTest
  @CsvSource({
    "59, 94287082",
    "1111111109, 07081804",
    "1111111111, 14050471",
    "1234567890, 89005924",
    "2000000000, 69279037",
    "20000000000, 65353130"
  })
  void theVectorsOfRfc6238(long time, String code) {
    assertThat(Totp.code("12345678901234567890".getBytes(US_ASCII), Totp.step(time), 8))
        .isEqualTo(code);
  }

  @ParameterizedTest
  @CsvSource({"f, MY", "fo, MZXQ", "foo, MZXW6", "foob, MZXW6YQ", "fooba, MZXW6YTB"})
  void theVectorsOfRfc4648(String text, String encoded) {
    assertThat(Base32.encode(text.getBytes(US_ASCII))).isEqualTo(encoded);
  }

  @Test
  void anEnrolmentIsInUseWhenACodeConfirmedIt() throws UsersUnavailable {
    Enrolment enrolment = node.begin("alice@site");
    assertThat(enrolment.uri())
        .isEqualTo(
            "otpauth://totp/Site%20of%20tests:alice%40site?secret="
                + enrolment.secret()
                + "&issuer=Site%20of%20tests&algorithm=SHA1&digits=6&period=30");
    assertThat(enrolment.secret()).matches("[A-Z2-7]{32}");
    assertThat(enrolment.toString()).doesNotContain(enrolment.secret());
    assertThat(other.check("alice@site", shown(enrolment, 0)))
        .isEqualTo(OneTimeCodes.Judgement.NONE);
    assertThat(other.confirm("alice@site", "000")).isEqualTo(new Confirmation.WrongCode());
    assertThat(other.confirm("bob", "000000")).isEqualTo(new Confirmation.NothingPending());
    assertThat(other.confirm("alice@site", shown(enrolment, 0)))
        .isInstanceOf(Confirmation.Confirmed.class);
    assertThat(node.check("alice@site", shown(enrolment, 0)))
        .as("the code that confirmed")
        .isEqualTo(OneTimeCodes.Judgement.REPLAYED);
  }

  /**
   * Else whoever has another's session alone guesses the first code and gets the recovery codes.
   */
  @Test
  void aWrongFirstCodeEndsWhatWasBegun() throws UsersUnavailable {
    Enrolment enrolment = node.begin("alice");
    String wrong = shown(enrolment, 0).equals("000000") ? "000001" : "000000";
    assertThat(other.confirm("alice", wrong)).isEqualTo(new Confirmation.WrongCode());
    assertThat(node.confirm("alice", shown(enrolment, 0)))
        .isEqualTo(new Confirmation.NothingPending());
  }

  @Test
  void aCodeIsGoodOnceOnAllNodes() throws UsersUnavailable {
    Enrolment alice = enrolled("alice");
    String code = shown(alice, 0);
    assertThat(node.check("alice", code)).isEqualTo(OneTimeCodes.Judgement.CODE);
    assertThat(other.check("alice", code)).isEqualTo(OneTimeCodes.Judgement.REPLAYED);
    assertThat(node.check("alice", code)).isEqualTo(OneTimeCodes.Judgement.REPLAYED);
    clock.advance(Duration.ofSeconds(30));
    assertThat(other.check("alice", shown(alice, 0))).isEqualTo(OneTimeCodes.Judgement.CODE);
  }

  @Test
  void clocksMayBeOneStepOff() throws UsersUnavailable {
    Enrolment alice = enrolled("alice");
    assertThat(node.check("alice", shown(alice, -2))).isEqualTo(OneTimeCodes.Judgement.WRONG);
    assertThat(node.check("alice", shown(alice, 2))).isEqualTo(OneTimeCodes.Judgement.WRONG);
    assertThat(node.check("alice", shown(alice, -1))).isEqualTo(OneTimeCodes.Judgement.CODE);
    assertThat(node.check("alice", shown(alice, 1))).isEqualTo(OneTimeCodes.Judgement.CODE);
    assertThat(node.check("alice", shown(alice, 0)))
        .as("older than one that was used")
        .isEqualTo(OneTimeCodes.Judgement.REPLAYED);
  }

  @ParameterizedTest
  @CsvSource({"''", "12345", "1234567", "abcdef", "'１２３４５６'", "-1", "' '", "aaaa-aaaa-aaaa-aaaa"})
  void otherTextsAreNoCodes(String text) throws UsersUnavailable {
    enrolled("alice");
    assertThat(node.check("alice", text)).isEqualTo(OneTimeCodes.Judgement.WRONG);
  }

  @Test
  void aRecoveryCodeIsGoodOnceAndOnlyForItsUser() throws UsersUnavailable {
    Enrolment enrolment = node.begin("alice");
    Confirmation.Confirmed confirmed =
        (Confirmation.Confirmed) node.confirm("alice", shown(enrolment, 0));
    enrolled("bob");
    assertThat(confirmed.recoveryCodes()).hasSize(8).doesNotHaveDuplicates();
    assertThat(confirmed.toString()).doesNotContain(confirmed.recoveryCodes().getFirst());
    String code = confirmed.recoveryCodes().get(3);
    assertThat(code).matches("([a-z2-7]{4}-){3}[a-z2-7]{4}");
    assertThat(node.check("bob", code)).isEqualTo(OneTimeCodes.Judgement.WRONG);
    assertThat(other.check("alice", code.toUpperCase().replace("-", " ")))
        .isEqualTo(OneTimeCodes.Judgement.RECOVERY);
    assertThat(node.check("alice", code)).isEqualTo(OneTimeCodes.Judgement.WRONG);
  }

  @Test
  void theStoreAloneTellsNoSecretAndRowsCannotBeSwapped() throws Exception {
    enrolled("alice");
    Enrolment mallory = enrolled("mallory");
    byte[] sealed = new SecondFactors(store.database()).find("mallory").orElseThrow().secret();
    assertThat(sealed).isNotNull();
    assertThat(new String(sealed, US_ASCII)).doesNotContain(mallory.secret());
    try (var connection = store.source().getConnection();
        var update =
            connection.prepareStatement(
                "UPDATE second_factor SET secret = ? WHERE user_name = 'alice'")) {
      update.setBytes(1, sealed);
      update.executeUpdate();
    }
    assertThatExceptionOfType(UsersUnavailable.class)
        .isThrownBy(() -> node.check("alice", shown(mallory, 0)));
  }

  @Test
  void anOlderKeyStillOpensAndAnUnknownOneIsNoWrongCode() throws UsersUnavailable {
    Enrolment alice = enrolled("alice");
    OneTimeCodes rotated = codes(key(), key);
    assertThat(rotated.check("alice", shown(alice, 0))).isEqualTo(OneTimeCodes.Judgement.CODE);
    OneTimeCodes stranger = codes(key());
    assertThatExceptionOfType(UsersUnavailable.class)
        .isThrownBy(() -> stranger.check("alice", shown(alice, 1)));
  }

  @Test
  void whatWasChangedDoesNotOpen() {
    SecretBox box = new SecretBox(List.of(key), RANDOM);
    byte[] sealed = box.seal("alice", new byte[] {1, 2, 3});
    assertThat(box.open("alice", sealed)).contains(new byte[] {1, 2, 3});
    assertThat(box.open("bob", sealed)).isEmpty();
    for (int i = 0; i < sealed.length; i++) {
      byte[] changed = sealed.clone();
      changed[i] ^= 1;
      assertThat(box.open("alice", changed)).isEmpty();
    }
    assertThat(box.open("alice", new byte[0])).isEmpty();
    assertThat(box.seal("alice", new byte[] {1, 2, 3})).isNotEqualTo(sealed);
  }
}
