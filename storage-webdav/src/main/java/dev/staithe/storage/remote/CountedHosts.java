package dev.staithe.storage.remote;

import dev.staithe.http.HostLookUp;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.concurrent.Semaphore;

/**
 * What a host is counted as where it may have only so many copies: the lowest of its addresses,
 * IPv4 before IPv6, so that all names of one server are one. Thread-safe.
 *
 * <p>Few look-ups run at once; whose takes long, or would be one too many, is counted by its name.
 */
final class CountedHosts {
  private static final int AT_ONCE = 8;

  private final HostLookUp.Resolver resolver;
  private final Duration patience;

  /** Look-ups that may begin, however long nobody waits any more for those under way. */
  private final Semaphore free = new Semaphore(AT_ONCE);

  /** Waits no longer than that for one look-up. */
  CountedHosts(HostLookUp.Resolver resolver, Duration patience) {
    this.resolver = resolver;
    this.patience = patience;
  }

  String of(String host) {
    try {
      return Arrays.stream(HostLookUp.find(this::resolve, host, patience))
          .min(
              Comparator.<InetAddress>comparingInt(address -> address.getAddress().length)
                  .thenComparing(InetAddress::getAddress, Arrays::compareUnsigned))
          .map(InetAddress::getHostAddress)
          .orElse(host);
    } catch (IOException byName) {
      return host;
    }
  }

  private InetAddress[] resolve(String host) throws UnknownHostException {
    // On the thread that asks: where none could be begun, the permit would never come back.
    if (!free.tryAcquire()) {
      throw new UnknownHostException(host);
    }
    try {
      return resolver.resolve(host);
    } finally {
      free.release();
    }
  }
}
