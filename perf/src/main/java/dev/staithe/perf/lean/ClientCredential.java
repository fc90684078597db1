package dev.staithe.perf.lean;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * The client's end of TLS with a certificate of its own, which the lean client's usual one lacks;
 * by the JDK. Immutable.
 */
public final class ClientCredential {
  private static final Pattern KEY =
      Pattern.compile("(?s)-----BEGIN PRIVATE KEY-----(.*?)-----END PRIVATE KEY-----");
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
      for (Certificate each : certificates(Files.readString(authority))) {
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
    try {
      var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(credential.isEmpty() ? null : own(Path.of(credential)), NO_PASSWORD);
      return keys;
    } catch (GeneralSecurityException e) {
      throw new IOException("no credential: " + e.getMessage(), e);
    }
  }

  private static KeyStore own(Path file) throws IOException, GeneralSecurityException {
    String text = Files.readString(file);
    Matcher key = KEY.matcher(text);
    if (!key.find()) {
      throw new IOException(file.getFileName() + " holds no key");
    }
    var encoded = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(key.group(1)));
    Certificate[] chain = certificates(text).toArray(Certificate[]::new);
    if (chain.length == 0) {
      throw new IOException(file.getFileName() + " holds no certificate");
    }
    PrivateKey read =
        KeyFactory.getInstance(chain[0].getPublicKey().getAlgorithm()).generatePrivate(encoded);
    KeyStore own = KeyStore.getInstance("PKCS12");
    own.load(null, NO_PASSWORD);
    own.setKeyEntry("own", read, NO_PASSWORD, chain);
    return own;
  }

  private static Collection<? extends Certificate> certificates(String pem)
      throws GeneralSecurityException {
    String only = KEY.matcher(pem).replaceAll("");
    return CertificateFactory.getInstance("X.509")
        .generateCertificates(
            new ByteArrayInputStream(only.strip().getBytes(StandardCharsets.US_ASCII)));
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
