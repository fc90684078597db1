package dev.staithe.slcs.saml;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * How many logins each address has begun lately: each costs a signature and is remembered for
 * minutes. Of IPv6 the network of 64 bits counts, which is one customer's. Each node counts by
 * itself. Thread-safe.
 */
final class BegunLogins {
  private static final long WINDOW = TimeUnit.MINUTES.toNanos(1);

  /** More addresses at once than any campus has behind its own; then all begin anew. */
  private static final int MOST = 100_000;

  private final ConcurrentHashMap<String, Count> counts = new ConcurrentHashMap<>();
  private final int most;

  private record Count(long began, int begun) {}

  /**
   * @param most within a minute
   */
  BegunLogins(int most) {
    this.most = most;
  }

  /** Counts one; false where it was too many, and the answer is written. */
  boolean admit(HttpServletRequest request, HttpServletResponse response) throws IOException {
    if (counts.size() >= MOST) {
      counts.clear();
    }
    long now = System.nanoTime();
    Count count =
        counts.compute(
            network(request.getRemoteAddr()),
            (address, before) ->
                before == null || now - before.began() >= WINDOW
                    ? new Count(now, 1)
                    : new Count(before.began(), before.begun() + 1));
    if (count.begun() <= most) {
      return true;
    }
    long left = TimeUnit.NANOSECONDS.toSeconds(WINDOW - (now - count.began())) + 1;
    response.setStatus(429);
    response.setHeader("Retry-After", Long.toString(Math.max(1, left)));
    SignIn.line(response, "too many logins were begun from your address: try again in a minute");
    return false;
  }

  private static String network(String address) {
    try {
      byte[] bytes = InetAddress.ofLiteral(address.replaceAll("[\\[\\]]", "")).getAddress();
      return HexFormat.of().formatHex(bytes.length == 16 ? Arrays.copyOf(bytes, 8) : bytes);
    } catch (IllegalArgumentException e) {
      return address;
    }
  }
}
