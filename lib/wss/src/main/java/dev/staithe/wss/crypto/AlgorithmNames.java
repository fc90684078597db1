package dev.staithe.wss.crypto;

import dev.staithe.wss.Namespaces;
import dev.staithe.wss.policy.AlgorithmSuite;
import org.jspecify.annotations.Nullable;

/** What algorithms are called in XML and in Java, and which of them are taken. */
public final class AlgorithmNames {
  private static final String MORE = "http://www.w3.org/2001/04/xmldsig-more#";

  private AlgorithmNames() {}

  /** Java's name of a digest; null where it is none that is known. */
  public static @Nullable String digest(String uri) {
    return switch (uri) {
      case Namespaces.DS + "sha1" -> "SHA-1";
      case Namespaces.XENC + "sha256" -> "SHA-256";
      case MORE + "sha384" -> "SHA-384";
      case Namespaces.XENC + "sha512" -> "SHA-512";
      default -> null;
    };
  }

  /** Java's name of a MAC; null where it is none that is known. */
  public static @Nullable String mac(String uri) {
    return switch (uri) {
      case Namespaces.DS + "hmac-sha1" -> "HmacSHA1";
      case MORE + "hmac-sha256" -> "HmacSHA256";
      case MORE + "hmac-sha384" -> "HmacSHA384";
      case MORE + "hmac-sha512" -> "HmacSHA512";
      default -> null;
    };
  }

  /** Java's name of a signature; null where it is none that is known. */
  public static @Nullable String signature(String uri) {
    return switch (uri) {
      case Namespaces.DS + "rsa-sha1" -> "SHA1withRSA";
      case MORE + "rsa-sha256" -> "SHA256withRSA";
      case MORE + "rsa-sha384" -> "SHA384withRSA";
      case MORE + "rsa-sha512" -> "SHA512withRSA";
      case MORE + "ecdsa-sha1" -> "SHA1withECDSA";
      case MORE + "ecdsa-sha256" -> "SHA256withECDSA";
      case MORE + "ecdsa-sha384" -> "SHA384withECDSA";
      case MORE + "ecdsa-sha512" -> "SHA512withECDSA";
      default -> null;
    };
  }

  /** The signature that a suite prescribes for a kind of key. */
  public static String signature(AlgorithmSuite suite, boolean elliptic) {
    String rsa = suite.asymmetricSignature();
    return elliptic ? MORE + "ecdsa-" + rsa.substring(rsa.lastIndexOf('-') + 1) : rsa;
  }

  /** Whether an encryption also authenticates; otherwise it is in blocks (CBC). */
  public static boolean isGcm(String uri) {
    return uri.endsWith("-gcm");
  }

  /** The hash of OAEP; null where it is none that is known. */
  public static @Nullable String oaepDigest(@Nullable String uri) {
    return uri == null || uri.isEmpty() ? "SHA-1" : digest(uri);
  }

  /** The mask's hash of OAEP; null where it is none that is known. */
  public static @Nullable String mask(@Nullable String uri) {
    if (uri == null || uri.isEmpty()) {
      return "SHA-1";
    }
    return switch (uri) {
      case Namespaces.XENC11 + "mgf1sha1" -> "SHA-1";
      case Namespaces.XENC11 + "mgf1sha256" -> "SHA-256";
      case Namespaces.XENC11 + "mgf1sha384" -> "SHA-384";
      case Namespaces.XENC11 + "mgf1sha512" -> "SHA-512";
      default -> null;
    };
  }
}
