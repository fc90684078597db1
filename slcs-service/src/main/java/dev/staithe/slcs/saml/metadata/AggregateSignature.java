package dev.staithe.slcs.saml.metadata;

import dev.staithe.xml.CanonicalForm;
import dev.staithe.xml.Elements;
import dev.staithe.xml.Octets;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import dev.staithe.xml.XmlText;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.apache.xml.security.Init;
import org.apache.xml.security.exceptions.XMLSecurityException;
import org.apache.xml.security.signature.XMLSignature;
import org.w3c.dom.Element;

/**
 * Checks the signature of an aggregate while it passes by, so that thousands of entities are never
 * in memory at once: first the signature itself, which comes first in the root (SAML metadata
 * section 3.1), then the digest that it is of. Only the form that {@link SignatureForm} knows: one
 * reference to the root, enveloped, exclusive, strong algorithms.
 */
final class AggregateSignature {
  private static final int CHUNK = 32 * 1024;
  private static final String EXCLUSIVE = "http://www.w3.org/2001/10/xml-exc-c14n#";
  private static final Map<String, String> DIGESTS =
      Map.of(
          "http://www.w3.org/2001/04/xmlenc#sha256", "SHA-256",
          "http://www.w3.org/2001/04/xmldsig-more#sha384", "SHA-384",
          "http://www.w3.org/2001/04/xmlenc#sha512", "SHA-512");

  static {
    Init.init();
  }

  private AggregateSignature() {}

  /**
   * Checks that the root is signed by the key of that certificate.
   *
   * @throws IOException where it is not; the message goes on after the file's name
   */
  static void verify(Path file, XmlLimits limits, X509Certificate signer) throws IOException {
    try {
      Element signature = signature(file, limits);
      if (!signedBy(signature, signer)) {
        throw new IOException(refusal("the signature is of another key"));
      }
      Element reference = reference(signature);
      byte[] expected =
          Base64.getMimeDecoder().decode(child(reference, "DigestValue").getTextContent());
      String algorithm = child(reference, "DigestMethod").getAttribute("Algorithm");
      // Known: the form was checked.
      MessageDigest digest =
          MessageDigest.getInstance(java.util.Objects.requireNonNull(DIGESTS.get(algorithm)));
      if (!MessageDigest.isEqual(expected, digest(file, limits, digest, prefixes(reference)))) {
        throw new IOException(refusal("it was changed"));
      }
    } catch (XMLStreamException e) {
      throw new IOException(refusal(String.valueOf(e.getMessage())), e);
    } catch (GeneralSecurityException | XMLSecurityException | IllegalArgumentException e) {
      throw new IOException(refusal("the signature cannot be checked"), e);
    }
  }

  private static String refusal(String why) {
    return "is not signed as it must be: " + why;
  }

  private static Element signature(Path file, XmlLimits limits)
      throws IOException, XMLStreamException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      XMLStreamReader xml = SafeXml.reader(in, limits);
      String id = null;
      while (xml.hasNext()) {
        if (xml.next() != XMLStreamConstants.START_ELEMENT) {
          continue;
        }
        if (id == null) {
          String given = xml.getAttributeValue(null, "ID");
          id = given == null ? "" : given;
        } else if (isSignature(xml)) {
          Element signature = SafeXml.element(xml);
          String fault = SignatureForm.fault(signature, id);
          if (fault != null) {
            throw new IOException(refusal(fault));
          }
          return signature;
        } else {
          break;
        }
      }
    }
    throw new IOException("has no signature of the whole");
  }

  private static boolean isSignature(XMLStreamReader xml) {
    return SamlNamespaces.DS.equals(xml.getNamespaceURI())
        && xml.getLocalName().equals("Signature");
  }

  /** By the key that was given, whatever the message says of keys. */
  private static boolean signedBy(Element signature, X509Certificate signer)
      throws XMLSecurityException, IOException {
    var read = new XMLSignature(declared(signature), "", true);
    var algorithm = read.getSignedInfo().getSignatureAlgorithm();
    algorithm.initVerify(signer.getPublicKey());
    algorithm.update(read.getSignedInfo().getCanonicalizedOctetStream());
    return algorithm.verify(read.getSignatureValue());
  }

  /** With the namespaces in its own tags that elements around it declared. */
  private static Element declared(Element signature) throws IOException {
    byte[] text = XmlText.document(signature).getBytes(StandardCharsets.UTF_8);
    if (SafeXml.parse(text, Aggregate.LIMITS) instanceof XmlDocument.Parsed parsed) {
      return parsed.document().getDocumentElement();
    }
    throw new IOException("what was read once cannot be read again");
  }

  private static Element reference(Element signature) {
    return child(child(signature, "SignedInfo"), "Reference");
  }

  private static Element child(Element parent, String name) {
    List<Element> found = Elements.children(parent, SamlNamespaces.DS, name);
    if (found.size() != 1) {
      throw new IllegalArgumentException("there is not one " + name);
    }
    return found.getFirst();
  }

  private static Set<String> prefixes(Element reference) {
    Set<String> prefixes = new HashSet<>();
    for (Element transform :
        Elements.children(child(reference, "Transforms"), SamlNamespaces.DS, "Transform")) {
      for (Element list : Elements.children(transform, EXCLUSIVE, "InclusiveNamespaces")) {
        for (String prefix : list.getAttribute("PrefixList").split("\\s+")) {
          if (!prefix.isEmpty()) {
            prefixes.add(prefix);
          }
        }
      }
    }
    return prefixes;
  }

  /** Of all but the signature itself, the first child of the root. */
  private static byte[] digest(
      Path file, XmlLimits limits, MessageDigest algorithm, Set<String> prefixes)
      throws IOException, XMLStreamException {
    var out = new Octets(CHUNK);
    var form = new CanonicalForm(prefixes, out);
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      XMLStreamReader xml = SafeXml.reader(in, limits);
      int depth = 0;
      boolean left = false;
      while (xml.hasNext()) {
        int event = xml.next();
        if (event == XMLStreamConstants.START_ELEMENT) {
          if (depth == 1 && !left && isSignature(xml)) {
            SafeXml.element(xml);
            left = true;
            continue;
          }
          depth++;
        } else if (event == XMLStreamConstants.END_ELEMENT) {
          depth--;
        }
        form.take(xml, event);
        if (out.size() > CHUNK) {
          algorithm.update(out.array(), 0, out.size());
          out.clear();
        }
      }
    }
    algorithm.update(out.array(), 0, out.size());
    return algorithm.digest();
  }
}
