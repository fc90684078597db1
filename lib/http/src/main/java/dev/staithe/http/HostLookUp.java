package dev.staithe.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Finds the addresses of names on threads of the system. A look-up keeps the processor of a virtual
 * thread for as long as a name server likes: a few that do not answer would stop all that goes on.
 */
public final class HostLookUp {
  private static final ExecutorService THREADS =
      Executors.newCachedThreadPool(
          Thread.ofPlatform().name("host-look-up-", 0).daemon().factory());

  private HostLookUp() {}

  /** Finds the addresses of a name, as {@link InetAddress#getAllByName} does. */
  public interface Resolver {
    InetAddress[] resolve(String host) throws UnknownHostException;
  }

  /**
   * The addresses of a host, in the resolver's order. Safe for use by many threads.
   *
   * @throws UnknownHostException where it has none
   * @throws HttpFailure where nobody knows in time
   */
  public static InetAddress[] find(Resolver resolver, String host, Duration patience)
      throws UnknownHostException, HttpFailure {
    Future<InetAddress[]> found = THREADS.submit(() -> resolver.resolve(host));
    try {
      return found.get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException failed) {
      var unknown = new UnknownHostException(host);
      unknown.initCause(failed.getCause());
      throw unknown;
    } catch (TimeoutException late) {
      throw new HttpFailure(
          HttpFailure.Kind.GIVEN_UP,
          "no name server answers within " + patience.toSeconds() + " s");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new HttpFailure(HttpFailure.Kind.GIVEN_UP, "interrupted");
    }
  }
}
