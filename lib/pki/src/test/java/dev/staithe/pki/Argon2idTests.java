package dev.staithe.pki;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against the vectors of the reference implementation. */
class Argon2idTests {
  @ParameterizedTest
  @CsvSource({
    "65536, 2, 1, 09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7",
    "256, 2, 1, 9dfeb910e80bad0311fee20f9c0e2b12c17987b4cac90c2ef54d5b3021c68bfe",
    "256, 2, 2, 6d093c501fd5999645e0ea3bf620d7b8be7fd2db59c20d9fff9539da2bf57037",
    "65536, 1, 1, f6a5adc1ba723dddef9b5ac1d464e180fcd9dffc9d1cbf76cca2fed795d9ca98"
  })
  void derivesWhatTheReferenceImplementationDoes(
      int memoryKiB, int iterations, int parallelism, String expected) {
    byte[] derived =
        Argon2id.derive(
            "password".getBytes(US_ASCII),
            "somesalt".getBytes(US_ASCII),
            memoryKiB,
            iterations,
            parallelism,
            32);
    assertThat(HexFormat.of().formatHex(derived)).isEqualTo(expected);
  }

  @Test
  void parametersThatTheStandardForbidsAreRefused() {
    byte[] password = {1};
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Argon2id.derive(password, new byte[7], 64, 1, 1, 32));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Argon2id.derive(password, new byte[8], 7, 1, 1, 32));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Argon2id.derive(password, new byte[8], 64, 0, 1, 32));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Argon2id.derive(password, new byte[8], 64, 1, 0, 32));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Argon2id.derive(password, new byte[8], 64, 1, 1, 3));
  }
}
