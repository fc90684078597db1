package dev.staithe.tls;

import dev.staithe.pki.ChainValidator;
import dev.staithe.pki.ChainVerdict;
import dev.staithe.pki.TrustAnchors;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Judges servers: their chain by the trust anchors and their name by the one that was called.
 *
 * <p>The name is checked here and not left to an endpoint identification algorithm, because
 * implementations of TLS differ in whether that is looked at, and a caller can forget to set it.
 */
final class PeerVerifier extends X509ExtendedTrustManager {
  private final ChainValidator validator;
  private final X509Certificate[] anchors;

  PeerVerifier(TrustAnchors trust, Clock clock) {
    this.validator = new ChainValidator(trust, clock);
    this.anchors = trust.certificates().toArray(X509Certificate[]::new);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    judge(chain, engine.getPeerHost());
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    SSLSession session = socket instanceof SSLSocket tls ? tls.getHandshakeSession() : null;
    judge(chain, session == null ? null : session.getPeerHost());
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    // Without a connection nobody says which host was called.
    judge(chain, null);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    throw noClients();
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    throw noClients();
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    throw noClients();
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return anchors.clone();
  }

  private void judge(X509Certificate[] chain, @Nullable String host) throws CertificateException {
    if (host == null || host.isEmpty()) {
      throw new CertificateException("a server is only judged under the name that it is called by");
    }
    switch (validator.validateServer(List.of(chain))) {
      case ChainVerdict.Refused(ChainVerdict.Reason reason) ->
          throw new PeerRejectedException(host, reason.text());
      case ChainVerdict.Trusted trusted -> {
        if (!HostIdentity.of(host).matches(chain[0])) {
          throw new PeerRejectedException(host, "is not for " + host);
        }
      }
    }
  }

  private static CertificateException noClients() {
    return new CertificateException("certificates of clients are not judged here");
  }
}
