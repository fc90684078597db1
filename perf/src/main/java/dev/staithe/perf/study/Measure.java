package dev.staithe.perf.study;

/** What is read from a sample. */
public enum Measure {
  /** CPU seconds of the server for each GiB of content. */
  CPU_PER_GIB("server CPU s/GiB", false),
  /** CPU milliseconds of the server for each request. */
  CPU_PER_REQUEST("server CPU ms/request", false),
  /** MB (10^6 bytes) of content in a second. */
  RATE("MB/s", true),
  /** Requests in a second. */
  REQUESTS("requests/s", true),
  /** Wall seconds of the whole piece of work. */
  SECONDS("s", false);

  private static final double GIB = 1L << 30;

  private final String unit;
  private final boolean moreIsBetter;

  Measure(String unit, boolean moreIsBetter) {
    this.unit = unit;
    this.moreIsBetter = moreIsBetter;
  }

  /** For people, as {@code MB/s}. */
  public String unit() {
    return unit;
  }

  /** Whether a higher figure is the better one. */
  public boolean moreIsBetter() {
    return moreIsBetter;
  }

  /** Its value in a sample; not a number where the sample has no such figure. */
  public double of(Sample sample) {
    return switch (this) {
      case CPU_PER_GIB -> sample.serverCpu() / (sample.bytes() / GIB);
      case CPU_PER_REQUEST -> sample.serverCpu() * 1e3 / sample.requests();
      case RATE -> sample.bytes() / 1e6 / sample.seconds();
      case REQUESTS -> sample.requests() / sample.seconds();
      case SECONDS -> sample.seconds();
    };
  }
}
