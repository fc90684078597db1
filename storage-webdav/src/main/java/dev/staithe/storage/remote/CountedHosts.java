package dev.staithe.storage.remote;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * What a host is counted as where it may have only so many copies: the lowest of its addresses,
 * IPv4 before IPv6, so that all names of one server are one. Thread-safe.
 *
 * <p>A look-up keeps the processor of a virtual thread for as long as a name server likes. Few run
 * at once, on threads of the system; whose takes long, or finds none of them free, is counted by
 * its name.
 */
final class CountedHosts implements AutoCloseable {
  private static final int AT_ONCE = 8;

  private final RemoteGuard.Resolver resolver;
  private final Duration patience;
  private final ExecutorService threads =
      new ThreadPoolExecutor(
          0,
          AT_ONCE,
          10,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          Thread.ofPlatform().name("host-look-up-", 0).daemon().factory());

  /**
   * Begins no thread yet.
   *
   * @param patience for one look-up
   */
  CountedHosts(RemoteGuard.Resolver resolver, Duration patience) {
    this.resolver = resolver;
    this.patience = patience;
  }

  String of(String host) {
    try {
      return CompletableFuture.supplyAsync(() -> lowest(host), threads)
          .get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException | TimeoutException | ExecutionException byName) {
      return host;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return host;
    }
  }

  private String lowest(String host) {
    try {
      return Arrays.stream(resolver.resolve(host))
          .min(
              Comparator.<InetAddress>comparingInt(address -> address.getAddress().length)
                  .thenComparing(InetAddress::getAddress, Arrays::compareUnsigned))
          .map(InetAddress::getHostAddress)
          .orElse(host);
    } catch (UnknownHostException unknown) {
      return host;
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
