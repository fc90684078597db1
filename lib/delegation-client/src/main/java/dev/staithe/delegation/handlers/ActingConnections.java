package dev.staithe.delegation.handlers;

import dev.staithe.delegation.client.Connections;
import dev.staithe.pki.Credential;
import dev.staithe.tls.ClientTls;
import java.net.URI;
import java.net.http.HttpClient;
import java.security.cert.X509Certificate;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A client of HTTP for each credential that calls are made with: the one by which the call that is
 * being served acts for somebody, else this program's own. Connections are kept for the next call
 * in the same name, and never used in another. Thread-safe.
 */
public final class ActingConnections implements AutoCloseable {
  private final Supplier<Optional<Credential>> own;
  private final ClientTls tls;
  private final Destinations to;
  private final int most;
  private final Map<X509Certificate, HttpClient> clients = new LinkedHashMap<>(16, 0.75f, true);
  private final HttpClient anonymous;

  /**
   * Opens nothing yet.
   *
   * @param own as whom this program calls where it acts for nobody; empty for calls without a
   *     certificate then
   * @param to whom calls are made in somebody's name; others see none
   * @param most clients that are kept, positive; those that were not used for the longest time go
   */
  public ActingConnections(
      Supplier<Optional<Credential>> own, ClientTls tls, Destinations to, int most) {
    this.own = own;
    this.tls = tls;
    this.to = to;
    this.most = most;
    this.anonymous = Connections.anonymous(tls);
  }

  /** The client for a call that is made now. Not to be closed. */
  public HttpClient client(URI called) {
    return !to.cover(called)
        ? anonymous
        : ActingFor.current().map(ActingFor::credential).or(own).map(this::as).orElse(anonymous);
  }

  /** The client that shows a credential. Not to be closed. */
  HttpClient as(Credential credential) {
    synchronized (clients) {
      HttpClient client =
          clients.computeIfAbsent(
              credential.certificate(), absent -> Connections.as(credential, tls));
      if (clients.size() > most) {
        Iterator<HttpClient> eldest = clients.values().iterator();
        // Calls that it is in are finished.
        eldest.next().shutdown();
        eldest.remove();
      }
      return client;
    }
  }

  /** Breaks all connections off and forgets all keys. */
  @Override
  public void close() {
    synchronized (clients) {
      clients.values().forEach(HttpClient::shutdownNow);
      clients.clear();
    }
    anonymous.shutdownNow();
  }
}
