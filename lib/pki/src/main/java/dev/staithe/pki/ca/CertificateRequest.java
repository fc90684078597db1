package dev.staithe.pki.ca;

import dev.staithe.pki.KeyRules;
import java.security.PublicKey;
import java.util.Arrays;
import java.util.List;

/**
 * What came of reading a request for a certificate (PKCS#10, RFC 2986). Only the public key of one
 * that is accepted goes into a certificate; the name and the extensions it asks for are told, not
 * granted.
 */
public sealed interface CertificateRequest {
  /** Longer requests are refused unread: 16 KiB hold an RSA key of 8192 bits ten times over. */
  int MAX_BYTES = 16 * 1024;

  /**
   * Signed with the key it names, which is one that may have a certificate.
   *
   * @param subject the name it asks for, in the form of RFC 2253, cut at 256 characters; may be
   *     empty
   * @param extensions those it asks for, none of them harmful
   */
  record Accepted(PublicKey key, String subject, List<Requested> extensions)
      implements CertificateRequest {
    /** Copies the list. */
    public Accepted {
      extensions = List.copyOf(extensions);
    }
  }

  /**
   * Not to be answered with a certificate.
   *
   * @param line why, one line without anything that the request says
   */
  record Refused(String line) implements CertificateRequest {}

  /**
   * An extension that a request asks for.
   *
   * @param oid its identifier in dots
   * @param value the DER inside the extension
   */
  record Requested(String oid, boolean critical, byte[] value) {
    /** Copies the value. */
    public Requested {
      value = value.clone();
    }

    @Override
    public byte[] value() {
      return value.clone();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Requested that
          && oid.equals(that.oid)
          && critical == that.critical
          && Arrays.equals(value, that.value);
    }

    @Override
    public int hashCode() {
      return oid.hashCode() * 31 + Arrays.hashCode(value);
    }

    @Override
    public String toString() {
      return "Requested[" + oid + "]";
    }
  }

  /**
   * Reads a request and judges it.
   *
   * @param bytes PEM (RFC 7468, either label), bare Base64 or DER
   */
  static CertificateRequest read(byte[] bytes, KeyRules rules) {
    return read(bytes, rules, List.of());
  }

  /**
   * Reads a request and judges it.
   *
   * @param mandated extensions that it may ask for though others are refused for less: those that
   *     the certificate will have anyway
   */
  static CertificateRequest read(byte[] bytes, KeyRules rules, List<Requested> mandated) {
    return new RequestReader(rules, mandated).read(bytes);
  }
}
