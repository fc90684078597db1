package dev.staithe.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Names and dates as engines write them. */
final class S3TextTests {
  @Test
  void datesAreReadAsJavasFormatterReadsThem() {
    DateTimeFormatter java = DateTimeFormatter.RFC_1123_DATE_TIME.withZone(ZoneOffset.UTC);
    for (long day = 0; day < 1500; day++) {
      Instant when = Instant.ofEpochSecond(1_700_000_000 + day * 86_461);
      assertThat(S3Text.date(java.format(when))).isEqualTo(when);
    }
    Instant example = Instant.parse("1994-11-06T08:49:37Z");
    assertThat(S3Text.date("Sun, 06 Nov 1994 08:49:37 GMT")).isEqualTo(example);
    assertThat(S3Text.date("Sun, 6 Nov 1994 08:49:37 GMT")).isEqualTo(example);
    assertThat(S3Text.date("Sun, 06 Nov 1994 09:49:37 +0100")).isEqualTo(example);
  }

  @Test
  void whatIsNoDateIsRefused() {
    for (String wrong :
        List.of(
            "",
            "now",
            "Sun, 31 Feb 1994 08:49:37 GMT",
            "Sun, 06 ovD 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 25:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 CET",
            "Sun, 0x Nov 1994 08:49:37 GMT",
            "Sun; 06 Nov 1994 08:49:37 GMT")) {
      assertThatThrownBy(() -> S3Text.date(wrong)).as(wrong).isInstanceOf(DateTimeException.class);
    }
  }

  @Test
  void whatNeedsNoEscapingStaysAndAllElseIsEscaped() {
    assertThat(S3Text.escape("a/b-c.d_e~F9", true)).isEqualTo("a/b-c.d_e~F9");
    assertThat(S3Text.escape("a/b", false)).isEqualTo("a%2Fb");
    assertThat(S3Text.escape("ü b+", true)).isEqualTo("%C3%BC%20b%2B");
  }
}
