package dev.staithe.wss.policy;

/** The URIs of algorithms in XML Signature 1.1 and XML Encryption 1.1 (also RFC 9231). */
public final class Algorithms {
  /** SHA-1. */
  public static final String SHA1 = "http://www.w3.org/2000/09/xmldsig#sha1";

  /** SHA-256. */
  public static final String SHA256 = "http://www.w3.org/2001/04/xmlenc#sha256";

  /** SHA-384. */
  public static final String SHA384 = "http://www.w3.org/2001/04/xmldsig-more#sha384";

  /** SHA-512. */
  public static final String SHA512 = "http://www.w3.org/2001/04/xmlenc#sha512";

  /** RSA PKCS#1 1.5 with SHA-1. */
  public static final String RSA_SHA1 = "http://www.w3.org/2000/09/xmldsig#rsa-sha1";

  /** RSA PKCS#1 1.5 with SHA-256. */
  public static final String RSA_SHA256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";

  /** RSA PKCS#1 1.5 with SHA-384. */
  public static final String RSA_SHA384 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha384";

  /** RSA PKCS#1 1.5 with SHA-512. */
  public static final String RSA_SHA512 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512";

  /** ECDSA with SHA-1. */
  public static final String ECDSA_SHA1 = "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha1";

  /** ECDSA with SHA-256. */
  public static final String ECDSA_SHA256 = "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256";

  /** ECDSA with SHA-384. */
  public static final String ECDSA_SHA384 = "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha384";

  /** ECDSA with SHA-512. */
  public static final String ECDSA_SHA512 = "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha512";

  /** HMAC with SHA-1. */
  public static final String HMAC_SHA1 = "http://www.w3.org/2000/09/xmldsig#hmac-sha1";

  /** HMAC with SHA-256. */
  public static final String HMAC_SHA256 = "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256";

  /** HMAC with SHA-384. */
  public static final String HMAC_SHA384 = "http://www.w3.org/2001/04/xmldsig-more#hmac-sha384";

  /** HMAC with SHA-512. */
  public static final String HMAC_SHA512 = "http://www.w3.org/2001/04/xmldsig-more#hmac-sha512";

  /** AES-CBC with a key of 16 bytes. */
  public static final String AES128_CBC = "http://www.w3.org/2001/04/xmlenc#aes128-cbc";

  /** AES-CBC with a key of 24 bytes. */
  public static final String AES192_CBC = "http://www.w3.org/2001/04/xmlenc#aes192-cbc";

  /** AES-CBC with a key of 32 bytes. */
  public static final String AES256_CBC = "http://www.w3.org/2001/04/xmlenc#aes256-cbc";

  /** AES-GCM with a key of 16 bytes. */
  public static final String AES128_GCM = "http://www.w3.org/2009/xmlenc11#aes128-gcm";

  /** AES-GCM with a key of 24 bytes. */
  public static final String AES192_GCM = "http://www.w3.org/2009/xmlenc11#aes192-gcm";

  /** AES-GCM with a key of 32 bytes. */
  public static final String AES256_GCM = "http://www.w3.org/2009/xmlenc11#aes256-gcm";

  /** RSA-OAEP whose mask is made with SHA-1 (XML Encryption 1.0). */
  public static final String RSA_OAEP_MGF1P = "http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p";

  /** RSA-OAEP that names its mask (XML Encryption 1.1). */
  public static final String RSA_OAEP = "http://www.w3.org/2009/xmlenc11#rsa-oaep";

  /** Triple DES: known, and taken by no list. */
  static final String TRIPLE_DES = "http://www.w3.org/2001/04/xmlenc#tripledes-cbc";

  /** Key transport of RSA 1.5: known, and taken by no list. */
  static final String RSA_1_5 = "http://www.w3.org/2001/04/xmlenc#rsa-1_5";

  private Algorithms() {}
}
