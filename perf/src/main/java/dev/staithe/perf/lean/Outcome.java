package dev.staithe.perf.lean;

import java.util.Map;

/**
 * What became of a {@link Task}.
 *
 * @param requests that were answered as they should
 * @param errors requests that were not
 * @param bytes of content in both directions, of good requests
 * @param seconds from the first connection to the last answer
 * @param latencies a compressed HdrHistogram of nanoseconds by good request, in Base64
 * @param cipher negotiated protocol and cipher suite; empty without TLS
 * @param failure the first failure, one line; empty for none
 * @param parts the same by type of request, where there is more than one type
 */
public record Outcome(
    long requests,
    long errors,
    long bytes,
    double seconds,
    String latencies,
    String cipher,
    String failure,
    Map<String, Part> parts) {

  /** Of requests of one type. */
  public Outcome(
      long requests,
      long errors,
      long bytes,
      double seconds,
      String latencies,
      String cipher,
      String failure) {
    this(requests, errors, bytes, seconds, latencies, cipher, failure, Map.of());
  }

  /** Good requests that nobody has timed one by one. */
  public static Outcome good(long requests, long bytes, double seconds) {
    return new Outcome(requests, 0, bytes, seconds, "", "", "");
  }

  /** A request that failed. */
  public static Outcome failed(double seconds, String failure) {
    return new Outcome(0, 1, 0, seconds, "", "", failure);
  }

  /** The same, told by type of request as well. */
  public Outcome with(Map<String, Part> told) {
    return new Outcome(requests, errors, bytes, seconds, latencies, cipher, failure, told);
  }

  /** Of copies of so many bytes each, whose answers tell of them and do not carry them. */
  public Outcome copied(long size) {
    return new Outcome(
        requests, errors, requests * size, seconds, latencies, cipher, failure, parts);
  }
}
