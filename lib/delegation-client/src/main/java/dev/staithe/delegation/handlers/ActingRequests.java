package dev.staithe.delegation.handlers;

import java.io.IOException;
import java.net.URI;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.JdkClientHttpRequestFactory;

/** Makes requests over connections of whoever is acted for. Thread-safe. */
public final class ActingRequests implements ClientHttpRequestFactory {
  private final ActingConnections connections;

  /** For {@code RestClient.Builder.requestFactory}. */
  public ActingRequests(ActingConnections connections) {
    this.connections = connections;
  }

  @Override
  public ClientHttpRequest createRequest(URI called, HttpMethod method) throws IOException {
    return new JdkClientHttpRequestFactory(connections.client(called))
        .createRequest(called, method);
  }
}
