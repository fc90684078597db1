package dev.staithe.perf.scenario;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;

/** Makes Gatling, whose settings know key stores only, trust the certificates of a PEM file. */
final class Trust {
  /** Java wants one; what it would guard are public certificates. */
  private static final String PASSWORD = "public";

  private Trust() {}

  /**
   * Makes the certificates of a file the only ones that this JVM trusts from now on. Gatling makes
   * its TLS contexts after the simulation, so a simulation's constructor is early enough.
   *
   * @throws IllegalArgumentException where the file cannot be read or holds no certificate
   */
  static void only(Path pem) {
    try {
      Path store = Files.createTempFile("trust", ".p12");
      store.toFile().deleteOnExit();
      write(pem, store);
      System.setProperty("javax.net.ssl.trustStore", store.toString());
      System.setProperty("javax.net.ssl.trustStoreType", "PKCS12");
      System.setProperty("javax.net.ssl.trustStorePassword", PASSWORD);
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalArgumentException("perf.ca: no certificates can be read from " + pem, e);
    }
  }

  private static void write(Path pem, Path store) throws IOException, GeneralSecurityException {
    KeyStore anchors = KeyStore.getInstance("PKCS12");
    anchors.load(null, null);
    try (InputStream in = Files.newInputStream(pem)) {
      Collection<? extends Certificate> read =
          CertificateFactory.getInstance("X.509").generateCertificates(in);
      if (read.isEmpty()) {
        throw new IOException("no certificate");
      }
      for (Certificate certificate : read) {
        anchors.setCertificateEntry("authority-" + anchors.size(), certificate);
      }
    }
    try (OutputStream out = Files.newOutputStream(store)) {
      anchors.store(out, PASSWORD.toCharArray());
    }
  }
}
