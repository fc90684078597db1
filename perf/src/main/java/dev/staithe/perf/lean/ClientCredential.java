package dev.staithe.perf.lean;

import dev.staithe.pki.Credential;
import dev.staithe.pki.Pem;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The client's end of TLS with a certificate of its own, which the lean client's usual one lacks;
 * by the JDK. Immutable.
 */
public final class ClientCredential {
  private static final char[] NO_PASSWORD = {};

  private final TrustManager[] trust;
  private final KeyManager[] keys;

  private ClientCredential(TrustManager[] trust, KeyManager[] keys) {
    this.trust = trust;
    this.keys = keys;
  }

  /**
   * Reads both files.
   *
   * @param authority of servers, PEM
   * @param credential key and certificates, PEM; empty for none
   */
  public static ClientCredential read(Path authority, String credential) throws IOException {
    try {
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, NO_PASSWORD);
      int number = 0;
      for (X509Certificate each : Pem.readCertificates(authority)) {
        trusted.setCertificateEntry("authority-" + number++, each);
      }
      var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      return new ClientCredential(trust.getTrustManagers(), keys(credential).getKeyManagers());
    } catch (GeneralSecurityException e) {
      throw new IOException("no credential: " + e.getMessage(), e);
    }
  }

  /**
   * What shows a certificate.
   *
   * @param credential key and certificates, PEM; empty for none
   */
  public static KeyManagerFactory keys(String credential) throws IOException {
    Path file = Path.of(credential);
    return keys(credential.isEmpty() ? null : Credential.read(file, file));
  }

  /** What shows one that was read; nothing for none. */
  public static KeyManagerFactory keys(@Nullable Credential credential) throws IOException {
    try {
      var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(credential == null ? null : own(credential), NO_PASSWORD);
      return keys;
    } catch (GeneralSecurityException e) {
      throw new IOException("no credential: " + e.getMessage(), e);
    }
  }

  private static KeyStore own(Credential credential) throws IOException, GeneralSecurityException {
    KeyStore own = KeyStore.getInstance("PKCS12");
    own.load(null, NO_PASSWORD);
    own.setKeyEntry(
        "own", credential.key(), NO_PASSWORD, credential.chain().toArray(X509Certificate[]::new));
    return own;
  }

  /** A context that knows no session of another one: nothing is resumed. */
  SSLContext newContext() throws IOException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys, trust, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("no TLS: " + e.getMessage(), e);
    }
  }
}
