package dev.staithe.wss.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.wss.Expectation;
import dev.staithe.wss.Refusal;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/**
 * Times as senders write them, with the Java runtime's reading as judge, and until when they count.
 */
class FreshnessTests {
  private static final Expectation.Limits LIMITS = Expectation.Limits.DEFAULT;

  @Property(tries = 2_000)
  void timesAreThoseOfTheRuntime(
      @ForAll @LongRange(min = 0, max = 253_402_300_799L) long second,
      @ForAll @IntRange(max = 999) int milli,
      @ForAll @IntRange(min = -14, max = 14) int zone,
      @ForAll @IntRange(max = 3) int form)
      throws UnsupportedShape {
    Instant instant = Instant.ofEpochSecond(second, milli * 1_000_000L);
    String text =
        switch (form) {
          case 0 -> instant.toString();
          case 1 -> instant.atOffset(ZoneOffset.ofHours(zone)).toString();
          case 2 -> Instant.ofEpochSecond(second).toString();
          default -> Instant.ofEpochSecond(second, milli * 1_000L).toString();
        };
    if (text.startsWith("+") || text.startsWith("-")) {
      return;
    }
    assertThat(Freshness.instant(text)).isEqualTo(OffsetDateTime.parse(text).toInstant());
  }

  /** Each character of a time becomes another: read as the runtime does, or left. */
  @Example
  void everyChangedTimeIsReadAsTheRuntimeReadsIt() {
    for (String time : new String[] {"2024-02-29T23:59:59Z", "2026-11-21T20:15:30.123Z"}) {
      for (int at = 0; at < time.length(); at++) {
        for (char other : "0123456789-:.TZ+ t\u0663x".toCharArray()) {
          String changed = time.substring(0, at) + other + time.substring(at + 1);
          Instant expected;
          try {
            expected = OffsetDateTime.parse(changed).toInstant();
          } catch (java.time.DateTimeException e) {
            expected = null;
          }
          Instant found;
          try {
            found = Freshness.instant(changed);
          } catch (UnsupportedShape e) {
            found = null;
          }
          assertThat(found).as(changed).isEqualTo(expected);
        }
      }
    }
  }

  @Example
  void aTimeIsGoodFromItsCreationToItsEndWithTheSkewOfClocks() throws Rejected {
    Instant created = Instant.parse("2026-01-01T00:00:00Z");
    Instant expires = created.plusSeconds(120);
    var both = new Freshness(created, expires);
    for (int good : new int[] {-60, 0, 120, 179}) {
      both.check(created.plusSeconds(good), LIMITS);
    }
    for (int bad : new int[] {-61, 180, 100_000}) {
      refused(both, created.plusSeconds(bad));
    }
    // Whatever the sender says, no longer than is taken here.
    var long1 = new Freshness(created, created.plusSeconds(1_000_000));
    long1.check(created.plusSeconds(359), LIMITS);
    refused(long1, created.plusSeconds(360));
    refused(new Freshness(created, null), created.plusSeconds(360));
    refused(new Freshness(created, created.minusMillis(1)), created);
  }

  private static void refused(Freshness freshness, Instant now) {
    assertThatThrownBy(() -> freshness.check(now, LIMITS))
        .isInstanceOfSatisfying(
            Rejected.class, it -> assertThat(it.reason()).isEqualTo(Refusal.STALE));
  }
}
