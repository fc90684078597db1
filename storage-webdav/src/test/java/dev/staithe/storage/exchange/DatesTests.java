package dev.staithe.storage.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.files.FileEntry;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DatesTests {
  private static final DateTimeFormatter HTTP =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
          .withZone(ZoneOffset.UTC);

  @Test
  void theExampleOfTheStandardIsWrittenAsThere() {
    Instant when = Instant.parse("1994-11-06T08:49:37.999Z");

    assertThat(Dates.http(when)).isEqualTo("Sun, 06 Nov 1994 08:49:37 GMT");
    assertThat(Dates.iso(when)).isEqualTo("1994-11-06T08:49:37Z");
  }

  @Test
  void theThreeFormsOfTheStandardAreRead() {
    Instant when = Instant.parse("1994-11-06T08:49:37Z");

    for (String form :
        List.of(
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994")) {
      assertThat(Dates.parse(form)).as(form).contains(when);
    }
    assertThat(Dates.parse("Thursday, 16-Nov-23 08:49:37 GMT"))
        .contains(Instant.parse("2023-11-16T08:49:37Z"))
        .isEqualTo(Dates.parse("Thu Nov 16 08:49:37 2023"));
    for (String none : List.of("", ",", "soon", "Sunday, 06-Nov-94", "Mon Nov  6 08:49:37 1994")) {
      assertThat(Dates.parse(none)).as(none).isEmpty();
    }
  }

  @Test
  void everyDateIsWrittenAsAFormatterWritesIt() {
    var random = new Random(1);
    for (int i = 0; i < 20_000; i++) {
      // From before the year 0 to beyond the year 9999, more than half of them between.
      Instant when =
          Instant.ofEpochSecond(random.nextLong(-80_000_000_000L, 300_000_000_000L), i * 1000L);

      assertThat(Dates.http(when)).isEqualTo(HTTP.format(when));
      assertThat(Dates.iso(when))
          .isEqualTo(DateTimeFormatter.ISO_INSTANT.format(when.truncatedTo(ChronoUnit.SECONDS)));
    }
  }

  @Test
  void whateverTimeAFileHasIsWritten() {
    for (long seconds : new long[] {Long.MAX_VALUE, Long.MIN_VALUE}) {
      Instant when = FileEntry.time(seconds, 999_999_999);

      assertThat(Dates.http(when)).endsWith(" GMT");
      assertThat(Dates.iso(when)).endsWith("Z");
    }
  }
}
