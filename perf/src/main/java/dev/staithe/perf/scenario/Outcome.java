package dev.staithe.perf.scenario;

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
 */
public record Outcome(
    long requests,
    long errors,
    long bytes,
    double seconds,
    String latencies,
    String cipher,
    String failure) {}
