package dev.staithe.service.http;

import java.util.List;
import javax.net.ssl.SSLEngine;
import org.eclipse.jetty.alpn.server.ALPNServerConnection;
import org.eclipse.jetty.io.AbstractConnection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.io.ssl.SslHandshakeListener;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.NegotiatingServerConnectionFactory;
import org.jspecify.annotations.Nullable;

/**
 * Lets client and server agree on HTTP/2 or HTTP/1.1 in the TLS handshake (ALPN, RFC 7301). A
 * client that offers neither extension nor protocol speaks HTTP/1.1.
 *
 * <p>Jetty's own factory finds its way by the class of the engine, of which it knows those of the
 * JDK and of Conscrypt, but not the one that {@code tls} puts around them. The method of {@link
 * SSLEngine} that is used here is the same for all.
 */
final class AlpnConnectionFactory extends NegotiatingServerConnectionFactory {
  /** The name by which a connection to be negotiated is asked for. */
  static final String NAME = "alpn";

  /**
   * Offers these.
   *
   * @param protocols as ALPN names them, the most liked first; the last is the default
   */
  AlpnConnectionFactory(String... protocols) {
    super(NAME, protocols);
    setDefaultProtocol(protocols[protocols.length - 1]);
  }

  @Override
  protected AbstractConnection newServerConnection(
      Connector connector,
      EndPoint endPoint,
      SSLEngine engine,
      List<String> protocols,
      String defaultProtocol) {
    ALPNServerConnection negotiating =
        new ALPNServerConnection(connector, endPoint, engine, protocols, defaultProtocol);
    engine.setHandshakeApplicationProtocolSelector(
        (handshaking, offered) -> selected(negotiating, offered));
    SslConnection.SslEndPoint secured = (SslConnection.SslEndPoint) endPoint;
    secured
        .getSslConnection()
        .addHandshakeListener(
            new SslHandshakeListener() {
              @Override
              public void handshakeSucceeded(Event event) {
                if (negotiating.getProtocol() == null) {
                  negotiating.unsupported();
                }
              }
            });
    return negotiating;
  }

  /** Null refuses the handshake, which is what a client gets that offers only what we do not. */
  private static @Nullable String selected(ALPNServerConnection negotiating, List<String> offered) {
    try {
      negotiating.select(offered);
      return negotiating.getProtocol();
    } catch (IllegalStateException nothingInCommon) {
      return null;
    }
  }
}
