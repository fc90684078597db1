package dev.staithe.storage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SizesTests {
  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "1023, 1023 B",
    "1024, 1.0 KiB",
    "1536, 1.5 KiB",
    "1048524, 1023.9 KiB",
    "1048525, 1.0 MiB",
    "1048576, 1.0 MiB",
    "1073741824, 1.0 GiB",
    "9223372036854775807, 8.0 EiB"
  })
  void sizeIsShownInThePrefixThatFits(long bytes, String shown) {
    assertThat(Sizes.human(bytes)).isEqualTo(shown);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"0 | 0 bytes", "1 | 1 byte", "1234567 | 1,234,567 bytes"})
  void exactSizeHasAllDigits(long bytes, String shown) {
    assertThat(Sizes.exact(bytes)).isEqualTo(shown);
  }
}
