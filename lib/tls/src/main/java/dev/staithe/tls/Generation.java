package dev.staithe.tls;

import java.security.GeneralSecurityException;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/**
 * A context made from one reading of the files. A new reading makes a new context, and with it an
 * empty session cache and new ticket keys: no session can be resumed past a change of certificate
 * or trust.
 */
record Generation(SSLContext context, CipherPolicy policy) {
  static Generation of(TlsProvider provider, KeyManager[] keys, TrustManager[] trust)
      throws GeneralSecurityException {
    SSLContext context = provider.newContext();
    context.init(keys, trust, null);
    return new Generation(context, CipherPolicy.of(context, provider.isConscrypt()));
  }
}
