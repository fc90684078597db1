package dev.staithe.delegation.handlers;

import java.io.IOException;
import java.net.URI;
import org.springframework.ws.transport.WebServiceConnection;
import org.springframework.ws.transport.WebServiceMessageSender;
import org.springframework.ws.transport.http.JdkHttpClientMessageSender;

/** Sends SOAP messages over connections of whoever is acted for. Thread-safe. */
public final class ActingSender implements WebServiceMessageSender {
  private final ActingConnections connections;

  /** For {@code WebServiceTemplate.setMessageSender}. */
  public ActingSender(ActingConnections connections) {
    this.connections = connections;
  }

  @Override
  public WebServiceConnection createConnection(URI called) throws IOException {
    return new JdkHttpClientMessageSender(connections.client(called)).createConnection(called);
  }

  /** Never an address that came in a message, as a reply's: that would be a stranger's choice. */
  @Override
  public boolean supports(URI called, UriSource source) {
    return source == UriSource.APPLICATION
        && ("https".equals(called.getScheme()) || "http".equals(called.getScheme()));
  }
}
