package dev.staithe.authn.keys;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import dev.staithe.pki.keys.RsaKeys;
import java.security.KeyPair;
import java.security.interfaces.RSAPublicKey;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;

/** How tokens are signed: what the WLCG profile asks services to verify (section 4.2). */
public enum KeyAlgorithm {
  /** RSA with 2048 bits: cheap to verify everywhere. */
  RS256(SignatureAlgorithm.RS256),
  /** ECDSA on P-256: short. */
  ES256(SignatureAlgorithm.ES256);

  private static final int RSA_BITS = 2048;

  private final SignatureAlgorithm jws;

  KeyAlgorithm(SignatureAlgorithm jws) {
    this.jws = jws;
  }

  public SignatureAlgorithm jws() {
    return jws;
  }

  /** A new key; its id is its thumbprint (RFC 7638). */
  JWK generate() {
    try {
      return switch (this) {
        case RS256 -> {
          KeyPair made = RsaKeys.make(RSA_BITS);
          yield new RSAKey.Builder((RSAPublicKey) made.getPublic())
              .privateKey(made.getPrivate())
              .keyUse(KeyUse.SIGNATURE)
              .algorithm(JWSAlgorithm.RS256)
              .keyIDFromThumbprint()
              .build();
        }
        case ES256 ->
            new ECKeyGenerator(Curve.P_256)
                .keyUse(KeyUse.SIGNATURE)
                .algorithm(JWSAlgorithm.ES256)
                .keyIDFromThumbprint(true)
                .generate();
      };
    } catch (JOSEException e) {
      throw new IllegalStateException("this Java makes no key for " + this, e);
    }
  }
}
