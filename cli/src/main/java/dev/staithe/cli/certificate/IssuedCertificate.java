package dev.staithe.cli.certificate;

import dev.staithe.pki.AtomicFile;
import dev.staithe.pki.Credential;
import dev.staithe.pki.Pem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** A certificate as the service gave it, with its key: checked, and written to files. */
final class IssuedCertificate {
  /** As much may two clocks differ. */
  private static final Duration SKEW = Duration.ofMinutes(5);

  private final Credential credential;

  private IssuedCertificate(Credential credential) {
    this.credential = credential;
  }

  /**
   * Checks what came.
   *
   * @param key that was requested for
   * @param pem the certificate, then those above it
   * @param authority that the service says is its
   * @param wanted zero where the service chose
   * @throws IOException with one line where it is not what was asked for
   */
  static IssuedCertificate check(
      PrivateKey key, String pem, X509Certificate authority, Duration wanted, Instant now)
      throws IOException {
    List<X509Certificate> chain = Pem.parseCertificates(pem, "the service's answer");
    Credential credential;
    try {
      credential = new Credential(key, chain);
    } catch (IllegalArgumentException e) {
      throw new IOException("the service sent a certificate for another key: nothing was written");
    }
    for (int i = 0; i < chain.size(); i++) {
      // The authority itself is often left out of the chain: whoever trusts it has it.
      X509Certificate above = i + 1 < chain.size() ? chain.get(i + 1) : i == 0 ? authority : null;
      if (above != null && !issued(chain.get(i), above)) {
        throw new IOException(
            "the service sent a certificate that its authority did not sign: nothing was written");
      }
    }
    if (!issued(chain.getFirst(), authority)) {
      throw new IOException(
          "the service sent a certificate of another authority than its own: nothing was written");
    }
    X509Certificate own = chain.getFirst();
    Instant end = own.getNotAfter().toInstant();
    if (!end.isAfter(now) || own.getNotBefore().toInstant().isAfter(now.plus(SKEW))) {
      throw new IOException(
          "the certificate is valid from "
              + own.getNotBefore().toInstant()
              + " to "
              + end
              + ", which is not now: is the clock of this machine right?");
    }
    if (wanted.isPositive() && end.isAfter(now.plus(wanted).plus(SKEW))) {
      throw new IOException(
          "the certificate is valid until " + end + ", longer than asked: nothing was written");
    }
    return new IssuedCertificate(credential);
  }

  private static boolean issued(X509Certificate certificate, X509Certificate above) {
    try {
      certificate.verify(above.getPublicKey());
    } catch (GeneralSecurityException e) {
      return false;
    }
    return above.getBasicConstraints() >= 0
        && certificate.getIssuerX500Principal().equals(above.getSubjectX500Principal());
  }

  X509Certificate certificate() {
    return credential.certificate();
  }

  /**
   * One file that only its owner can read: certificate, key, authorities, as grid tools want it.
   */
  void write(Path file) throws IOException {
    CredentialFile.write(file, credential);
  }

  /**
   * Two files: the chain, and the key that only its owner can read. The chain is on the disk before
   * the key goes to its place: a new key beside the certificate of the one before is of no use.
   */
  void write(Path certificates, Path key) throws IOException {
    Path next = certificates.resolveSibling("." + UUID.randomUUID() + ".tmp");
    try {
      AtomicFile.requireReplaceable(certificates);
      Pem.writeCertificates(next, credential.chain());
    } catch (IOException e) {
      throw CredentialFile.unwritable(certificates, e);
    }
    try {
      CredentialFile.write(key, Pem.encode(credential.key()).getBytes(StandardCharsets.US_ASCII));
      Files.move(next, certificates, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(next);
    }
  }

  /** PKCS#12 (RFC 7292), as browsers import it. */
  void writePkcs12(Path file, char[] password) throws IOException {
    try {
      var store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry(
          certificate().getSubjectX500Principal().getName(),
          credential.key(),
          password,
          credential.chain().toArray(X509Certificate[]::new));
      var bytes = new ByteArrayOutputStream();
      store.store(bytes, password);
      CredentialFile.write(file, bytes.toByteArray());
    } catch (GeneralSecurityException e) {
      throw new IOException("this Java runtime cannot write PKCS#12", e);
    }
  }
}
