package dev.staithe.pki;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A private key and its certificates, the key's own first. The two are known to belong together.
 *
 * @param key an RSA or EC key
 * @param chain at least one certificate; each is expected to be issued by the next
 */
public record Credential(PrivateKey key, List<X509Certificate> chain) {
  /**
   * Checks that the first certificate is the key's.
   *
   * @throws IllegalArgumentException where it is not
   */
  public Credential {
    chain = List.copyOf(chain);
    if (chain.isEmpty()) {
      throw new IllegalArgumentException("a credential needs at least one certificate");
    }
    if (!matches(key, chain.getFirst().getPublicKey())) {
      throw new IllegalArgumentException("the private key is not that of the first certificate");
    }
  }

  /**
   * Reads a credential from its two files, which may be the same one.
   *
   * @throws PemException where a file cannot be read or the two do not belong together
   */
  public static Credential read(Path certificateFile, Path keyFile) throws PemException {
    List<X509Certificate> chain = Pem.readCertificates(certificateFile);
    PrivateKey key = Pem.readPrivateKey(keyFile);
    try {
      return new Credential(key, chain);
    } catch (IllegalArgumentException e) {
      throw new PemException(
          keyFile + " is not the private key of the first certificate in " + certificateFile);
    }
  }

  /**
   * Writes the key and then the chain, each file replaced in one step: where that is cut off, no
   * new certificate is there without its key.
   */
  public void write(Path certificateFile, Path keyFile) throws IOException {
    Pem.writePrivateKey(keyFile, key);
    Pem.writeCertificates(certificateFile, chain);
  }

  /** The certificate of the key. */
  public X509Certificate certificate() {
    return chain.getFirst();
  }

  /** Names the certificate only. */
  @Override
  public String toString() {
    return "Credential[" + certificate().getSubjectX500Principal().getName() + "]";
  }

  private static boolean matches(PrivateKey key, PublicKey publicKey) {
    if (!key.getAlgorithm().equals(publicKey.getAlgorithm())) {
      return false;
    }
    String algorithm = key.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256withRSA";
    byte[] probe = {1, 2, 3, 4};
    try {
      var signer = Signature.getInstance(algorithm);
      signer.initSign(key);
      signer.update(probe);
      byte[] signature = signer.sign();
      var verifier = Signature.getInstance(algorithm);
      verifier.initVerify(publicKey);
      verifier.update(probe);
      return verifier.verify(signature);
    } catch (GeneralSecurityException e) {
      // For instance a signature of another curve's length: not a pair.
      return false;
    }
  }
}
