package dev.staithe.pki;

import java.io.IOException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/**
 * A new key with the request for its certificate (PKCS#10, RFC 2986). The request asks for no
 * extension and usually for no name: both come from whoever issues.
 *
 * @param pem the request, signed with the key
 */
public record RequestedKey(PrivateKey key, PublicKey publicKey, String pem) {
  /** Makes a key and signs its request. */
  public static RequestedKey make(KeyKind kind) {
    return of(kind.generate(), new X500Principal(""));
  }

  /**
   * The same with a subject, for those who think that a request without one is broken.
   *
   * @param commonName becomes the whole subject, such as {@code proxy}; letters, digits and spaces
   */
  public static RequestedKey make(KeyKind kind, String commonName) {
    return of(kind.generate(), commonName);
  }

  /**
   * Signs the request for keys that were made elsewhere.
   *
   * @param keys RSA or EC
   * @param commonName becomes the whole subject, such as {@code proxy}; letters, digits and spaces
   */
  public static RequestedKey of(KeyPair keys, String commonName) {
    if (!commonName.matches("[A-Za-z0-9]([A-Za-z0-9 ]*[A-Za-z0-9])?")) {
      throw new IllegalArgumentException("the name has letters, digits and spaces inside only");
    }
    return of(keys, new X500Principal("CN=" + commonName));
  }

  private static RequestedKey of(KeyPair keys, X500Principal subject) {
    try {
      PKCS10CertificationRequest request =
          new JcaPKCS10CertificationRequestBuilder(subject, keys.getPublic())
              .build(
                  new JcaContentSignerBuilder(
                          keys.getPrivate().getAlgorithm().equals("EC")
                              ? "SHA256withECDSA"
                              : "SHA256withRSA")
                      .build(keys.getPrivate()));
      return new RequestedKey(
          keys.getPrivate(),
          keys.getPublic(),
          Pem.block("CERTIFICATE REQUEST", request.getEncoded()));
    } catch (OperatorCreationException | IOException e) {
      throw new IllegalStateException("this Java runtime cannot sign a request", e);
    }
  }

  /** Names the kind of key only. */
  @Override
  public String toString() {
    return "RequestedKey[" + publicKey.getAlgorithm() + "]";
  }
}
