package dev.staithe.pki.keys;

import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.Provider;
import java.security.Signature;
import org.conscrypt.Conscrypt;
import org.jspecify.annotations.Nullable;

/** The library that is fastest with RSA and elliptic curves, where it loads. */
final class FastKeys {
  /** Null where there is none but what the Java runtime has. */
  static final @Nullable Provider PROVIDER = load();

  private FastKeys() {}

  static KeyFactory factory(Provider provider, Key key) throws GeneralSecurityException {
    return KeyFactory.getInstance(key.getAlgorithm(), provider);
  }

  static Signature signature(String algorithm, @Nullable Provider provider)
      throws GeneralSecurityException {
    return provider == null
        ? Signature.getInstance(algorithm)
        : Signature.getInstance(algorithm, provider);
  }

  private static @Nullable Provider load() {
    try {
      Conscrypt.checkAvailability();
      return Conscrypt.newProviderBuilder().build();
    } catch (LinkageError e) {
      // The module tls says so when a service starts.
      return null;
    }
  }
}
