package dev.staithe.slcs.issue;

import dev.staithe.pki.DistinguishedName;
import dev.staithe.slcs.session.CampusIdentity;
import dev.staithe.xml.XmlText;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a person as a certificate carries them: an assertion of SAML 2.0 of our own,
 * about the certificate's subject, with a few attributes and no signature, because that of the
 * certificate covers it. What the identity provider sent is not repeated: it is for us alone, and
 * large. Thread-safe.
 */
final class SamlStatement {
  /** More than this does not fit what servers take in a handshake. */
  static final int MOST_BYTES = 8 * 1024;

  private static final SecureRandom RANDOM = new SecureRandom();

  /** MACE-Dir's names (eduPerson, RFC 4519, RFC 4524, SCHAC). */
  private static final Map<String, String> NAMES =
      Map.ofEntries(
          Map.entry("eduPersonPrincipalName", "urn:oid:1.3.6.1.4.1.5923.1.1.1.6"),
          Map.entry("eduPersonAffiliation", "urn:oid:1.3.6.1.4.1.5923.1.1.1.1"),
          Map.entry("eduPersonScopedAffiliation", "urn:oid:1.3.6.1.4.1.5923.1.1.1.9"),
          Map.entry("eduPersonEntitlement", "urn:oid:1.3.6.1.4.1.5923.1.1.1.7"),
          Map.entry("eduPersonTargetedID", "urn:oid:1.3.6.1.4.1.5923.1.1.1.10"),
          Map.entry("eduPersonAssurance", "urn:oid:1.3.6.1.4.1.5923.1.1.1.11"),
          Map.entry("eduPersonUniqueId", "urn:oid:1.3.6.1.4.1.5923.1.1.1.13"),
          Map.entry("subject-id", "urn:oasis:names:tc:SAML:attribute:subject-id"),
          Map.entry("pairwise-id", "urn:oasis:names:tc:SAML:attribute:pairwise-id"),
          Map.entry("mail", "urn:oid:0.9.2342.19200300.100.1.3"),
          Map.entry("uid", "urn:oid:0.9.2342.19200300.100.1.1"),
          Map.entry("displayName", "urn:oid:2.16.840.1.113730.3.1.241"),
          Map.entry("givenName", "urn:oid:2.5.4.42"),
          Map.entry("sn", "urn:oid:2.5.4.4"),
          Map.entry("cn", "urn:oid:2.5.4.3"),
          Map.entry("schacHomeOrganization", "urn:oid:1.3.6.1.4.1.25178.1.2.9"));

  private final String issuer;
  private final List<String> attributes;

  /**
   * @param issuer who says so: this service
   * @param attributes by friendly name
   */
  SamlStatement(String issuer, List<String> attributes) {
    this.issuer = issuer;
    this.attributes = List.copyOf(attributes);
  }

  /**
   * The statement about somebody, UTF-8.
   *
   * @return null where none of the attributes is told. One that does not fit with all its values is
   *     left out as a whole: half of somebody's entitlements would be wrong
   */
  byte @Nullable [] about(CampusIdentity who, DistinguishedName subject, Instant now) {
    String head = head(who, subject, now);
    String tail = "</saml:AttributeStatement></saml:Assertion>";
    var statement = new StringBuilder(head);
    int bytes = bytes(head) + bytes(tail);
    for (String attribute : attributes) {
      String text = attribute(attribute, who.all(attribute));
      int more = bytes(text);
      if (more > 0 && bytes + more <= MOST_BYTES) {
        statement.append(text);
        bytes += more;
      }
    }
    return statement.length() == head.length()
        ? null
        : statement.append(tail).toString().getBytes(StandardCharsets.UTF_8);
  }

  private String head(CampusIdentity who, DistinguishedName subject, Instant now) {
    byte[] id = new byte[16];
    RANDOM.nextBytes(id);
    return "<saml:Assertion xmlns:saml=\"urn:oasis:names:tc:SAML:2.0:assertion\" ID=\"_"
        + HexFormat.of().formatHex(id)
        + "\" IssueInstant=\""
        + now.truncatedTo(ChronoUnit.SECONDS)
        + "\" Version=\"2.0\"><saml:Issuer>"
        + XmlText.escape(issuer)
        + "</saml:Issuer><saml:Subject><saml:NameID"
        + " Format=\"urn:oasis:names:tc:SAML:1.1:nameid-format:X509SubjectName\">"
        + XmlText.escape(subject.rfc4514())
        + "</saml:NameID></saml:Subject><saml:AuthnStatement AuthnInstant=\""
        + who.authenticated().truncatedTo(ChronoUnit.SECONDS)
        + "\"><saml:AuthnContext><saml:AuthnContextClassRef>"
        + XmlText.escape(who.authenticationContext())
        + "</saml:AuthnContextClassRef><saml:AuthenticatingAuthority>"
        + XmlText.escape(who.provider())
        + "</saml:AuthenticatingAuthority></saml:AuthnContext></saml:AuthnStatement>"
        + "<saml:AttributeStatement>";
  }

  private static String attribute(String friendly, List<String> values) {
    if (values.isEmpty()) {
      return "";
    }
    var text = new StringBuilder("<saml:Attribute Name=\"");
    text.append(XmlText.escapeAttribute(NAMES.getOrDefault(friendly, friendly)));
    text.append(
        "\" NameFormat=\"urn:oasis:names:tc:SAML:2.0:attrname-format:uri\" FriendlyName=\"");
    text.append(XmlText.escapeAttribute(friendly)).append("\">");
    for (String value : values) {
      text.append("<saml:AttributeValue>");
      XmlText.appendEscaped(text, value);
      text.append("</saml:AttributeValue>");
    }
    return text.append("</saml:Attribute>").toString();
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
