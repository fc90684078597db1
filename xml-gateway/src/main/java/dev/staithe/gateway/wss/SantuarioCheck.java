package dev.staithe.gateway.wss;

import dev.staithe.wss.Refusal;
import java.io.IOException;
import java.io.InputStream;
import java.security.Key;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.spec.SecretKeySpec;
import javax.xml.crypto.Data;
import javax.xml.crypto.MarshalException;
import javax.xml.crypto.URIReference;
import javax.xml.crypto.URIReferenceException;
import javax.xml.crypto.XMLCryptoContext;
import javax.xml.crypto.dsig.Reference;
import javax.xml.crypto.dsig.XMLSignature;
import javax.xml.crypto.dsig.XMLSignatureException;
import javax.xml.crypto.dsig.dom.DOMValidateContext;
import org.apache.jcp.xml.dsig.internal.dom.ApacheNodeSetData;
import org.apache.wss4j.dom.WSDocInfo;
import org.apache.wss4j.dom.transform.STRTransform;
import org.apache.xml.security.signature.XMLSignatureNodeInput;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** Verifies the signatures of a message by Santuario, and keeps what it digested. */
final class SantuarioCheck {
  /**
   * What was covered: an element that the message has at this place, and the octets of it that were
   * digested.
   *
   * @param element the token itself where a reference meant it through STR-Transform
   */
  record Covered(SignatureShape.Ref reference, Element element, byte[] octets) {}

  /**
   * A signature that fits.
   *
   * @param signedInfo in canonical form
   * @param value of the signature
   */
  record Verified(
      SignatureShape shape, TreeKey key, byte[] signedInfo, byte[] value, List<Covered> covered) {}

  /**
   * By all signatures together, what stands within what is signed among it. Metro lists some parts
   * twice, and whoever endorses may sign them too.
   */
  private static final int MOST_TIMES = 4;

  private final Identifiers identifiers;
  private final TreeKeys keys;
  private final WSDocInfo documentInfo;
  private final Map<Element, Integer> signed = new IdentityHashMap<>();

  SantuarioCheck(Envelope envelope, TreeKeys keys) {
    this.identifiers = envelope.identifiers();
    this.keys = keys;
    this.documentInfo = new WSDocInfo(envelope.document());
    documentInfo.setCrypto(new TokenCrypto(keys.certificates()));
  }

  /**
   * Verifies.
   *
   * @throws Rejection where it does not fit, or refers to what is not there
   */
  Verified verify(SignatureShape shape, TreeKey held) throws RefusedMessage {
    List<Element> targets = new ArrayList<>();
    for (SignatureShape.Ref each : shape.references()) {
      Element target = identifiers.find(each.uri());
      if (target == null) {
        throw new RefusedMessage(Refusal.SIGNATURE, "a signed part is not in the message");
      }
      targets.add(each.token() ? keys.token(target) : target);
    }
    limit(targets);
    Key key =
        held instanceof TreeKey.OfCertificate certificate
            ? certificate.chain().getFirst().getPublicKey()
            : new SecretKeySpec(held.secret(), "HMAC");
    var context = new DOMValidateContext(key, shape.element());
    context.setURIDereferencer(this::dereference);
    context.setProperty("javax.xml.crypto.dsig.cacheReference", Boolean.TRUE);
    context.setProperty("org.apache.jcp.xml.dsig.secureValidation", Boolean.TRUE);
    context.setProperty(STRTransform.TRANSFORM_WS_DOC_INFO, documentInfo);
    try {
      XMLSignature signature = XmlSecurity.signatures().unmarshalXMLSignature(context);
      if (!signature.validate(context)) {
        throw new RefusedMessage(Refusal.SIGNATURE, "a signature or digest does not fit");
      }
      List<Covered> covered = new ArrayList<>();
      List<Reference> references = signature.getSignedInfo().getReferences();
      for (int i = 0; i < targets.size(); i++) {
        covered.add(
            new Covered(
                shape.references().get(i),
                targets.get(i),
                octets(references.get(i).getDigestInputStream())));
      }
      return new Verified(
          shape,
          held,
          octets(signature.getSignedInfo().getCanonicalizedData()),
          signature.getSignatureValue().getValue(),
          covered);
    } catch (MarshalException | XMLSignatureException | RuntimeException e) {
      // Santuario throws unchecked ones too, on numbers and names that are none.
      throw new RefusedMessage(Refusal.SIGNATURE, "a signature that cannot be verified");
    }
  }

  /** What is signed is digested and kept as often as it is signed, by whatever key. */
  private void limit(List<Element> targets) throws RefusedMessage {
    targets.forEach(each -> signed.merge(each, 1, Integer::sum));
    for (Element each : signed.keySet()) {
      int times = 0;
      for (Node node = each; node instanceof Element around; node = node.getParentNode()) {
        times += signed.getOrDefault(around, 0);
      }
      if (times > MOST_TIMES) {
        throw new RefusedMessage(Refusal.POLICY, "a part that is signed again and again");
      }
    }
  }

  /** By our own index, so that what is digested is the element that coverage is judged by. */
  private Data dereference(URIReference reference, XMLCryptoContext context)
      throws URIReferenceException {
    Element element = identifiers.find(String.valueOf(reference.getURI()));
    if (element == null) {
      throw new URIReferenceException("not in the message");
    }
    var input = new XMLSignatureNodeInput(element);
    input.setSecureValidation(true);
    input.setExcludeComments(true);
    return new ApacheNodeSetData(input);
  }

  private static byte[] octets(InputStream in) throws RefusedMessage {
    try (in) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new RefusedMessage(Refusal.SIGNATURE, "what was digested is not at hand");
    }
  }
}
