package dev.staithe.wss.policy;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;

/**
 * The suites that policies name: the sixteen of WS-SecurityPolicy 1.2 section 6.1, those that CXF
 * adds in a namespace of its own, and two of ours.
 *
 * <p>Every suite of the standard signs with RSA-SHA1 or HMAC-SHA1, even those whose names end in
 * {@code Sha256}: that is the digest of references.
 */
final class AlgorithmSuites {
  /** The namespace of CXF's own suites. */
  static final String CXF = "http://cxf.apache.org/custom/security-policy";

  /** The namespace of our own assertions. */
  static final String OWN = "urn:staithe:policy";

  private static final Map<String, AlgorithmSuite> STANDARD = standard();

  /** {@code Basic128} of the standard: SHA-1 and CBC. */
  public static final AlgorithmSuite BASIC_128 = named("Basic128");

  /**
   * CXF's {@code CustomAlgorithmSuite}, with the values that CXF gives it where nothing else is
   * configured, but for key transport, where that is RSA 1.5: SHA-256, RSA-SHA256, HMAC-SHA256,
   * AES-256-GCM and RSA-OAEP. A document cannot say other values.
   */
  public static final AlgorithmSuite MODERN =
      sha256("CustomAlgorithmSuite", Algorithms.AES256_GCM, 32, 24);

  private static final Map<String, AlgorithmSuite> OF_CXF =
      Map.of(
          "Basic128GCM", gcm("Basic128GCM", Algorithms.AES128_GCM, 16, 16),
          "Basic192GCM", gcm("Basic192GCM", Algorithms.AES192_GCM, 24, 24),
          "Basic256GCM", gcm("Basic256GCM", Algorithms.AES256_GCM, 32, 24),
          "CustomAlgorithmSuite", MODERN);

  private static final Map<String, AlgorithmSuite> OF_OURS =
      Map.of(
          "Basic128GcmSha256", sha256("Basic128GcmSha256", Algorithms.AES128_GCM, 16, 16),
          "Basic256GcmSha256", sha256("Basic256GcmSha256", Algorithms.AES256_GCM, 32, 24));

  private AlgorithmSuites() {}

  /**
   * The suite that an assertion names.
   *
   * @param securityPolicy the namespace of the document's own assertions
   * @return null where no suite has that name
   */
  static @Nullable AlgorithmSuite of(QName assertion, String securityPolicy) {
    String name = assertion.getLocalPart();
    return switch (assertion.getNamespaceURI()) {
      case CXF -> OF_CXF.get(name);
      case OWN -> OF_OURS.get(name);
      case String it when it.equals(securityPolicy) -> STANDARD.get(name);
      default -> null;
    };
  }

  /** The names of the standard's suites. */
  static Set<String> standardNames() {
    return STANDARD.keySet();
  }

  private static AlgorithmSuite named(String name) {
    AlgorithmSuite suite = STANDARD.get(name);
    if (suite == null) {
      throw new IllegalStateException(name);
    }
    return suite;
  }

  private static Map<String, AlgorithmSuite> standard() {
    Map<String, AlgorithmSuite> all = new LinkedHashMap<>();
    for (String digest : new String[] {"", "Sha256"}) {
      for (String transport : new String[] {"", "Rsa15"}) {
        add(all, "Basic256" + digest + transport, Algorithms.AES256_CBC, 32, 24);
        add(all, "Basic192" + digest + transport, Algorithms.AES192_CBC, 24, 24);
        add(all, "Basic128" + digest + transport, Algorithms.AES128_CBC, 16, 16);
        add(all, "TripleDes" + digest + transport, Algorithms.TRIPLE_DES, 24, 24);
      }
    }
    return all;
  }

  private static void add(
      Map<String, AlgorithmSuite> all, String name, String encryption, int key, int signatureKey) {
    all.put(
        name,
        new AlgorithmSuite(
            name,
            name.contains("Sha256") ? Algorithms.SHA256 : Algorithms.SHA1,
            Algorithms.RSA_SHA1,
            Algorithms.HMAC_SHA1,
            encryption,
            name.endsWith("Rsa15") ? Algorithms.RSA_1_5 : Algorithms.RSA_OAEP_MGF1P,
            key,
            signatureKey));
  }

  private static AlgorithmSuite gcm(String name, String encryption, int key, int signatureKey) {
    return new AlgorithmSuite(
        name,
        Algorithms.SHA1,
        Algorithms.RSA_SHA1,
        Algorithms.HMAC_SHA1,
        encryption,
        Algorithms.RSA_OAEP_MGF1P,
        key,
        signatureKey);
  }

  private static AlgorithmSuite sha256(String name, String encryption, int key, int signatureKey) {
    return new AlgorithmSuite(
        name,
        Algorithms.SHA256,
        Algorithms.RSA_SHA256,
        Algorithms.HMAC_SHA256,
        encryption,
        Algorithms.RSA_OAEP_MGF1P,
        key,
        signatureKey);
  }
}
