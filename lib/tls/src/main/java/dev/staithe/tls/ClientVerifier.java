package dev.staithe.tls;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Lets {@link ClientCertificates} judge clients. Implementations of TLS would refuse each proxy by
 * themselves, since its issuer is no authority (RFC 5280); that the client has the key is theirs to
 * see.
 */
final class ClientVerifier extends X509ExtendedTrustManager {
  /** A longer list costs each handshake more than it helps a client to choose. */
  private static final int MOST_NAMES = 16 * 1024;

  private final ClientCertificates clients;

  ClientVerifier(ClientCertificates clients) {
    this.clients = clients;
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    judge(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, @Nullable Socket socket)
      throws CertificateException {
    judge(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    judge(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    throw noServers();
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, @Nullable Socket socket)
      throws CertificateException {
    throw noServers();
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    throw noServers();
  }

  /** Told to clients, which choose by it (RFC 8446 section 4.2.4); none where there are many. */
  @Override
  public X509Certificate[] getAcceptedIssuers() {
    var anchors = clients.anchors().certificates();
    int length = 0;
    for (X509Certificate anchor : anchors) {
      length += anchor.getSubjectX500Principal().getEncoded().length + 2;
    }
    return length > MOST_NAMES ? new X509Certificate[0] : anchors.toArray(X509Certificate[]::new);
  }

  private void judge(X509Certificate[] chain) throws CertificateException {
    String objection = clients.objection(List.of(chain));
    if (objection != null) {
      throw new CertificateException(objection);
    }
  }

  private static CertificateException noServers() {
    return new CertificateException("certificates of servers are not judged here");
  }
}
