package dev.staithe.xml;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.Text;

/**
 * Reads and writes the envelopes of SOAP 1.1 and 1.2, as their last receiver: one element in the
 * body, header blocks that must be understood are understood or refused. Thread-safe.
 */
public final class Soap {
  private static final String NEXT_1_1 = "http://schemas.xmlsoap.org/soap/actor/next";
  private static final String ROLES_1_2 = "http://www.w3.org/2003/05/soap-envelope/role/";
  private static final String DECLARATION = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

  private Soap() {}

  /**
   * The version that a {@code Content-Type} stands for. A request without one, or with that of a
   * form, is no SOAP: those a browser sends for any page.
   *
   * @return empty where it is none of SOAP's
   */
  public static Optional<SoapVersion> ofContentType(@Nullable String contentType) {
    if (contentType == null) {
      return Optional.empty();
    }
    int semicolon = contentType.indexOf(';');
    String type =
        (semicolon < 0 ? contentType : contentType.substring(0, semicolon))
            .strip()
            .toLowerCase(Locale.ROOT);
    for (SoapVersion version : SoapVersion.values()) {
      if (version.mediaType().equals(type)) {
        return Optional.of(version);
      }
    }
    return Optional.empty();
  }

  /**
   * Reads an envelope to the end of the stream, which is not closed.
   *
   * @param understood names of header blocks that the caller will heed
   * @throws IOException where the stream itself fails
   */
  public static SoapMessage read(InputStream in, XmlLimits limits, Set<QName> understood)
      throws IOException {
    Document document = SafeXml.newDocument();
    return switch (SafeXml.parse(in, limits, document)) {
      case XmlDocument.Parsed(Document whole) -> envelope(whole.getDocumentElement(), understood);
      case XmlDocument.Empty() -> refused(null, "the request is empty");
      case XmlDocument.Refused(XmlRefused.Kind kind, String reason) ->
          refused(document.getDocumentElement(), reason);
    };
  }

  private static SoapMessage envelope(Element root, Set<QName> understood) {
    if (!"Envelope".equals(root.getLocalName())) {
      return refused(root, "the document is no SOAP envelope");
    }
    SoapVersion version = version(root);
    if (version == null) {
      // SOAP 1.2 part 1 appendix A: told in 1.1, which every client reads.
      return new SoapMessage.Refused(
          SoapVersion.SOAP_1_1,
          new SoapFault(
              SoapFault.Code.VERSION_MISMATCH, "the envelope is not of SOAP 1.1 or 1.2", null),
          null);
    }
    List<Element> parts = Elements.children(root);
    int at = 0;
    List<Element> headers = List.of();
    if (at < parts.size() && is(parts.get(at), version, "Header")) {
      headers = Elements.children(parts.get(at));
      at++;
    }
    if (at != parts.size() - 1 || !is(parts.get(at), version, "Body")) {
      return refused(root, "an envelope is at most one Header and then one Body, and nothing else");
    }
    for (Element header : headers) {
      SoapFault fault = judge(header, version, understood);
      if (fault != null) {
        return new SoapMessage.Refused(version, fault, payload(root, version));
      }
    }
    List<Element> body = Elements.children(parts.get(at));
    if (body.size() != 1) {
      return refused(
          root,
          body.isEmpty()
              ? "the body of the envelope is empty"
              : "the body of the envelope has more than one element");
    }
    return new SoapMessage.Request(version, headers, body.getFirst());
  }

  private static @Nullable SoapFault judge(
      Element header, SoapVersion version, Set<QName> understood) {
    if (header.getNamespaceURI() == null) {
      return SoapFault.sender("a header block without a namespace");
    }
    String must = header.getAttributeNS(version.namespace(), "mustUnderstand").strip();
    boolean binding;
    if (must.isEmpty() || must.equals("0")) {
      binding = false;
    } else if (must.equals("1")) {
      binding = true;
    } else if (version == SoapVersion.SOAP_1_2 && (must.equals("true") || must.equals("false"))) {
      binding = must.equals("true");
    } else {
      return SoapFault.sender("mustUnderstand of a header block is neither true nor false");
    }
    var name = new QName(header.getNamespaceURI(), header.getLocalName());
    if (!binding || understood.contains(name) || !isForUs(header, version)) {
      return null;
    }
    return new SoapFault(
        SoapFault.Code.MUST_UNDERSTAND,
        "a header block that must be understood is not: " + cut(name.getLocalPart()),
        name);
  }

  /** SOAP 1.1 §4.2.2, SOAP 1.2 part 1 §2.2: whoever comes next, or the last one, is us. */
  private static boolean isForUs(Element header, SoapVersion version) {
    String role = header.getAttributeNS(version.namespace(), version.role()).strip();
    return role.isEmpty()
        || switch (version) {
          case SOAP_1_1 -> role.equals(NEXT_1_1);
          case SOAP_1_2 ->
              role.equals(ROLES_1_2 + "next") || role.equals(ROLES_1_2 + "ultimateReceiver");
        };
  }

  /**
   * The one child of a local name, whatever its namespace: real clients disagree about whether
   * those of children are qualified.
   *
   * @return empty where there is none, or several
   */
  public static Optional<Element> child(Element parent, String localName) {
    List<Element> found =
        Elements.children(parent).stream()
            .filter(each -> localName.equals(each.getLocalName()))
            .toList();
    return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
  }

  /**
   * What an element holds between its tags.
   *
   * @return empty where it holds elements
   */
  public static Optional<String> text(Element element) {
    Node first = element.getFirstChild();
    if (first == null) {
      return Optional.of("");
    }
    // The parser leaves one run of text, comments or not.
    return first instanceof Text text && text.getNextSibling() == null
        ? Optional.of(text.getData())
        : Optional.empty();
  }

  /**
   * An envelope in UTF-8.
   *
   * @param payload the one element of the body, well-formed and with its namespaces declared
   */
  public static byte[] answer(SoapVersion version, String payload) {
    return (DECLARATION
            + "<soap:Envelope xmlns:soap=\""
            + version.namespace()
            + "\"><soap:Body>"
            + payload
            + "</soap:Body></soap:Envelope>")
        .getBytes(StandardCharsets.UTF_8);
  }

  /** An envelope with a fault, in UTF-8. */
  public static byte[] fault(SoapVersion version, SoapFault fault) {
    return fault(version, fault, "");
  }

  /**
   * The same with what a description of the service calls the fault: SOAP 1.1 §4.4, SOAP 1.2 part 1
   * §5.4.5.
   *
   * @param detail one element for programs, well-formed and with its namespaces declared; empty for
   *     none, which a fault about the header must have
   */
  public static byte[] fault(SoapVersion version, SoapFault fault, String detail) {
    String code = "soap:" + version.code(fault.code());
    String line = XmlText.escape(fault.line());
    String body =
        switch (version) {
          case SOAP_1_1 ->
              "<soap:Fault><faultcode>"
                  + code
                  + "</faultcode><faultstring xml:lang=\"en\">"
                  + line
                  + "</faultstring>"
                  + (detail.isEmpty() ? "" : "<detail>" + detail + "</detail>")
                  + "</soap:Fault>";
          case SOAP_1_2 ->
              "<soap:Fault><soap:Code><soap:Value>"
                  + code
                  + "</soap:Value></soap:Code><soap:Reason><soap:Text xml:lang=\"en\">"
                  + line
                  + "</soap:Text></soap:Reason>"
                  + (detail.isEmpty() ? "" : "<soap:Detail>" + detail + "</soap:Detail>")
                  + "</soap:Fault>";
        };
    QName missed = fault.notUnderstood();
    if (version == SoapVersion.SOAP_1_2 && missed != null) {
      // SOAP 1.2 part 1 §5.4.8: which one, for programs.
      return (DECLARATION
              + "<soap:Envelope xmlns:soap=\""
              + version.namespace()
              + "\"><soap:Header><soap:NotUnderstood qname=\"h:"
              + XmlText.escapeAttribute(missed.getLocalPart())
              + "\" xmlns:h=\""
              + XmlText.escapeAttribute(missed.getNamespaceURI())
              + "\"/></soap:Header><soap:Body>"
              + body
              + "</soap:Body></soap:Envelope>")
          .getBytes(StandardCharsets.UTF_8);
    }
    return answer(version, body);
  }

  /**
   * @param root of what was read, which may end anywhere; null: nothing was
   */
  private static SoapMessage refused(@Nullable Element root, String line) {
    SoapVersion told = root == null ? null : version(root);
    return new SoapMessage.Refused(
        told == null ? SoapVersion.SOAP_1_1 : told,
        SoapFault.sender(line),
        root == null || told == null ? null : payload(root, told));
  }

  private static @Nullable SoapVersion version(Element root) {
    for (SoapVersion each : SoapVersion.values()) {
      if (is(root, each, "Envelope")) {
        return each;
      }
    }
    return null;
  }

  private static @Nullable QName payload(Element root, SoapVersion version) {
    for (Element part : Elements.children(root)) {
      if (is(part, version, "Body")) {
        List<Element> body = Elements.children(part);
        return body.isEmpty()
            ? null
            : new QName(body.getFirst().getNamespaceURI(), body.getFirst().getLocalName());
      }
    }
    return null;
  }

  private static boolean is(Element element, SoapVersion version, String localName) {
    return localName.equals(element.getLocalName())
        && version.namespace().equals(element.getNamespaceURI());
  }

  private static String cut(String name) {
    return name.length() <= 64 ? name : name.substring(0, 64);
  }
}
