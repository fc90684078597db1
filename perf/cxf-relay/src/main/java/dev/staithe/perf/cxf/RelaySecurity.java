package dev.staithe.perf.cxf;

import java.util.HashMap;
import java.util.Map;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.CallbackHandler;
import org.apache.cxf.ws.security.SecurityConstants;
import org.apache.wss4j.common.crypto.Crypto;
import org.apache.wss4j.common.ext.WSPasswordCallback;

/** The properties by which CXF finds keys and algorithms. */
final class RelaySecurity {
  private static final long DAYS = 30L * 24 * 3600;

  private RelaySecurity() {}

  static Map<String, Object> properties(RelayKeys keys, boolean repeatable) {
    Crypto crypto = keys.crypto();
    CallbackHandler passwords = RelaySecurity::answer;
    Map<String, Object> properties = new HashMap<>(suite());
    for (String suffix : new String[] {"", ".sct"}) {
      properties.put(SecurityConstants.SIGNATURE_CRYPTO + suffix, crypto);
      properties.put(SecurityConstants.ENCRYPT_CRYPTO + suffix, crypto);
      properties.put(SecurityConstants.SIGNATURE_USERNAME + suffix, RelayKeys.ALIAS);
      properties.put(SecurityConstants.ENCRYPT_USERNAME + suffix, "useReqSigCert");
      properties.put(SecurityConstants.CALLBACK_HANDLER + suffix, passwords);
      properties.put(SecurityConstants.ENABLE_REVOCATION + suffix, "" + keys.revocation());
      if (repeatable) {
        properties.put(SecurityConstants.ENABLE_TIMESTAMP_CACHE + suffix, "false");
        properties.put(SecurityConstants.ENABLE_NONCE_CACHE + suffix, "false");
        properties.put(SecurityConstants.TIMESTAMP_TTL + suffix, "" + DAYS);
        properties.put(SecurityConstants.TIMESTAMP_FUTURE_TTL + suffix, "" + DAYS);
      }
    }
    return properties;
  }

  /**
   * What CXF's CustomAlgorithmSuite stands for beyond its defaults, which have SHA-256 and AES-GCM
   * but the signatures of 2005 and RSA 1.5. Its own suites with AES-GCM digest with SHA-1 and
   * cannot be told otherwise.
   */
  static Map<String, Object> suite() {
    return Map.of(
        SecurityConstants.CUSTOM_ALG_SUITE_ASYMMETRIC_SIGNATURE,
        "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
        SecurityConstants.CUSTOM_ALG_SUITE_SYMMETRIC_SIGNATURE,
        "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256",
        SecurityConstants.CUSTOM_ALG_SUITE_ASYMMETRIC_KEY_ENCRYPTION_ALGORITHM,
        "http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p");
  }

  private static void answer(Callback[] callbacks) {
    for (Callback callback : callbacks) {
      if (callback instanceof WSPasswordCallback asked
          && RelayKeys.ALIAS.equals(asked.getIdentifier())) {
        asked.setPassword(RelayKeys.PASSWORD);
      }
    }
  }
}
