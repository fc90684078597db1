package dev.staithe.gateway.wss;

import dev.staithe.wss.PlainMessage;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.xml.Elements;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * What the main signature covers, by the identity of the elements at their fixed places: the child
 * {@code Body} of the envelope, children of its {@code Header}, children of the security header.
 */
final class Coverage {
  private final EndpointPolicy policy;
  private final Envelope envelope;
  private final SecurityHeader header;
  private final Map<Element, SantuarioCheck.Covered> covered = new IdentityHashMap<>();
  private final List<String> names = new ArrayList<>();

  Coverage(
      EndpointPolicy policy, Envelope envelope, SecurityHeader header, SantuarioCheck.Verified main)
      throws RefusedMessage {
    this.policy = policy;
    this.envelope = envelope;
    this.header = header;
    for (SantuarioCheck.Covered each : main.covered()) {
      Element element = each.element();
      Node parent = element.getParentNode();
      boolean whole =
          element == envelope.body()
              || parent == envelope.header()
              || Elements.within(element, header.element());
      if (!whole && policy.entireHeadersAndBody()) {
        throw new RefusedMessage(
            Refusal.POLICY, "a signed part that is no whole header block or body");
      }
      SantuarioCheck.Covered before = covered.putIfAbsent(element, each);
      if (before == null) {
        names.add(name(element));
      } else if (!Arrays.equals(before.octets(), each.octets())) {
        // Metro lists some parts twice, in the same form: that says nothing else.
        throw new RefusedMessage(Refusal.POLICY, "a part that is signed twice, in two forms");
      }
    }
  }

  /** Its name, as findings tell of it. */
  String name(Element element) {
    return element.getLocalName();
  }

  List<String> names() {
    return names;
  }

  /** Whether the main signature covers an element. */
  boolean covers(@Nullable Element element) {
    return element != null && covered.containsKey(element);
  }

  /** What must be encrypted, as far as that is plain before any key is looked at. */
  static void demandEncrypted(EndpointPolicy policy, Envelope envelope, SecurityHeader header)
      throws RefusedMessage {
    boolean body =
        header.references().stream()
            .anyMatch(each -> each.data().getParentNode() == envelope.body());
    if (policy.encrypted().body() && !body) {
      throw new RefusedMessage(Refusal.COVERAGE, "the body is not encrypted");
    }
    if (!policy.encrypted().body() && body) {
      throw new RefusedMessage(Refusal.POLICY, "an encrypted body that is not demanded");
    }
    for (Element block : envelope.blocks()) {
      if (TreeOpening.wanted(policy.encrypted(), block)) {
        throw new RefusedMessage(Refusal.COVERAGE, "a header block is not encrypted");
      }
    }
    if (policy.encryptSignature() && !header.signatures().isEmpty()) {
      throw new RefusedMessage(Refusal.COVERAGE, "the signature is not encrypted");
    }
  }

  /**
   * What must be signed.
   *
   * @param decrypted elements that came encrypted: they are covered where what they came as was
   */
  void check(List<Decryption.Decrypted> decrypted) throws RefusedMessage {
    if (policy.timestamp() && !covers(header.timestamp())) {
      throw new RefusedMessage(Refusal.COVERAGE, "the timestamp is not signed");
    }
    if (policy.signed().body() && !covers(envelope.body())) {
      throw new RefusedMessage(Refusal.COVERAGE, "the body is not signed");
    }
    for (Decryption.Decrypted each : decrypted) {
      Element came = each.cameAs();
      SantuarioCheck.Covered before = came == null ? null : covered.get(came);
      if (before != null && each.element() != null) {
        covered.put(each.element(), before);
      }
    }
    for (Element block : envelope.blocks()) {
      if (TreeOpening.wanted(policy.signed(), block) && !covers(block)) {
        throw new RefusedMessage(Refusal.COVERAGE, "a header block is not signed");
      }
      if (!covers(block) && Envelope.mustBeUnderstood(block, envelope.version())) {
        throw new RefusedMessage(
            Refusal.NOT_UNDERSTOOD, "a header block that must be understood is not signed");
      }
    }
  }

  /**
   * The parts that are passed on.
   *
   * @param algorithms of the endpoint: with the modern ones types must be pinned down too
   */
  PlainMessage message(AlgorithmList algorithms) throws RefusedMessage {
    boolean strict = algorithms == AlgorithmList.MODERN;
    List<RequestParts.Piece> headers = new ArrayList<>();
    for (Element block : envelope.blocks()) {
      if (covers(block)) {
        headers.add(piece(block, strict));
      }
    }
    return RequestParts.message(envelope, headers, piece(envelope.body(), strict));
  }

  private RequestParts.Piece piece(Element element, boolean strict) throws RefusedMessage {
    SantuarioCheck.Covered known = covered.get(element);
    if (known == null) {
      return RequestParts.whole(element);
    }
    List<String> prefixes = known.reference().prefixes();
    // Where it was signed as it came, encrypted, what came out is written anew.
    return RequestParts.meant(
        element,
        policy.encryptBeforeSigning() ? XmlSecurity.canonical(element, prefixes) : known.octets(),
        prefixes,
        strict);
  }
}
