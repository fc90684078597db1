package dev.staithe.gateway.wss;

import dev.staithe.wss.Namespaces;
import dev.staithe.wss.PlainMessage;
import dev.staithe.wss.Refusal;
import dev.staithe.xml.CanonicalForm;
import dev.staithe.xml.Elements;
import dev.staithe.xml.XmlRefused;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/** Takes a request apart into what the back end may see. */
final class RequestParts {
  /**
   * A part that is passed on.
   *
   * @param octets in exclusive canonical form
   * @param prefixes that were kept although they are not visibly used
   */
  record Piece(Element element, byte[] octets, List<String> prefixes) {}

  private RequestParts() {}

  static PlainMessage message(Envelope envelope, List<Piece> headers, Piece body)
      throws RefusedMessage {
    Map<String, String> namespaces = new LinkedHashMap<>();
    List<PlainMessage.HeaderBlock> blocks = new ArrayList<>();
    for (Piece each : headers) {
      declare(namespaces, each);
      blocks.add(new PlainMessage.HeaderBlock(Elements.name(each.element()), each.octets()));
    }
    declare(namespaces, body);
    // What two parts mean in two ways is declared in each of them, and nowhere around.
    namespaces.values().removeIf(String::isEmpty);
    List<Element> payload = Elements.children(body.element());
    QName operation = payload.size() == 1 ? Elements.name(payload.getFirst()) : null;
    return new PlainMessage(
        envelope.version(),
        blocks,
        body.octets(),
        namespaces,
        operation,
        addressing(headers.stream().map(Piece::element).toList()));
  }

  /**
   * A part that a signature covers, with the declarations that its content may mean something by.
   *
   * @param signed what was digested, or the part written anew in the same form
   * @param prefixes that the signature names
   * @param strict as {@link Meanings#of} says
   */
  static Piece meant(Element element, byte[] signed, List<String> prefixes, boolean strict)
      throws RefusedMessage {
    Set<String> more = Meanings.of(element, prefixes, strict);
    if (more.isEmpty()) {
      return new Piece(element, signed, prefixes);
    }
    more.addAll(prefixes);
    return new Piece(element, XmlSecurity.canonical(element, List.copyOf(more)), prefixes);
  }

  /**
   * A part as it stands in the tree, for messages that no signature covers, with every declaration
   * around and within: values may use each of them. Santuario would go through a list of them all
   * at each element.
   */
  static Piece whole(Element element) throws RefusedMessage {
    List<String> prefixes =
        Elements.scope(element).keySet().stream().filter(each -> !each.isEmpty()).toList();
    try {
      return new Piece(element, CanonicalForm.whole(element), prefixes);
    } catch (XmlRefused e) {
      throw new RefusedMessage(Refusal.LIMIT, e.reason());
    }
  }

  private static void declare(Map<String, String> namespaces, Piece piece) {
    if (piece.prefixes().isEmpty()) {
      return;
    }
    Map<String, String> scope = Elements.scope(piece.element());
    for (String prefix : piece.prefixes()) {
      String uri = scope.get(prefix);
      if (uri != null && !uri.isEmpty() && !prefix.equals(XMLConstants.XML_NS_PREFIX)) {
        namespaces.merge(prefix, uri, (one, other) -> one.equals(other) ? one : "");
      }
    }
  }

  private static PlainMessage.Addressing addressing(List<Element> headers) throws RefusedMessage {
    PlainMessage.Addressing newer = addressing(headers, Namespaces.WSA);
    PlainMessage.Addressing older = addressing(headers, Namespaces.WSA_2004);
    if (newer.namespace() != null && older.namespace() != null) {
      throw new RefusedMessage(Refusal.MALFORMED, "addressing properties in two namespaces");
    }
    return newer.namespace() == null ? older : newer;
  }

  private static PlainMessage.Addressing addressing(List<Element> headers, String namespace)
      throws RefusedMessage {
    String action = text(headers, namespace, "Action", false);
    String messageId = text(headers, namespace, "MessageID", false);
    String to = text(headers, namespace, "To", false);
    String replyTo = text(headers, namespace, "ReplyTo", true);
    String faultTo = text(headers, namespace, "FaultTo", true);
    return action == null && messageId == null && to == null && replyTo == null && faultTo == null
        ? PlainMessage.Addressing.NONE
        : new PlainMessage.Addressing(namespace, action, messageId, to, replyTo, faultTo);
  }

  private static @Nullable String text(
      List<Element> headers, String namespace, String name, boolean endpoint)
      throws RefusedMessage {
    String found = null;
    for (Element header : headers) {
      if (Elements.is(header, namespace, name)) {
        if (found != null) {
          throw new RefusedMessage(Refusal.MALFORMED, "an addressing property that is there twice");
        }
        found = endpoint ? address(header, namespace) : plain(header);
      }
    }
    return found;
  }

  /** Empty where there is not just one, as services may differ in which they take. */
  private static String address(Element endpoint, String namespace) throws RefusedMessage {
    List<Element> all = Elements.children(endpoint, namespace, "Address");
    return all.size() == 1 ? plain(all.getFirst()) : "";
  }

  /** Nothing but text: some read that within elements too, so that another address comes of it. */
  private static String plain(Element element) throws RefusedMessage {
    if (!Elements.children(element).isEmpty()) {
      throw new RefusedMessage(Refusal.MALFORMED, "elements where text is expected");
    }
    return Elements.text(element).strip();
  }
}
