package dev.staithe.pki.ca;

import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.KeyRules;
import java.security.PublicKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.jspecify.annotations.Nullable;

/**
 * What a person's short-lived certificate shall say; all of it is known to be true.
 *
 * @param key of the kind that {@link KeyRules} let pass
 * @param lifetime from now on, positive and at most {@link #LONGEST}; cut at the end of the
 *     authority's own
 * @param mail the person's addresses, for the subject alternative name; ASCII only
 * @param saml the bytes of SAML attributes, for the extension {@value #SAML_OID}, or null
 * @param attributes one extension each: identifier in dots to text
 */
public record PersonCertificateRequest(
    DistinguishedName subject,
    PublicKey key,
    Duration lifetime,
    List<String> mail,
    byte @Nullable [] saml,
    Map<String, String> attributes) {
  /** The most that the IGTF's profile of short-lived credential services allows: 1,000,000 s. */
  public static final Duration LONGEST = Duration.ofSeconds(1_000_000);

  /** GridShib's extension: an OCTET STRING of SAML inside the extension's own. */
  public static final String SAML_OID = "1.3.6.1.4.1.3536.1.1.1.12";

  /** CILogon's extension for eduPersonPrincipalName. */
  public static final String EPPN_OID = "1.3.6.1.4.1.5923.1.1.1.6";

  /** Larger attribute statements do not fit what servers take in a handshake. */
  private static final int MOST_SAML_BYTES = 12 * 1024;

  /** RFC 5321 §4.5.3.1. */
  private static final int LONGEST_MAIL = 254;

  private static final Pattern MAIL =
      Pattern.compile("[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*");

  /** Checks the values. */
  public PersonCertificateRequest {
    mail = List.copyOf(mail);
    attributes = Map.copyOf(attributes);
    saml = saml == null ? null : saml.clone();
    if (!lifetime.isPositive() || lifetime.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "the lifetime of a person's certificate is 1 to " + LONGEST.toSeconds() + " seconds");
    }
    if (!mail.stream().allMatch(PersonCertificateRequest::isMail)) {
      throw new IllegalArgumentException("not a mail address for a certificate");
    }
    if (saml != null && saml.length > MOST_SAML_BYTES) {
      throw new IllegalArgumentException(
          "SAML attributes in a certificate have at most " + MOST_SAML_BYTES + " bytes");
    }
    for (String oid : attributes.keySet()) {
      if (ASN1ObjectIdentifier.tryFromID(oid) == null) {
        throw new IllegalArgumentException("an extension is an identifier in dots: " + oid);
      }
    }
  }

  /** A request without attributes. */
  public static PersonCertificateRequest of(
      DistinguishedName subject, PublicKey key, Duration lifetime) {
    return new PersonCertificateRequest(subject, key, lifetime, List.of(), null, Map.of());
  }

  /** Whether a text can stand as a mail address in a certificate (RFC 5280 §4.2.1.6). */
  public static boolean isMail(String text) {
    return text.length() <= LONGEST_MAIL && MAIL.matcher(text).matches();
  }

  @Override
  public byte @Nullable [] saml() {
    return saml == null ? null : saml.clone();
  }
}
