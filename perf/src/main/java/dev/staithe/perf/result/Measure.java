package dev.staithe.perf.result;

import static java.lang.Double.NaN;

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
  SECONDS("s", false),
  /** Requests for each CPU second of the server. */
  REQUESTS_PER_CPU("requests/server CPU s", true),
  /** Milliseconds within which 99 of 100 requests are answered. */
  LATENCY_P99("ms, p99", false),
  /** Milliseconds within which 99 of 100 validations of a token are answered. */
  VALIDATION_P99("ms, p99 of validations", false),
  /** Seconds from a logout to the last node's last answer that accepts the token. */
  LONGEST_LAG("s, longest lag", false),
  /** Messages for each CPU second of the server; request and answer are two. */
  MESSAGES_PER_CPU("messages/server CPU s", true),
  /** MB (10^6 bytes) of memory that were held at most. */
  PEAK_MEMORY("MB of heap held at most", false),
  /** Wall milliseconds of each piece, of those that were done one after the other or at once. */
  MILLISECONDS_EACH("ms each", false),
  /** Transfers for each CPU second of receiver and sender together. */
  TRANSFERS_PER_CPU("transfers/CPU s of both servers", true),
  /** CPU seconds of receiver and sender together for each GiB of content. */
  CPU_OF_BOTH_PER_GIB("CPU s/GiB of both servers", false),
  /** CPU milliseconds of the sender for each transfer. */
  SENDER_CPU("sender CPU ms/transfer", false),
  /** Requests that the object store answers meanwhile. */
  ENGINE_REQUESTS("requests to the engine", false),
  /** Seconds from a request to the first byte of its answer. */
  FIRST_BYTE("s to the first byte", false);

  /** The type of request in {@link Sample#parts()}. */
  static final String VALIDATE = "validate";

  /** The values in {@link Sample#parts()} that come of trials of logouts. */
  public static final String LOGOUT_LAG = "logout lag";

  /** Bytes in {@link Sample#parts()}; no request, which the bracket keeps out of their tables. */
  public static final String MEMORY = "memory [bytes]";

  /** Requests to an engine in {@link Sample#parts()}, which are no requests to a server. */
  public static final String ENGINE = "of the engine [requests]";

  /** The type in {@link Sample#parts()} that has times until first bytes. */
  public static final String BEGINNING = "first byte";

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
      case REQUESTS_PER_CPU -> sample.requests() / sample.serverCpu();
      case LATENCY_P99 -> Latencies.of(sample).map(d -> d.at(99) / 1e6).orElse(NaN);
      case VALIDATION_P99 -> Latencies.of(sample, VALIDATE).map(d -> d.at(99) / 1e6).orElse(NaN);
      case LONGEST_LAG -> Latencies.of(sample, LOGOUT_LAG).map(d -> d.at(100) / 1e9).orElse(NaN);
      case MESSAGES_PER_CPU -> 2 * sample.requests() / sample.serverCpu();
      case MILLISECONDS_EACH -> sample.seconds() * 1e3 / sample.requests();
      case TRANSFERS_PER_CPU -> sample.requests() / (sample.serverCpu() + sample.balancerCpu());
      case CPU_OF_BOTH_PER_GIB ->
          (sample.serverCpu() + sample.balancerCpu()) / (sample.bytes() / GIB);
      case SENDER_CPU -> sample.balancerCpu() * 1e3 / sample.requests();
      case ENGINE_REQUESTS -> Latencies.of(sample, ENGINE).map(d -> d.at(100)).orElse(NaN);
      case FIRST_BYTE -> Latencies.of(sample, BEGINNING).map(d -> d.at(100) / 1e9).orElse(NaN);
      case PEAK_MEMORY -> Latencies.of(sample, MEMORY).map(d -> d.at(100) / 1e6).orElse(NaN);
    };
  }
}
