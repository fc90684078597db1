package dev.staithe.gateway.wss;

import dev.staithe.pki.Credential;
import dev.staithe.pki.grid.ClientChainValidator;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.Surroundings;
import dev.staithe.xml.Elements;
import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Finds the certificates that a message brings or names (WSS 1.1 X.509 token profile): those that
 * it brings, then our own, then those that are known here, which are asked for by an index and
 * never searched through.
 */
final class TreeCertificates {
  private static final String SUBJECT_KEY_IDENTIFIER = "2.5.29.14";
  private static final int MOST_OF_A_CHAIN = 10;

  /** The same as the streaming engine's. */
  private static final int MOST_OF_A_NAME = 4_096;

  /** Octets of a token, the same as the streaming engine's. */
  private static final int LONGEST = 128 << 10;

  private final Surroundings.Signers signers;
  private final Surroundings.Own own;
  private final List<Element> brought;
  private final Map<Element, TreeKey.OfCertificate> read = new IdentityHashMap<>();

  TreeCertificates(Surroundings.Signers signers, Surroundings.Own own, List<Element> brought) {
    this.signers = signers;
    this.own = own;
    this.brought = brought;
  }

  Credential own() {
    return own.get();
  }

  /**
   * The one of ours that a certificate is, or of those before that are still good to encrypt for.
   *
   * @return null where it is somebody else's
   */
  @Nullable Credential ours(X509Certificate certificate) {
    for (Credential each : ours()) {
      if (each.certificate().equals(certificate)) {
        return each;
      }
    }
    return null;
  }

  /** Whether a certificate is of a key of ours: a key may have several. */
  boolean isOfOurKey(X509Certificate certificate) {
    byte[] key = certificate.getPublicKey().getEncoded();
    return ours().stream()
        .anyMatch(each -> Arrays.equals(each.certificate().getPublicKey().getEncoded(), key));
  }

  private List<Credential> ours() {
    List<Credential> all = new ArrayList<>();
    all.add(own.get());
    all.addAll(own.former());
    return all;
  }

  /** What a {@code wsse:BinarySecurityToken} holds. */
  TreeKey.OfCertificate of(Element token) throws RefusedMessage {
    TreeKey.OfCertificate known = read.get(token);
    if (known == null) {
      known = new TreeKey.OfCertificate(chain(token));
      read.put(token, known);
    }
    return known;
  }

  /** By a name that stands for it. */
  TreeKey.OfCertificate by(Surroundings.Name name) throws RefusedMessage {
    for (Element token : brought) {
      TreeKey.OfCertificate held = of(token);
      if (matches(held.chain().getFirst(), name)) {
        return held;
      }
    }
    for (Credential each : ours()) {
      if (matches(each.certificate(), name)) {
        return new TreeKey.OfCertificate(List.of(each.certificate()));
      }
    }
    X509Certificate found = signers.find(name);
    if (found == null) {
      throw new RefusedMessage(Refusal.TOKEN, "a certificate that is not known here");
    }
    return new TreeKey.OfCertificate(List.of(found));
  }

  /** By issuer and serial number. */
  TreeKey.OfCertificate byIssuer(Element data) throws RefusedMessage {
    List<Element> parts = Elements.children(data);
    if (parts.size() != 1 || !Elements.is(parts.getFirst(), Namespaces.DS, "X509IssuerSerial")) {
      throw new RefusedMessage(Refusal.TOKEN, "a reference in a form that is not taken");
    }
    Element issuer = Elements.child(parts.getFirst(), Namespaces.DS, "X509IssuerName");
    Element serial = Elements.child(parts.getFirst(), Namespaces.DS, "X509SerialNumber");
    if (issuer == null || serial == null) {
      throw new RefusedMessage(Refusal.TOKEN, "an issuer or serial number is missing");
    }
    limit(parts.getFirst());
    String number = Elements.text(serial).strip();
    if (number.isEmpty() || number.length() > 64 || !number.matches("-?[0-9]+")) {
      throw new RefusedMessage(Refusal.TOKEN, "a serial number that is none");
    }
    return by(
        new Surroundings.Name.IssuerSerial(Elements.text(issuer).strip(), new BigInteger(number)));
  }

  /** The Java runtime reads names, and numbers, in the square of their length. */
  static void limit(Element naming) throws RefusedMessage {
    NodeList all = naming.getElementsByTagNameNS(Namespaces.DS, "*");
    for (int i = 0; i < all.getLength(); i++) {
      Element each = (Element) all.item(i);
      boolean read =
          each.getLocalName().equals("X509IssuerName")
              || each.getLocalName().equals("X509SerialNumber");
      if (read && Elements.text(each).length() > MOST_OF_A_NAME) {
        throw new RefusedMessage(Refusal.TOKEN, "an issuer or serial number that is too long");
      }
    }
  }

  /** Whose certificate a key was encrypted for, as its {@code ds:KeyInfo} names it. */
  X509Certificate recipient(Element keyInfo) throws RefusedMessage {
    Element reference = Elements.child(keyInfo, Namespaces.WSSE, "SecurityTokenReference");
    List<Element> parts =
        reference == null ? Elements.children(keyInfo) : Elements.children(reference);
    if (parts.size() != 1) {
      throw new RefusedMessage(Refusal.TOKEN, "a reference to other than one token");
    }
    Element part = parts.getFirst();
    if (Elements.is(part, Namespaces.DS, "X509Data")) {
      return byIssuer(part).chain().getFirst();
    }
    String type = Elements.attribute(part, "ValueType");
    if (Elements.is(part, Namespaces.WSSE, "KeyIdentifier")) {
      byte[] value = Octets.decode(part, Refusal.TOKEN);
      if (type.endsWith("#ThumbprintSHA1")) {
        return by(new Surroundings.Name.Thumbprint(value)).chain().getFirst();
      }
      if (type.endsWith("#X509SubjectKeyIdentifier")) {
        return by(new Surroundings.Name.KeyIdentifier(value)).chain().getFirst();
      }
    }
    if (Elements.is(part, Namespaces.WSSE, "Reference")) {
      String uri = Elements.attribute(part, "URI");
      for (Element token : brought) {
        if (uri.equals("#" + token.getAttributeNS(Namespaces.WSU, "Id"))) {
          return of(token).chain().getFirst();
        }
      }
    }
    throw new RefusedMessage(Refusal.TOKEN, "a key that is named in a way that is not taken");
  }

  private static boolean matches(X509Certificate certificate, Surroundings.Name name) {
    return switch (name) {
      case Surroundings.Name.Thumbprint(byte[] sha1) ->
          Arrays.equals(Octets.sha1(encoded(certificate)), sha1);
      case Surroundings.Name.KeyIdentifier(byte[] identifier) ->
          Arrays.equals(keyIdentifier(certificate), identifier);
      case Surroundings.Name.IssuerSerial(String issuer, BigInteger serial) ->
          certificate.getSerialNumber().equals(serial) && isNamed(certificate, issuer);
    };
  }

  private static boolean isNamed(X509Certificate certificate, String issuer) {
    try {
      return certificate.getIssuerX500Principal().equals(new X500Principal(issuer));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  static byte[] encoded(X509Certificate certificate) {
    try {
      return certificate.getEncoded();
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a certificate that was read cannot be written", e);
    }
  }

  /** The content of the extension; null without. */
  static byte @Nullable [] keyIdentifier(X509Certificate certificate) {
    byte[] extension = certificate.getExtensionValue(SUBJECT_KEY_IDENTIFIER);
    // An OCTET STRING in an OCTET STRING, both short.
    return extension == null || extension.length < 5 || extension[3] != extension.length - 4
        ? null
        : Arrays.copyOfRange(extension, 4, extension.length);
  }

  private static List<X509Certificate> chain(Element token) throws RefusedMessage {
    String type = Elements.attribute(token, "ValueType");
    byte[] octets = Octets.decode(token, Refusal.TOKEN);
    if (octets.length > LONGEST) {
      throw new RefusedMessage(Refusal.TOKEN, "a security token that is too long");
    }
    var in = new ByteArrayInputStream(octets);
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      List<X509Certificate> chain = new ArrayList<>();
      if (type.endsWith("#X509v3")) {
        chain.add((X509Certificate) factory.generateCertificate(in));
      } else if (type.endsWith("#X509PKIPathv1")) {
        for (var each : factory.generateCertPath(in, "PkiPath").getCertificates()) {
          chain.add((X509Certificate) each);
        }
      }
      if (chain.isEmpty() || chain.size() > MOST_OF_A_CHAIN || in.available() > 0) {
        throw new RefusedMessage(Refusal.TOKEN, "a security token of a kind that is not taken");
      }
      if (ClientChainValidator.costly(chain.getFirst())) {
        throw new RefusedMessage(Refusal.TOKEN, "a certificate whose key is too long");
      }
      return chain;
    } catch (CertificateException e) {
      throw new RefusedMessage(Refusal.TOKEN, "a certificate that cannot be read");
    }
  }
}
