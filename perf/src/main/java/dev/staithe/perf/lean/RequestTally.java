package dev.staithe.perf.lean;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * What became of the requests of one type, by the phase in which they were begun. Not thread-safe.
 */
public final class RequestTally {
  private static final long LONGEST = TimeUnit.MINUTES.toNanos(10);
  private static final int DIGITS = 3;

  /** A part of a run. */
  public enum Phase {
    /** Before requests count. */
    WARM(" [warm]"),
    /** They count. */
    MEASURE(""),
    /** After that, still under load. */
    COOL(" [cool]");

    private final String suffix;

    Phase(String suffix) {
      this.suffix = suffix;
    }
  }

  private static final class Counts {
    private final Histogram latencies = new Histogram(LONGEST, DIGITS);
    private long bad;
    private long refused;
  }

  private final Counts[] phases =
      Arrays.stream(Phase.values()).map(phase -> new Counts()).toArray(Counts[]::new);

  /** With nothing counted. */
  public RequestTally() {
    for (Counts counts : phases) {
      counts.latencies.setAutoResize(true);
    }
  }

  /** A request that was answered as it should be, after so long. */
  public void good(Phase phase, long nanos) {
    phases[phase.ordinal()].latencies.recordValue(Math.clamp(nanos, 0, LONGEST));
  }

  /**
   * The same with the requests that a slow answer has held up: one for each beat that was left out.
   */
  public void good(Phase phase, long nanos, long beat) {
    phases[phase.ordinal()].latencies.recordValueWithExpectedInterval(
        Math.clamp(nanos, 0, LONGEST), beat);
  }

  /** One that failed. */
  public void bad(Phase phase) {
    phases[phase.ordinal()].bad++;
  }

  /** One that the server was too busy for. */
  public void refused(Phase phase) {
    phases[phase.ordinal()].refused++;
  }

  /** How many were good. */
  public long good(Phase phase) {
    return phases[phase.ordinal()].latencies.getTotalCount();
  }

  long refusals(Phase phase) {
    return phases[phase.ordinal()].refused;
  }

  /** How many failed, of all phases. */
  public long failures() {
    return Arrays.stream(phases).mapToLong(counts -> counts.bad).sum();
  }

  /** Adds the latencies of the measured phase. */
  public void addTo(Histogram all) {
    all.add(phases[Phase.MEASURE.ordinal()].latencies);
  }

  /** Puts those that have something to tell under their names. */
  public void put(String label, Map<String, Part> parts) {
    for (Phase phase : Phase.values()) {
      Counts counts = phases[phase.ordinal()];
      if (counts.latencies.getTotalCount() + counts.bad + counts.refused > 0) {
        parts.put(
            label + phase.suffix,
            new Part(
                counts.latencies.getTotalCount(),
                counts.bad,
                counts.refused,
                encoded(counts.latencies)));
      }
    }
  }

  /** One that holds any latency, in nanoseconds, to three digits. */
  public static Histogram empty() {
    var histogram = new Histogram(LONGEST, DIGITS);
    histogram.setAutoResize(true);
    return histogram;
  }

  /** Compressed, in Base64. */
  public static String encoded(Histogram histogram) {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(buffer);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
  }
}
