package dev.staithe.service.http;

import dev.staithe.service.Networks;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Optional;
import org.eclipse.jetty.http.HostPortHttpField;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.HostPort;

/**
 * Shows requests that came through a trusted proxy as their client made them: remote address,
 * scheme, host and port. What anybody else says in such headers is ignored.
 *
 * <p>Jetty's own {@code ForwardedRequestCustomizer} is no use here: it believes every peer, and the
 * leftmost address of a list, which the client can write.
 */
public final class TrustedProxies implements HttpConfiguration.Customizer {
  /** Request attribute: there where a trusted proxy has passed the request on. */
  public static final String THROUGH_PROXY = "dev.staithe.through-proxy";

  /** Request attribute: the one line that says why the headers of a request are refused. */
  static final String REFUSAL = "dev.staithe.refusal";

  private final Networks trusted;

  TrustedProxies(Networks trusted) {
    this.trusted = trusted;
  }

  @Override
  public Request customize(Request request, HttpFields.Mutable responseHeaders) {
    if (!(request.getConnectionMetaData().getRemoteSocketAddress() instanceof InetSocketAddress peer
        && trusted.contains(peer.getAddress()))) {
      return request;
    }
    try {
      Optional<Forwarding> told = Forwarding.read(request.getHeaders(), trusted);
      if (told.isEmpty()) {
        return request;
      }
      request.setAttribute(THROUGH_PROXY, Boolean.TRUE);
      return new Forwarded(request, told.get());
    } catch (Forwarding.Ambiguous unclear) {
      request.setAttribute(REFUSAL, unclear.getMessage());
      throw new HttpException.RuntimeException(400, unclear.getMessage());
    }
  }

  /** The request as its client made it. */
  private static final class Forwarded extends Request.Wrapper {
    private final HttpURI uri;
    private final HttpFields headers;
    private final ConnectionMetaData connection;

    Forwarded(Request request, Forwarding forwarding) {
      super(request);
      HttpURI.Mutable seen = HttpURI.build(request.getHttpURI());
      if (forwarding.scheme() != null) {
        seen.scheme(forwarding.scheme());
      }
      HostPort authority = forwarding.authority();
      if (authority == null) {
        this.headers = request.getHeaders();
      } else {
        seen.authority(authority.getHost(), authority.getPort());
        // Jetty refuses a request whose Host is not the authority of its target.
        this.headers =
            HttpFields.build(request.getHeaders(), new HostPortHttpField(authority)).asImmutable();
      }
      this.uri = seen.asImmutable();
      boolean secure =
          forwarding.scheme() == null ? request.isSecure() : forwarding.scheme().equals("https");
      // The client's port is seldom told, and nothing here asks for it.
      SocketAddress client = new InetSocketAddress(forwarding.client(), 0);
      this.connection =
          new ConnectionMetaData.Wrapper(request.getConnectionMetaData()) {
            @Override
            public SocketAddress getRemoteSocketAddress() {
              return client;
            }

            @Override
            public boolean isSecure() {
              return secure;
            }
          };
    }

    @Override
    public HttpURI getHttpURI() {
      return uri;
    }

    @Override
    public HttpFields getHeaders() {
      return headers;
    }

    @Override
    public boolean isSecure() {
      return connection.isSecure();
    }

    @Override
    public ConnectionMetaData getConnectionMetaData() {
      return connection;
    }
  }
}
