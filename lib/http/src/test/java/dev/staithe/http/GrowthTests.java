package dev.staithe.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What twice the answer takes: not more than 2.3 times the CPU, however few bytes come at once.
 * Only the ratio is judged, of the thread's own CPU time, and the best of several tries counts.
 */
class GrowthTests {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int TRIES = 40;
  private static final double MOST = 2.3;
  private static final int SIZE = 60_000;
  private static final HeadLimits LIMITS = new HeadLimits(4 * SIZE, SIZE);
  private static final String OK = "HTTP/1.1 200 OK\r\n";
  private static final String CHUNKED = OK + "Transfer-Encoding: chunked\r\n\r\n";

  /** Answers of one shape, of about so many bytes. */
  record Shape(String name, IntFunction<String> made) {
    @Override
    public String toString() {
      return name;
    }

    byte[] of(int size) {
      return made.apply(size).getBytes(StandardCharsets.ISO_8859_1);
    }
  }

  static Stream<Shape> shapes() {
    return Stream.of(
        new Shape("fields", size -> OK + "A: b\r\n".repeat(size / 6) + "Content-Length: 0\r\n\r\n"),
        new Shape("a long value", size -> OK + "A: " + "b".repeat(size)),
        new Shape("lists", size -> OK + "Connection: a,,\r\n".repeat(size / 17) + "\r\n"),
        new Shape("blanks", size -> OK + "A: " + " \t".repeat(size / 2) + "b\r\n\r\n"),
        new Shape("equal lengths", size -> OK + "Content-Length: 0\r\n".repeat(size / 19) + "\r\n"),
        new Shape("chunks", size -> CHUNKED + "1\r\na\r\n".repeat(size / 6) + "0\r\n\r\n"),
        new Shape("trailers", size -> CHUNKED + "0\r\n" + "A: b\r\n".repeat(size / 6) + "\r\n"),
        new Shape("line ends", size -> OK + "\r\r\n".repeat(size / 3)));
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void twiceTheAnswerTakesNoMoreThanTwiceTheWork(Shape shape) {
    byte[] once = shape.of(SIZE);
    byte[] twice = shape.of(2 * SIZE);
    double best = Double.MAX_VALUE;
    long small = Long.MAX_VALUE;
    long large = Long.MAX_VALUE;
    for (int i = 0; i < TRIES && !(i > 5 && best <= MOST); i++) {
      small = Math.min(small, cpu(once) + cpu(once));
      large = Math.min(large, cpu(twice));
      best = 2.0 * large / small;
    }

    assertThat(best).isLessThanOrEqualTo(MOST);
  }

  /** Several, as one is done too soon to be measured. */
  private static long cpu(byte[] answer) {
    long begun = THREADS.getCurrentThreadCpuTime();
    for (int i = 0; i < 10; i++) {
      Bytes.read(answer, 1, LIMITS);
    }
    return THREADS.getCurrentThreadCpuTime() - begun;
  }
}
