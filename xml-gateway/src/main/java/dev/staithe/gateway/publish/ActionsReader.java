package dev.staithe.gateway.publish;

import dev.staithe.wss.Namespaces;
import dev.staithe.xml.Elements;
import dev.staithe.xml.SoapVersion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/**
 * Takes the actions of a service from the SOAP bindings of its description (WSDL 1.1 section 3, and
 * its binding for SOAP 1.2): all bindings of all its documents. Where it cannot be told which
 * operation of a port type a binding means, its action counts for each that it could mean: that
 * makes bodies ambiguous, never wrong. An operation whose body has a part of a type, or more than
 * one, has no action, as its requests cannot be told by an element.
 */
final class ActionsReader {
  private static final Map<SoapVersion, String> BINDINGS =
      Map.of(
          SoapVersion.SOAP_1_1, "http://schemas.xmlsoap.org/wsdl/soap/",
          SoapVersion.SOAP_1_2, "http://schemas.xmlsoap.org/wsdl/soap12/");

  /** Where an output says its action: of the recommendation, and of two drafts before it. */
  private static final List<String> ACTIONS =
      List.of(
          "http://www.w3.org/2007/05/addressing/metadata",
          "http://www.w3.org/2006/05/addressing/wsdl",
          Namespaces.WSA_2004);

  private final Map<QName, Element> portTypes = new HashMap<>();
  private final Map<QName, Element> messages = new HashMap<>();
  private final Map<SoapVersion, Map<QName, Set<String>>> found = new EnumMap<>(SoapVersion.class);
  private final Map<SoapVersion, Map<QName, Set<String>>> answers =
      new EnumMap<>(SoapVersion.class);

  private ActionsReader() {}

  /** Reads them; the documents stay as they are. */
  static Actions read(List<DescriptionTree.Document> tree) {
    var reader = new ActionsReader();
    List<Element> wsdls =
        tree.stream()
            .filter(DescriptionTree.Document::isWsdl)
            .map(DescriptionTree.Document::root)
            .toList();
    wsdls.forEach(reader::remember);
    for (Element wsdl : wsdls) {
      for (Element binding : Elements.children(wsdl, DescriptionTree.WSDL, "binding")) {
        BINDINGS.forEach((version, namespace) -> reader.binding(version, namespace, binding));
      }
    }
    return Actions.of(reader.found, reader.answers);
  }

  private void remember(Element wsdl) {
    String target = wsdl.getAttribute("targetNamespace").strip();
    for (Element each : Elements.children(wsdl, DescriptionTree.WSDL, "portType")) {
      portTypes.putIfAbsent(new QName(target, name(each)), each);
    }
    for (Element each : Elements.children(wsdl, DescriptionTree.WSDL, "message")) {
      messages.putIfAbsent(new QName(target, name(each)), each);
    }
  }

  private void binding(SoapVersion version, String namespace, Element binding) {
    Element soap = Elements.child(binding, namespace, "binding");
    if (soap == null) {
      return;
    }
    QName type = reference(binding, "type");
    Element portType = type == null ? null : portTypes.get(type);
    for (Element operation : Elements.children(binding, DescriptionTree.WSDL, "operation")) {
      Element said = Elements.child(operation, namespace, "operation");
      String action = said == null ? "" : said.getAttribute("soapAction").strip();
      String style = said == null ? "" : said.getAttribute("style").strip();
      Element input = Elements.child(operation, DescriptionTree.WSDL, "input");
      if ("rpc".equals(style.isEmpty() ? soap.getAttribute("style").strip() : style)) {
        Element body = input == null ? null : body(input, namespace);
        String of = body == null ? "" : body.getAttribute("namespace").strip();
        QName first = new QName(of, name(operation));
        add(found, version, first, action);
        if (type != null && portType != null) {
          for (Element each : abstracts(portType, operation, input)) {
            add(answers, version, first, answer(type, each));
          }
        }
      } else if (type != null && portType != null) {
        for (Element each : abstracts(portType, operation, input)) {
          QName first = first(namespace, input, each);
          if (first != null) {
            add(found, version, first, action);
            add(answers, version, first, answer(type, each));
          }
        }
      }
    }
  }

  /**
   * The action of an operation's answer (WS-Addressing 1.0 Metadata section 4.4): what its output
   * says, or what stands for it.
   *
   * @return empty where it has no answer
   */
  private static String answer(QName portType, Element operation) {
    Element output = Elements.child(operation, DescriptionTree.WSDL, "output");
    if (output == null) {
      return "";
    }
    for (String each : ACTIONS) {
      String said = output.getAttributeNS(each, "Action").strip();
      if (!said.isEmpty()) {
        return said;
      }
    }
    String target = portType.getNamespaceURI();
    String delimiter = target.regionMatches(true, 0, "urn:", 0, 4) ? ":" : "/";
    String own = name(output);
    return target
        + (target.endsWith(delimiter) ? "" : delimiter)
        + portType.getLocalPart()
        + delimiter
        + (own.isEmpty() ? name(operation) + "Response" : own);
  }

  private static void add(
      Map<SoapVersion, Map<QName, Set<String>>> to,
      SoapVersion version,
      QName body,
      String action) {
    to.computeIfAbsent(version, each -> new LinkedHashMap<>())
        .computeIfAbsent(body, each -> new LinkedHashSet<>())
        .add(action);
  }

  /** The operations of a port type that one of a binding may mean (section 2.5). */
  private static List<Element> abstracts(
      Element portType, Element operation, @Nullable Element input) {
    List<Element> named =
        Elements.children(portType, DescriptionTree.WSDL, "operation").stream()
            .filter(each -> name(each).equals(name(operation)))
            .toList();
    String wanted = input == null ? "" : name(input);
    if (named.size() < 2 || wanted.isEmpty()) {
      return named;
    }
    List<Element> exact = named.stream().filter(each -> wanted.equals(inputName(each))).toList();
    return exact.isEmpty() ? named : exact;
  }

  /** Its own, or what stands for it (section 2.4.5). */
  private static String inputName(Element operation) {
    Element input = Elements.child(operation, DescriptionTree.WSDL, "input");
    String own = input == null ? "" : name(input);
    boolean answered = Elements.child(operation, DescriptionTree.WSDL, "output") != null;
    return own.isEmpty() ? name(operation) + (answered ? "Request" : "") : own;
  }

  /** What a body of document style begins with; null where that is no single element. */
  private @Nullable QName first(String namespace, @Nullable Element bound, Element operation) {
    Element input = Elements.child(operation, DescriptionTree.WSDL, "input");
    QName name = input == null ? null : reference(input, "message");
    Element message = name == null ? null : messages.get(name);
    if (name == null || message == null) {
      return null;
    }
    List<Element> parts = new ArrayList<>(Elements.children(message, DescriptionTree.WSDL, "part"));
    Element body = bound == null ? null : body(bound, namespace);
    if (body != null && body.hasAttribute("parts")) {
      List<String> named = Arrays.asList(body.getAttribute("parts").strip().split("\\s+"));
      parts.removeIf(each -> !named.contains(name(each)));
    } else if (bound != null) {
      // All parts of the message but those that its headers are made of.
      for (Element header : Elements.children(bound, namespace, "header")) {
        if (name.equals(reference(header, "message"))) {
          parts.removeIf(each -> name(each).equals(header.getAttribute("part").strip()));
        }
      }
    }
    return switch (parts.size()) {
      case 0 -> Actions.NOTHING;
      case 1 -> reference(parts.getFirst(), "element");
      default -> null;
    };
  }

  /** In a part of MIME it stands deeper. */
  private static @Nullable Element body(Element input, String namespace) {
    return input.getElementsByTagNameNS(namespace, "body").item(0) instanceof Element body
        ? body
        : null;
  }

  private static String name(Element element) {
    return element.getAttribute("name").strip();
  }

  /** A qualified name in an attribute; null without. */
  private static @Nullable QName reference(Element element, String attribute) {
    String value = element.getAttribute(attribute).strip();
    if (value.isEmpty()) {
      return null;
    }
    int colon = value.indexOf(':');
    String namespace = element.lookupNamespaceURI(colon < 0 ? null : value.substring(0, colon));
    return new QName(namespace == null ? "" : namespace, value.substring(colon + 1));
  }
}
