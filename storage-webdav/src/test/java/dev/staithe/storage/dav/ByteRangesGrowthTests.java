package dev.staithe.storage.dav;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.exchange.ByteRanges;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is made of a hundred times the ranges takes about a hundred times the time, in whichever
 * order and however they overlap. Only the ratio is judged, of the thread's own CPU time, and the
 * best of several tries counts.
 */
class ByteRangesGrowthTests {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int FEW = 80;
  private static final int MANY = 8_000;
  private static final int TRIES = 40;
  private static final double MOST = 5;

  /** Ranges of one shape. */
  record Shape(String name, IntFunction<String> range, boolean shuffled) {
    String header(int ranges) {
      List<String> each = IntStream.range(0, ranges).mapToObj(range).collect(Collectors.toList());
      if (shuffled) {
        Collections.shuffle(each, new Random(1));
      }
      return "bytes=" + String.join(",", each);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Shape> shapes() {
    return Stream.of(
        new Shape("in order", i -> i * 100 + "-" + (i * 100 + 9), false),
        new Shape("in any order", i -> i * 100 + "-" + (i * 100 + 9), true),
        new Shape("one in another", i -> i + "-" + (1_000_000 - i), true),
        new Shape("all alike", i -> "5-9", false),
        new Shape("without a begin", i -> "-" + (i + 1), true),
        new Shape("behind the end", i -> (2_000_000 + i) + "-", false),
        new Shape("blank", i -> "                ", false));
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void rangesTakeTimeInProportion(Shape shape) {
    double few = nanosOfEach(shape, FEW);
    double many = nanosOfEach(shape, MANY);
    assertThat(many / few).as("%s: %.0f ns, %.0f ns", shape, few, many).isLessThan(MOST);
  }

  private static double nanosOfEach(Shape shape, int ranges) {
    String header = shape.header(ranges);
    int rounds = MANY / ranges;
    long best = Long.MAX_VALUE;
    for (int attempt = 0; attempt < TRIES; attempt++) {
      long before = THREADS.getCurrentThreadCpuTime();
      for (int i = 0; i < rounds; i++) {
        assertThat(ByteRanges.of(header, 1_000_000)).isNotNull();
      }
      best = Math.min(best, THREADS.getCurrentThreadCpuTime() - before);
    }
    return (double) best / rounds / ranges;
  }
}
