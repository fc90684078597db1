package dev.staithe.wss.client;

import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Reply;
import dev.staithe.wss.crypto.KnownCertificate;
import dev.staithe.wss.crypto.OwnKey;
import dev.staithe.wss.policy.AlgorithmSuite;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.xml.CanonicalForm;
import dev.staithe.xml.Elements;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.SoapVersion;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import dev.staithe.xml.XmlRefused;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * Opens answers by what their requests were protected with, and believes only what the policy
 * demands of an answer. Thread-safe.
 */
public final class AnswerReader {
  private static final Duration SKEW = Duration.ofMinutes(1);

  /** An answer that does not say until when: as long as a request of ours. */
  private static final Duration GOOD_FOR = Duration.ofMinutes(5);

  /**
   * Without it no message is one of WS-Addressing (core section 3.2), whatever else it has of it.
   */
  private static final QName ACTION = new QName(Namespaces.WSA, "Action");

  private static final QName RELATES_TO = new QName(Namespaces.WSA, "RelatesTo");

  private final EndpointPolicy policy;
  private final AlgorithmSuite suite;
  private final @Nullable OwnKey own;
  private final @Nullable KnownCertificate service;
  private final Clock clock;

  /** For all answers of one service under one policy. */
  public AnswerReader(EndpointPolicy policy, Holder holder, Clock clock) {
    this.policy = policy;
    this.suite = policy.suite();
    this.own = holder.credential() == null ? null : OwnKey.of(holder.credential());
    this.service = holder.service() == null ? null : KnownCertificate.of(List.of(holder.service()));
    this.clock = clock;
  }

  /** Judges the answer to a request. */
  public SoapResponse read(byte[] answer, SecuredRequest request) {
    return read(answer, request.keys(), request);
  }

  /**
   * Judges an answer to some request of many with the same certificate or context, as for those
   * that were made long before: what an answer says of its own request is not looked at.
   */
  public SoapResponse read(byte[] answer, Reply.Keys keys) {
    return read(answer, keys, null);
  }

  private SoapResponse read(byte[] answer, Reply.Keys keys, @Nullable SecuredRequest request) {
    boolean layered = !(keys instanceof Reply.Keys.None);
    var limits = XmlLimits.ofBytes(64L << 20);
    XmlDocument document =
        layered ? SafeXml.parsePlain(answer, limits) : SafeXml.parse(answer, limits);
    if (!(document instanceof XmlDocument.Parsed(Document parsed))) {
      return new SoapResponse.Untrusted("the answer is no XML that could be read");
    }
    Element root = parsed.getDocumentElement();
    SoapVersion version = Tree.version(root);
    Element body = version == null ? null : Elements.only(root, version.namespace(), "Body");
    if (version == null || body == null) {
      return new SoapResponse.Untrusted("the answer is no SOAP envelope");
    }
    Element header = Elements.only(root, version.namespace(), "Header");
    Element security = header == null ? null : Elements.only(header, Namespaces.WSSE, "Security");
    if (security == null && layered) {
      // A fault without protection is told as one; anything else is not believed.
      return fault(version, body, false) instanceof SoapResponse.Fault fault
          ? fault
          : new SoapResponse.Untrusted("the answer is not protected");
    }
    try {
      if (layered && security != null && header != null) {
        judge(root, header, security, body, keys, request);
      } else if (security != null) {
        Element time = Elements.only(security, Namespaces.WSU, "Timestamp");
        if (time != null) {
          fresh(time);
        }
      }
    } catch (UntrustedAnswer e) {
      return new SoapResponse.Untrusted(e.line());
    }
    if (header != null && security != null) {
      header.removeChild(security);
    }
    SoapResponse fault = fault(version, body, true);
    if (fault != null) {
      return fault;
    }
    List<Element> payload = Elements.children(body);
    try {
      return new SoapResponse.Message(
          version, canonical(root), payload.isEmpty() ? "" : canonical(payload.getFirst()));
    } catch (XmlRefused e) {
      return new SoapResponse.Untrusted("the answer has no canonical form");
    }
  }

  private static String canonical(Element element) throws XmlRefused {
    return new String(
        CanonicalForm.of(element, ContentPrefixes.of(element)), StandardCharsets.UTF_8);
  }

  private void judge(
      Element root,
      Element header,
      Element security,
      Element body,
      Reply.Keys keys,
      @Nullable SecuredRequest request)
      throws UntrustedAnswer {
    AnswerKeys opened = AnswerKeys.read(security, keys, suite, own);
    opened.decrypt(security);
    boolean encrypted = !Elements.children(body).isEmpty() && isEncrypted(body);
    if (policy.encrypted().body() && !encrypted && hasContent(body)) {
      throw new UntrustedAnswer("the body of the answer is not encrypted");
    }
    if (!policy.encryptBeforeSigning()) {
      opened.decrypt(body);
    }
    Element signature = Elements.only(security, Namespaces.DS, "Signature");
    if (signature == null) {
      throw new UntrustedAnswer("the answer is not signed");
    }
    if (request != null) {
      notReflected(signature, request);
    }
    Set<Element> covered =
        new AnswerSignature(suite, service).verify(root, signature, keys, opened);
    if (policy.encryptBeforeSigning()) {
      opened.decrypt(body);
    }
    if (policy.signed().body() && !covered.contains(body)) {
      throw new UntrustedAnswer("the signature of the answer does not cover its body");
    }
    Element time = Elements.only(security, Namespaces.WSU, "Timestamp");
    if (policy.timestamp()) {
      if (time == null || !covered.contains(time)) {
        throw new UntrustedAnswer("the signature of the answer does not cover a timestamp");
      }
      fresh(time);
    }
    for (Element block : Elements.children(header)) {
      if (block != security && !covered.contains(block)) {
        header.removeChild(block);
      }
    }
    related(header, request);
    if (policy.signatureConfirmation() && request != null) {
      confirmed(security, covered, request.signatures());
    }
  }

  private static boolean isEncrypted(Element body) {
    for (Element child : Elements.children(body)) {
      if (!Elements.is(child, Namespaces.XENC, "EncryptedData")) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasContent(Element body) {
    return body.getFirstChild() != null;
  }

  /** A shared key signs both ways: somebody may send back what we have sent. */
  private static void notReflected(Element signature, SecuredRequest request)
      throws UntrustedAnswer {
    byte[] value =
        AnswerKeys.base64(Tree.text(Elements.only(signature, Namespaces.DS, "SignatureValue")));
    for (byte[] own : request.signatures()) {
      if (MessageDigest.isEqual(own, value)) {
        throw new UntrustedAnswer("the answer is the request itself");
      }
    }
  }

  /**
   * An answer names the request that it is to (WS-Addressing 1.0 core section 3.4, which CXF, Metro
   * and gSOAP keep): always where the policy demands addressing and has that signed, and wherever
   * it is addressed at all. Where it is not, and the policy has no confirmed signatures, any answer
   * under the same keys passes until it expires.
   */
  private void related(Element header, @Nullable SecuredRequest request) throws UntrustedAnswer {
    boolean addressed = policy.addressing() && policy.signed().names(RELATES_TO);
    boolean related = false;
    for (Element block : Elements.children(header)) {
      addressed |= Elements.name(block).equals(ACTION);
      if (Elements.name(block).equals(RELATES_TO) && isReply(block)) {
        if (request != null && !Tree.text(block).equals(request.messageId())) {
          throw new UntrustedAnswer("the answer is to another request");
        }
        related = true;
      }
    }
    if (!related && Elements.child(header, Namespaces.WSA, "MessageID") != null) {
      throw new UntrustedAnswer("the answer is a request");
    }
    if (!related && addressed) {
      throw new UntrustedAnswer("the answer does not say which request it is to (wsa:RelatesTo)");
    }
  }

  /** A message may relate to others in other ways. */
  private static boolean isReply(Element relation) {
    String type = Elements.attribute(relation, "RelationshipType");
    return type.isEmpty() || type.equals(Namespaces.WSA + "/reply");
  }

  private static void confirmed(Element security, Set<Element> covered, List<byte[]> signatures)
      throws UntrustedAnswer {
    var missing = new ArrayList<>(signatures);
    for (Element each : Elements.children(security)) {
      if (Elements.is(each, Namespaces.WSSE11, "SignatureConfirmation") && covered.contains(each)) {
        byte[] value = AnswerKeys.base64(each.getAttribute("Value"));
        missing.removeIf(own -> MessageDigest.isEqual(own, value));
      }
    }
    if (!missing.isEmpty()) {
      throw new UntrustedAnswer("the answer does not confirm the signature of the request");
    }
  }

  private void fresh(Element timestamp) throws UntrustedAnswer {
    Instant now = clock.instant();
    Instant created = instant(timestamp, "Created");
    Instant expires = instant(timestamp, "Expires");
    if (created != null && created.isAfter(now.plus(SKEW))) {
      throw new UntrustedAnswer("the answer is from the future: the clocks differ");
    }
    if (expires == null) {
      if (created == null) {
        throw new UntrustedAnswer("the timestamp of the answer is empty");
      }
      expires = created.plus(GOOD_FOR);
    }
    if (expires.isBefore(now.minus(SKEW))) {
      throw new UntrustedAnswer("the answer has expired");
    }
  }

  private static @Nullable Instant instant(Element timestamp, String name) throws UntrustedAnswer {
    Element found = Elements.only(timestamp, Namespaces.WSU, name);
    if (found == null) {
      return null;
    }
    try {
      return OffsetDateTime.parse(Tree.text(found)).toInstant();
    } catch (DateTimeException e) {
      throw new UntrustedAnswer("the timestamp of the answer is no time");
    }
  }

  /** Null where the body holds none. */
  private static SoapResponse.@Nullable Fault fault(
      SoapVersion version, Element body, boolean secured) {
    String namespace = version.namespace();
    Element fault = Elements.only(body, namespace, "Fault");
    if (fault == null) {
      return null;
    }
    return switch (version) {
      case SOAP_1_1 ->
          new SoapResponse.Fault(
              version, local(text(fault, "faultcode")), text(fault, "faultstring"), secured);
      case SOAP_1_2 -> {
        Element code = Elements.only(fault, namespace, "Code");
        String value = "";
        while (code != null) {
          value = Tree.text(Elements.only(code, namespace, "Value"));
          code = Elements.only(code, namespace, "Subcode");
        }
        yield new SoapResponse.Fault(
            version,
            local(value),
            Tree.text(Tree.path(fault, namespace, "Reason", "Text")),
            secured);
      }
    };
  }

  private static String text(Element fault, String name) {
    for (Element each : Elements.children(fault)) {
      if (each.getLocalName().equals(name)) {
        return Tree.text(each);
      }
    }
    return "";
  }

  private static String local(String code) {
    return code.substring(code.indexOf(':') + 1);
  }
}
