package dev.staithe.authn.password;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.util.HexFormat;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PasswordHashTests {
  private static final byte[] PASSWORD = "correct horse battery ünïcode".getBytes(UTF_8);
  private static final byte[] OTHER = "correct horse battery unicode".getBytes(UTF_8);
  private static final SecureRandom RANDOM = new SecureRandom();

  private final PasswordHash owasp = new PasswordHash(HashProfile.OWASP, RANDOM);

  // --- what is computed ------------------------------------------------------------------------

  @Test
  void theNativeLibraryIsUsedHere() {
    assertThat(owasp.isNative()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Argon2.class)
  void bothArgon2ComputeTheVectorsOfTheReferenceImplementation(Argon2 argon2) {
    assertThat(derive(argon2, 65536, 2, 1))
        .isEqualTo("09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7");
    assertThat(derive(argon2, 256, 2, 2))
        .isEqualTo("6d093c501fd5999645e0ea3bf620d7b8be7fd2db59c20d9fff9539da2bf57037");
  }

  private static String derive(Argon2 argon2, int memory, int iterations, int parallelism) {
    return HexFormat.of()
        .formatHex(
            argon2.derive(
                "password".getBytes(UTF_8),
                "somesalt".getBytes(UTF_8),
                new Argon2Cost(memory, iterations, parallelism),
                32));
  }

  @Property(tries = 50)
  void bothArgon2Agree(@ForAll byte[] password) {
    byte[] salt = new byte[16];
    RANDOM.nextBytes(salt);
    Argon2Cost cost = new Argon2Cost(64, 2, 2);
    for (int length : new int[] {16, 32, 64}) {
      assertThat(Argon2.NATIVE.derive(password, salt, cost, length))
          .isEqualTo(Argon2.JAVA.derive(password, salt, cost, length));
    }
  }

  @ParameterizedTest
  @CsvSource({
    // RFC 7914 section 11
    "HmacSHA256, passwd, salt, 1,"
        + "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
        + "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783",
    "HmacSHA256, Password, NaCl, 80000,"
        + "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"
        + "a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d",
    // RFC 6070 section 2
    "HmacSHA1, password, salt, 4096, 4b007901b765489abead49d926f721d065a429c1",
    "HmacSHA1, passwordPASSWORDpassword, saltSALTsaltSALTsaltSALTsaltSALTsalt, 4096,"
        + "3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038"
  })
  void pbkdf2ComputesTheKnownVectors(
      String mac, String password, String salt, int iterations, String expected) {
    assertThat(
            HexFormat.of()
                .formatHex(
                    Pbkdf2.derive(
                        mac,
                        password.getBytes(UTF_8),
                        salt.getBytes(UTF_8),
                        iterations,
                        expected.length() / 2)))
        .isEqualTo(expected);
  }

  // --- what is read ----------------------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(
      strings = {
        "$pbkdf2-sha256$i=1000,l=32$AAECAwQFBgcICQoLDA0ODw$GuZeJ5UD58Us17a5Ha+j92i8rlrblrBDEuGFJgaNqFk",
        "$pbkdf2-sha256$i=1000$AAECAwQFBgcICQoLDA0ODw$GuZeJ5UD58Us17a5Ha+j92i8rlrblrBDEuGFJgaNqFk",
        "$pbkdf2-sha256$1000$AAECAwQFBgcICQoLDA0ODw$GuZeJ5UD58Us17a5Ha.j92i8rlrblrBDEuGFJgaNqFk",
        "pbkdf2_sha256$1000$seasalt$td7cRsyu2i6NTTntT/DjvGi/Rmkv/Ai+88y4wS3w3wU=",
        "{PBKDF2-SHA256}1000$AAECAwQFBgcICQoLDA0ODw$GuZeJ5UD58Us17a5Ha.j92i8rlrblrBDEuGFJgaNqFk",
        "$pbkdf2-sha512$i=1000,l=64$AAECAwQFBgcICQoLDA0ODw$9UAchnbGE7jUlqHxwWIC9p6TxXC91vX4gUvuV+volmYtUz7Bmm57Ghc/ORpRVrAGtcaYxizDFQ8M5LCXNL5jjQ",
        "pbkdf2_sha512$1000$seasalt$abaKy0pVO45VY7FduPtU23fojRA0132WXT91vsEEXe+Zi8VfDfRkwhwUuAIQSQXS9makay3neXDZTw8QC5jpeA==",
        "{PBKDF2-SHA512}1000$AAECAwQFBgcICQoLDA0ODw$9UAchnbGE7jUlqHxwWIC9p6TxXC91vX4gUvuV.volmYtUz7Bmm57Ghc/ORpRVrAGtcaYxizDFQ8M5LCXNL5jjQ",
        "{PBKDF2}1000$AAECAwQFBgcICQoLDA0ODw$sxolSRjE1pyuftUiV8Kc5bFmVU8",
        "{SHA}zcmvh8O9ikOCe9E+Gg1jpW7eHlU=",
        "{SSHA}26b8u6YrEuFO3GEm1d0T9SYweXsAAQIDBAUGBw==",
        "{ssha}26b8u6YrEuFO3GEm1d0T9SYweXsAAQIDBAUGBw==",
        "{SSHA256}y5l4GatIfgQwHRNtDbx0HjgFufzzOEmWb/OpFGa4v/sAAQIDBAUGBw==",
        "{SSHA512}Un6vfeJ7eTaQyFf0b9Zbu3cTmxRZqf5cTXwBmA6JqNRyAlgncbgQIADCvocH3gs0cPnedAinSB0ybkdnN6l6/gABAgMEBQYH",
        "$2b$05$abcdefghijklmnopqrstuuCPVD9b4bx7LbKDOK3OXqh3Kbp5eopaC",
        "$2y$05$abcdefghijklmnopqrstuuCPVD9b4bx7LbKDOK3OXqh3Kbp5eopaC",
        "$2a$05$abcdefghijklmnopqrstuuCPVD9b4bx7LbKDOK3OXqh3Kbp5eopaC",
        "{CRYPT}$2b$05$abcdefghijklmnopqrstuuCPVD9b4bx7LbKDOK3OXqh3Kbp5eopaC"
      })
  void hashesOfOtherSystemsAreVerifiedAndThenRenewed(String stored) {
    assertThat(owasp.recognises(stored)).isTrue();
    assertThat(owasp.verify(stored, PASSWORD)).isEqualTo(PasswordHash.Verdict.MATCH);
    assertThat(owasp.verify(stored, OTHER)).isEqualTo(PasswordHash.Verdict.MISMATCH);
    assertThat(owasp.needsUpgrade(stored)).isTrue();
  }

  @ParameterizedTest
  @EnumSource(HashProfile.class)
  void eachProfileVerifiesAndKeepsItsOwn(HashProfile profile) {
    PasswordHash hash = new PasswordHash(profile, RANDOM);
    String stored = hash.make(PASSWORD);
    assertThat(stored).isNotEqualTo(hash.make(PASSWORD));
    assertThat(hash.verify(stored, PASSWORD)).isEqualTo(PasswordHash.Verdict.MATCH);
    assertThat(hash.verify(stored, OTHER)).isEqualTo(PasswordHash.Verdict.MISMATCH);
    assertThat(hash.needsUpgrade(stored)).isFalse();
  }

  @Test
  void theDefaultIsWrittenAsAPhcString() {
    assertThat(owasp.make(PASSWORD))
        .matches("\\$argon2id\\$v=19\\$m=19456,t=2,p=1\\$[A-Za-z0-9+/]{22}\\$[A-Za-z0-9+/]{43}");
  }

  @Test
  void hashesOfAnotherProfileAreRenewedButNotForTheStudy() {
    String peers = new PasswordHash(HashProfile.PEERS, RANDOM).make(PASSWORD);
    PasswordHash paper = new PasswordHash(HashProfile.PAPER, RANDOM);
    assertThat(owasp.verify(peers, PASSWORD)).isEqualTo(PasswordHash.Verdict.MATCH);
    assertThat(owasp.needsUpgrade(peers)).isTrue();
    assertThat(owasp.needsUpgrade(paper.make(PASSWORD))).isTrue();
    assertThat(paper.needsUpgrade(peers)).isFalse();
    assertThat(HashProfile.PAPER.isForStudiesOnly()).isTrue();
    assertThat(HashProfile.OWASP.isForStudiesOnly()).isFalse();
  }

  @Test
  void whatJavaMadeTheNativeLibraryVerifies() {
    String stored = new PasswordHash(HashProfile.OWASP, RANDOM, Argon2.JAVA).make(PASSWORD);
    assertThat(new PasswordHash(HashProfile.PEERS, RANDOM, Argon2.NATIVE).verify(stored, PASSWORD))
        .isEqualTo(PasswordHash.Verdict.MATCH);
  }

  @Test
  void bcryptLooksAt72BytesOnly() {
    String stored = "$2b$05$abcdefghijklmnopqrstuujf8SX2ahXLwp9w/B.Y5XdysS6yR576q";
    assertThat(owasp.verify(stored, "x".repeat(80).getBytes(UTF_8)))
        .isEqualTo(PasswordHash.Verdict.MATCH);
    assertThat(owasp.verify(stored, "x".repeat(72).getBytes(UTF_8)))
        .isEqualTo(PasswordHash.Verdict.MATCH);
    assertThat(owasp.verify(stored, "x".repeat(71).getBytes(UTF_8)))
        .isEqualTo(PasswordHash.Verdict.MISMATCH);
  }

  // --- what is not -----------------------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(
      strings = {
        // memory, passes, lanes, work, version
        "$argon2id$v=19$m=4194304,t=1,p=1$AAECAwQFBgcICQoLDA0ODw$AAECAwQFBgcICQoLDA0ODw",
        "$argon2id$v=19$m=2147483647,t=1,p=1$AAECAwQFBgcICQoLDA0ODw$AAECAwQFBgcICQoLDA0ODw",
        "$argon2id$v=19$m=99999999999,t=1,p=1$AAECAwQFBgcICQoLDA0ODw$AAECAwQFBgcICQoLDA0ODw",
        "$argon2id$v=19$m=64,t=999,p=1$AAECAwQFBgcICQoLDA0ODw$AAECAwQFBgcICQoLDA0ODw",
        "$argon2id$v=19$m=1024,t=1,p=64$AAECAwQFBgcICQoLDA0ODw$AAECAwQFBgcICQoLDA0ODw",
        "$argon2id$v=19$m=131072,t=32,p=1$AAECAwQFBgcICQoLDA0ODw$AAECAwQFBgcICQoLDA0ODw",
        "$argon2id$v=19$m=0,t=1,p=1$AAECAwQFBgcICQoLDA0ODw$AAECAwQFBgcICQoLDA0ODw",
        "$argon2id$v=19$m=64,t=0,p=1$AAECAwQFBgcICQoLDA0ODw$AAECAwQFBgcICQoLDA0ODw",
        "$argon2id$v=16$m=64,t=1,p=1$AAECAwQFBgcICQoLDA0ODw$AAECAwQFBgcICQoLDA0ODw",
        // cut short
        "$argon2id$v=19$m=64,t=1,p=1$AAECAwQFBgcICQoLDA0ODw$",
        "$argon2id$v=19$m=64,t=1,p=1$AAECAwQFBgcICQoLDA0ODw$AAEC",
        "$argon2id$v=19$m=64,t=1,p=1$AAECAwQFBgcICQoLDA0ODw",
        "$argon2id$v=19$m=64,t=1,p=1$AAEC$AAECAwQFBgcICQoLDA0ODw",
        "$argon2id$v=19$m=64,t=1,p=1$A$AAECAwQFBgcICQoLDA0ODw",
        "$2b$05$abcdefghijklmnopqrstuuCPVD9b4bx7LbKDOK3OXqh3Kbp5eopa",
        "{SSHA}26b8u6YrEuFO3GEm1d0T9SYweXs=",
        "{SSHA}26b8u6Yr",
        "{SHA}",
        "{SHA}26b8u6YrEuFO3GEm1d0T9SYweXsAAQIDBAUGBw==",
        "$pbkdf2-sha256$i=1000$AAECAwQFBgcICQoLDA0ODw$GuZeJ5U",
        // odd encodings
        "{SSHA}!!!!",
        "{SSHA}26b8u6YrEuFO3GEm1d0T9SYweXsAAQIDBAUGBw==\n",
        " {SHA}zcmvh8O9ikOCe9E+Gg1jpW7eHlU=",
        "$argon2id$v=19$m=64,t=1,p=1,x=1$AAECAwQFBgcICQoLDA0ODw$AAECAwQFBgcICQoLDA0ODw",
        "$argon2id$v=19$m=+64,t=1,p=1$AAECAwQFBgcICQoLDA0ODw$AAECAwQFBgcICQoLDA0ODw",
        "$argon2id$v=19$m=٦٤,t=1,p=1$AAECAwQFBgcICQoLDA0ODw$AAECAwQFBgcICQoLDA0ODw",
        // too dear, or nothing to do
        "$2b$31$abcdefghijklmnopqrstuuCPVD9b4bx7LbKDOK3OXqh3Kbp5eopaC",
        "$2b$03$abcdefghijklmnopqrstuuCPVD9b4bx7LbKDOK3OXqh3Kbp5eopaC",
        "$pbkdf2-sha256$i=99999999$AAECAwQFBgcICQoLDA0ODw$GuZeJ5UD58Us17a5Ha+j92i8rlrblrBDEuGFJgaNqFk",
        "$pbkdf2-sha256$i=0$AAECAwQFBgcICQoLDA0ODw$GuZeJ5UD58Us17a5Ha+j92i8rlrblrBDEuGFJgaNqFk",
        "$pbkdf2-sha256$i=1000,l=64$AAECAwQFBgcICQoLDA0ODw$GuZeJ5UD58Us17a5Ha+j92i8rlrblrBDEuGFJgaNqFk",
        // kinds that are none of ours
        "{CLEAR}correct horse battery ünïcode",
        "{CLEARTEXT}correct horse battery ünïcode",
        "correct horse battery ünïcode",
        "{CRYPT}$6$salt$hash",
        "{CRYPT}ab01FAX.bQRSU",
        "{MD5}X03MO1qnZdYdgyfeuILPmQ==",
        "$1$salt$hash",
        "$argon2i$v=19$m=64,t=1,p=1$AAECAwQFBgcICQoLDA0ODw$AAECAwQFBgcICQoLDA0ODw",
        ""
      })
  void whatIsHostileCutShortOrOddIsNoHashAndCostsTheSame(String stored) {
    assertThat(owasp.recognises(stored)).isFalse();
    long before = owasp.derivations();
    assertThat(owasp.verify(stored, PASSWORD)).isEqualTo(PasswordHash.Verdict.UNUSABLE);
    assertThat(owasp.derivations() - before).isEqualTo(1);
  }

  @Property(tries = 300)
  void noTextThrows(@ForAll String stored) {
    assertThat(owasp.recognises("$argon2id$" + stored)).isFalse();
    owasp.recognises(stored);
    owasp.recognises("{SSHA}" + stored);
    owasp.recognises("$pbkdf2-sha256$" + stored);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{SHA}zcmvh8O9ikOCe9E+Gg1jpW7eHlU=",
        "$2b$05$abcdefghijklmnopqrstuuCPVD9b4bx7LbKDOK3OXqh3Kbp5eopaC",
        "{PBKDF2}1000$AAECAwQFBgcICQoLDA0ODw$sxolSRjE1pyuftUiV8Kc5bFmVU8",
        "$argon2id$v=19$m=64,t=1,p=1$AAECAwQFBgcICQoLDA0ODw$AAECAwQFBgcICQoLDA0ODw"
      })
  void aMismatchWithACheapHashCostsOneOfTheProfileToo(String cheap) {
    long before = owasp.derivations();
    assertThat(owasp.verify(cheap, OTHER)).isEqualTo(PasswordHash.Verdict.MISMATCH);
    assertThat(owasp.derivations() - before).isEqualTo(2);
  }

  @Test
  void aMismatchWithADearHashCostsOnlyThat() {
    String peers = new PasswordHash(HashProfile.PEERS, RANDOM).make(PASSWORD);
    long before = owasp.derivations();
    assertThat(owasp.verify(peers, OTHER)).isEqualTo(PasswordHash.Verdict.MISMATCH);
    assertThat(owasp.derivations() - before).isEqualTo(1);
    owasp.burn(OTHER);
    assertThat(owasp.derivations() - before).isEqualTo(2);
  }
}
