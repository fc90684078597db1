package dev.staithe.perf.lean;

/**
 * What became of requests of one type in one phase.
 *
 * @param requests that were answered as they should
 * @param errors that were not
 * @param refused that were answered 429 or 503: the service is busy and says so
 * @param latencies a compressed HdrHistogram of nanoseconds by good request, in Base64
 */
public record Part(long requests, long errors, long refused, String latencies) {}
