package dev.staithe.pki.ca;

import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import java.math.BigInteger;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Signs certificates with a key that may not. */
public final class RogueIssuer {
  private RogueIssuer() {}

  public static X509Certificate sign(Credential signer, String host, Instant now) {
    KeyPair keys = KeyKind.EC_P256.generate();
    try {
      return new JcaX509CertificateConverter()
          .getCertificate(
              new JcaX509v3CertificateBuilder(
                      signer.certificate().getSubjectX500Principal(),
                      BigInteger.TWO,
                      Date.from(now.minus(Duration.ofDays(1))),
                      Date.from(now.plus(Duration.ofDays(1))),
                      new X500Principal("CN=" + host),
                      keys.getPublic())
                  .build(new JcaContentSignerBuilder("SHA256withECDSA").build(signer.key())));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
