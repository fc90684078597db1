package dev.staithe.perf.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.perf.result.Form;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SizesTests {
  @ParameterizedTest
  @EnumSource(Form.class)
  void theAxisAscendsFromOneKibibyteToTheLargestFileOfTheForm(Form form) {
    assertThat(Sizes.of(form)).isSorted().doesNotHaveDuplicates();
    assertThat(Sizes.of(form).getFirst()).isEqualTo(1024);
    assertThat(Sizes.of(form).getLast()).isEqualTo(form.largest());
  }

  @Test
  void theFullAxisEndsAtFourGibibytes() {
    assertThat(Sizes.of(Form.FULL).getLast()).isEqualTo(4L << 30);
    assertThat(Sizes.of(Form.FULL)).contains(1L << 10, 1L << 13, 1L << 16);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1 B",
    "1000, 1000 B",
    "1024, 1 KiB",
    "1536, 1536 B",
    "67108864, 64 MiB",
    "4294967296, 4 GiB",
    "4398046511104, 4096 GiB"
  })
  void sizesAreWrittenAsPeopleWriteThem(long bytes, String text) {
    assertThat(Sizes.text(bytes)).isEqualTo(text);
  }

  @Test
  void aSmallerFormAsksForLess() {
    assertThat(Form.SHORT.rounds()).isLessThan(Form.FULL.rounds()).isGreaterThan(1);
    assertThat(Form.SMOKE.rounds()).isEqualTo(1);
    assertThat(Form.SHORT.bulk()).as("the size of the targets").isEqualTo(1L << 30);
    assertThat(Form.SMOKE.largest()).isLessThan(Form.SHORT.largest());
    assertThat(Form.SHORT).hasToString("short");
  }
}
