package dev.staithe.pki;

import dev.staithe.pki.keys.RsaKeys;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;

/** The kinds of key that a certificate issuer makes. */
public enum KeyKind {
  /** NIST P-256: the default, the cheapest handshake. */
  EC_P256 {
    @Override
    public KeyPair generate() {
      try {
        var generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("this Java runtime cannot make keys on P-256", e);
      }
    }
  },
  /** RSA of 2048 bits, for peers that know no elliptic curves. */
  RSA_2048 {
    @Override
    public KeyPair generate() {
      return RsaKeys.make(2048);
    }
  },
  /** RSA of 3072 bits: 128 bits of strength, as P-256 has. */
  RSA_3072 {
    @Override
    public KeyPair generate() {
      return RsaKeys.make(3072);
    }
  };

  public abstract KeyPair generate();
}
