package dev.staithe.perf.result;

import dev.staithe.perf.lean.Part;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One measured piece of work of one contestant: the raw material of every figure. Immutable.
 *
 * @param experiment the id of its {@link Experiment}
 * @param contestant who served, as {@code staithe}, {@code nginx}, {@code staithe-jdk}
 * @param round from 1; contestants of a round were measured beside each other, in random order
 * @param point where on the axes of the experiment, as {@code size=1073741824}, {@code clients=16};
 *     empty where it has none
 * @param bytes of content moved, without headers
 * @param requests that were answered as asked for
 * @param errors requests that were not
 * @param seconds of wall time
 * @param serverCpu CPU seconds of the server's processes, user and system
 * @param clientCpu CPU seconds of the driving processes
 * @param otherCpu CPU seconds that anything else on the machine took meanwhile, stolen time
 *     included
 * @param latencies a compressed HdrHistogram of nanoseconds by request, in Base64; absent for bulk
 * @param cipher the negotiated protocol and cipher suite, absent without TLS or where a tool hides
 *     it
 * @param voided why the sample does not count; absent where it counts
 * @param balancerCpu CPU seconds of what stands in between: a load balancer, an identity provider
 * @param parts what came of requests by their type; empty where there is one type
 */
public record Sample(
    String experiment,
    String contestant,
    int round,
    Map<String, String> point,
    long bytes,
    long requests,
    long errors,
    double seconds,
    double serverCpu,
    double clientCpu,
    double otherCpu,
    @Nullable String latencies,
    @Nullable String cipher,
    @Nullable String voided,
    double balancerCpu,
    Map<String, Part> parts) {

  /** The same with other latencies. */
  Sample with(@Nullable String otherLatencies, Map<String, Part> otherParts) {
    return new Sample(
        experiment,
        contestant,
        round,
        point,
        bytes,
        requests,
        errors,
        seconds,
        serverCpu,
        clientCpu,
        otherCpu,
        otherLatencies,
        cipher,
        voided,
        balancerCpu,
        otherParts);
  }

  /** Whether it counts. */
  public boolean counts() {
    return voided == null;
  }
}
