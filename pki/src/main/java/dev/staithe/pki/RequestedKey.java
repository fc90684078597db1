package dev.staithe.pki;

import java.io.IOException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/**
 * A new key with the request for its certificate (PKCS#10, RFC 2986). The request asks for no name
 * and no extension: both come from whoever issues.
 *
 * @param pem the request, signed with the key
 */
public record RequestedKey(PrivateKey key, PublicKey publicKey, String pem) {
  private static final SecureRandom RANDOM = new SecureRandom();

  /** Makes a key and signs its request; an RSA key takes up to a second. */
  public static RequestedKey make(KeyKind kind) {
    KeyPair keys = kind.generate(RANDOM);
    try {
      PKCS10CertificationRequest request =
          new JcaPKCS10CertificationRequestBuilder(new X500Principal(""), keys.getPublic())
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
