package dev.staithe.delegation.client;

import dev.staithe.pki.Credential;
import dev.staithe.tls.ClientTls;
import java.net.http.HttpClient;
import java.time.Duration;

/** Makes the clients by which a service is spoken to. */
public final class Connections {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private Connections() {}

  /**
   * A client that shows a certificate to whoever asks, and follows no redirects. Closing it is the
   * caller's.
   *
   * @param as whom it is
   */
  public static HttpClient as(Credential as, ClientTls tls) {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .connectTimeout(PATIENCE)
        .followRedirects(HttpClient.Redirect.NEVER)
        .sslContext(tls.contextAs(as))
        .build();
  }
}
