package dev.staithe.perf.cxf;

import dev.staithe.pki.Credential;
import dev.staithe.pki.PemException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.CollectionCertStoreParameters;
import java.util.Collection;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.wss4j.common.crypto.Crypto;
import org.apache.wss4j.common.crypto.Merlin;

/** The relay's own key and those whom it believes, from the PEM files of its folder. */
final class RelayKeys {
  /** The name of the key in its store. */
  static final String ALIAS = "relay";

  /** Of a store that is never written. */
  static final String PASSWORD = "in memory only";

  private final KeyStore own;
  private final KeyStore trusted;
  private final Collection<? extends java.security.cert.CRL> revoked;

  private RelayKeys(
      KeyStore own, KeyStore trusted, Collection<? extends java.security.cert.CRL> revoked) {
    this.own = own;
    this.trusted = trusted;
    this.revoked = revoked;
  }

  static RelayKeys read(Path folder) throws IOException, PemException, GeneralSecurityException {
    Credential credential =
        Credential.read(folder.resolve("host.pem"), folder.resolve("host-key.pem"));
    KeyStore own = KeyStore.getInstance("PKCS12");
    own.load(null, null);
    own.setKeyEntry(
        ALIAS,
        credential.key(),
        PASSWORD.toCharArray(),
        credential.chain().toArray(Certificate[]::new));
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    CertificateFactory x509 = CertificateFactory.getInstance("X.509");
    try (InputStream in = Files.newInputStream(folder.resolve("ca.pem"))) {
      int count = 0;
      for (Certificate authority : x509.generateCertificates(in)) {
        trusted.setCertificateEntry("authority-" + count++, authority);
      }
    }
    Path lists = folder.resolve("crl.pem");
    if (!Files.exists(lists)) {
      return new RelayKeys(own, trusted, java.util.List.of());
    }
    try (InputStream in = Files.newInputStream(lists)) {
      return new RelayKeys(own, trusted, x509.generateCRLs(in));
    }
  }

  boolean revocation() {
    return !revoked.isEmpty();
  }

  Crypto crypto() {
    var crypto = new Merlin();
    crypto.setKeyStore(own);
    crypto.setTrustStore(trusted);
    if (revocation()) {
      try {
        crypto.setCRLCertStore(
            CertStore.getInstance("Collection", new CollectionCertStoreParameters(revoked)));
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    }
    return crypto;
  }

  SSLContext tls() throws GeneralSecurityException {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(own, PASSWORD.toCharArray());
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }
}
