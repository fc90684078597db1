package dev.staithe.delegation.client;

import dev.staithe.http.BoundedFetch;
import dev.staithe.pki.Credential;
import dev.staithe.tls.ClientTls;
import java.net.http.HttpClient;
import java.time.Duration;

/** Makes the clients of HTTP by which services are spoken to. They follow no redirects. */
public final class Connections {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private Connections() {}

  /**
   * A client that shows a certificate to whoever asks. Closing it is the caller's.
   *
   * @param as whom it is
   */
  public static HttpClient as(Credential as, ClientTls tls) {
    return BoundedFetch.client(tls.contextAs(as), PATIENCE);
  }

  /** A client that shows none. Closing it is the caller's. */
  public static HttpClient anonymous(ClientTls tls) {
    return BoundedFetch.client(tls.context(), PATIENCE);
  }
}
