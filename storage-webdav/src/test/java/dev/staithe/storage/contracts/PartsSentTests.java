package dev.staithe.storage.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Each byte of a file goes out once under a contract, in whatever order its parts are asked for.
 */
final class PartsSentTests {
  private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");
  private static final String ID = "one";

  private final PartsSent parts = new PartsSent();

  private boolean begin(long first, long last) {
    return parts.begin(ID, new FilePart(first, last), NOW);
  }

  @Test
  void partWhenOneOfItsBytesWasAskedForThenIsRefused() {
    parts.open(ID, 100, NOW);
    assertThat(begin(10, 19)).isTrue();
    assertThat(begin(20, 29)).isTrue();
    for (FilePart part :
        List.of(
            new FilePart(10, 19),
            new FilePart(5, 10),
            new FilePart(29, 30),
            new FilePart(0, 99),
            new FilePart(15, 24))) {
      assertThat(parts.begin(ID, part, NOW)).as(part.toString()).isFalse();
    }
    assertThat(begin(0, 9)).isTrue();
    assertThat(begin(30, 99)).isTrue();
    assertThat(parts.allAskedFor(ID)).isTrue();
  }

  /** As a set of single bytes has it. */
  @Test
  void anyOrderGivesWhatBytesHave() {
    var random = new Random(1);
    for (int round = 0; round < 200; round++) {
      String id = "round" + round;
      parts.open(id, 64, NOW);
      var bytes = new BitSet();
      for (int i = 0; i < 40; i++) {
        int first = random.nextInt(64);
        int last = Math.min(63, first + random.nextInt(8));
        boolean free = bytes.get(first, last + 1).isEmpty();
        assertThat(parts.begin(id, new FilePart(first, last), NOW)).isEqualTo(free);
        if (free) {
          bytes.set(first, last + 1);
        }
        assertThat(parts.allAskedFor(id)).isEqualTo(bytes.cardinality() == 64);
      }
    }
  }

  /** A receiver that asks for every second byte must not fill the sender's memory. */
  @Test
  void gapsWhenThereAreTooManyThenPartsMustFillThem() {
    parts.open(ID, 1 << 20, NOW);
    assertThat(LongStream.range(0, 4_096).allMatch(i -> begin(2 * i, 2 * i))).isTrue();
    assertThat(begin(10_000, 10_000)).isFalse();
    assertThat(begin(1, 1)).isTrue();
    assertThat(begin(10_000, 10_000)).isTrue();
    assertThat(begin(3, 3)).isTrue();
  }

  @Test
  void lastPartIsTheOneThatIsGoneLast() {
    parts.open(ID, 30, NOW);
    List<FilePart> three =
        new ArrayList<>(List.of(new FilePart(0, 9), new FilePart(20, 29), new FilePart(10, 19)));
    three.forEach(part -> assertThat(parts.begin(ID, part, NOW)).isTrue());
    assertThat(three.stream().map(part -> parts.sent(ID, part)))
        .containsExactly(false, false, true);
  }

  @Test
  void contractWhenAPartOfItBrokeOffThenHasNoMoreAndTheRestWasNotAskedFor() {
    parts.open(ID, 30, NOW);
    assertThat(begin(0, 9)).isTrue();
    parts.stop(ID);
    assertThat(begin(10, 29)).isFalse();
    assertThat(parts.allAskedFor(ID)).isFalse();
  }

  @Test
  void contractWhenNobodyAskedForADayThenIsForgotten() {
    parts.open(ID, 30, NOW);
    parts.open("another", 30, NOW.plus(Duration.ofHours(25)));
    assertThat(begin(0, 9)).isFalse();
    assertThat(parts.allAskedFor(ID)).isTrue();
  }
}
