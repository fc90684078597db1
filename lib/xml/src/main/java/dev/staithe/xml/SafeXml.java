package dev.staithe.xml;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.w3c.dom.DOMException;
import org.w3c.dom.DOMImplementation;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * The one place that makes XML parsers. Every document is untrusted: document type declarations are
 * refused, and with them entities of every kind; nothing is ever fetched; size, depth, attributes,
 * names and text are bounded. Namespace-aware (Namespaces in XML 1.0). Thread-safe.
 */
public final class SafeXml {
  /** Holds nothing of its own, unlike the builder that it is asked of; to make that one is dear. */
  private static final DOMImplementation TREES = trees();

  private SafeXml() {}

  /** Reads a document into memory. Comments and processing instructions are left out. */
  public static XmlDocument parse(byte[] document, XmlLimits limits) {
    try {
      return parse(new ByteArrayInputStream(document), limits);
    } catch (IOException e) {
      throw new IllegalStateException("memory cannot be read", e);
    }
  }

  /**
   * Reads a document into memory, to the end of the stream or to where it is refused. Comments and
   * processing instructions are left out. The stream is not closed.
   *
   * @throws IOException where the stream itself fails
   */
  public static XmlDocument parse(InputStream in, XmlLimits limits) throws IOException {
    return parse(in, limits, newDocument());
  }

  /**
   * The same into a document of the caller's, which holds what came before the place where one is
   * refused.
   *
   * @param into an empty one
   */
  static XmlDocument parse(InputStream in, XmlLimits limits, Document into) throws IOException {
    return parse(in, limits, NonContent.ALL, into);
  }

  /**
   * Reads a document into memory that holds nothing but elements and text. One with a comment or a
   * processing instruction is refused ({@link XmlRefused.Kind#FORBIDDEN}): signatures do not cover
   * comments, and software differs in what the text around them is.
   */
  public static XmlDocument parsePlain(byte[] document, XmlLimits limits) {
    return parse(document, limits, NonContent.NONE);
  }

  /** Reads a document into memory that may hold just that beside elements and text. */
  public static XmlDocument parse(byte[] document, XmlLimits limits, NonContent asides) {
    try {
      return parse(new ByteArrayInputStream(document), limits, asides, newDocument());
    } catch (IOException e) {
      throw new IllegalStateException("memory cannot be read", e);
    }
  }

  private static XmlDocument parse(
      InputStream in, XmlLimits limits, NonContent asides, Document into) throws IOException {
    var input = new LimitedInput(in, limits.bytes());
    try {
      var reader = reader(input, limits);
      return new XmlDocument.Parsed(DomBuilder.build(reader, into, asides));
    } catch (XmlRefused e) {
      IOException failure = input.failure();
      if (failure != null) {
        throw failure;
      }
      return input.count() == 0
          ? new XmlDocument.Empty()
          : new XmlDocument.Refused(e.kind(), e.reason());
    } catch (DOMException e) {
      // The parser lets names with two colons pass, which no tree has.
      return new XmlDocument.Refused(XmlRefused.Kind.MALFORMED, "not well-formed XML");
    }
  }

  /**
   * A reader that gives the document piece by piece. Its methods throw {@link XmlRefused} where the
   * document is not to be read on. The stream is not closed.
   *
   * @throws XmlRefused where already the beginning is refused
   */
  public static XMLStreamReader reader(InputStream in, XmlLimits limits) throws XmlRefused {
    return reader(new LimitedInput(in, limits.bytes()), limits);
  }

  /**
   * Reads the element that a reader is at the start of into memory, and leaves the reader at its
   * end: for documents that are too large to be in memory at once. What the elements around it
   * declare is not taken over. Comments and processing instructions are left out.
   *
   * @param reader one that {@link #reader} gave
   * @throws XmlRefused where the document is not to be read on
   */
  public static Element element(XMLStreamReader reader) throws XmlRefused {
    if (!(reader instanceof GuardedReader guarded)) {
      throw new IllegalArgumentException("only what was read under limits is read into memory");
    }
    try {
      return DomBuilder.piece(guarded, newDocument());
    } catch (DOMException e) {
      throw new XmlRefused(XmlRefused.Kind.MALFORMED, "not well-formed XML");
    }
  }

  private static GuardedReader reader(LimitedInput input, XmlLimits limits) throws XmlRefused {
    try {
      return new GuardedReader(
          factory(limits).createXMLStreamReader(XmlEncoding.decode(input)), input, limits);
    } catch (XmlRefused e) {
      throw e;
    } catch (XMLStreamException | IOException | RuntimeException e) {
      throw GuardedReader.refusal(null, input, e);
    }
  }

  private static XMLInputFactory factory(XmlLimits limits) {
    // The JDK's own, whatever else lies on the class path: the properties below are its.
    var factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, true);
    factory.setProperty(XMLInputFactory.IS_VALIDATING, false);
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
    factory.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "");
    factory.setXMLResolver(
        (publicId, systemId, base, namespace) -> {
          throw new XMLStreamException("nothing is fetched");
        });
    // The five that need no declaration count as well, a text of them is as long as it is, and
    // there are no others.
    factory.setProperty("jdk.xml.maxGeneralEntitySizeLimit", 0);
    factory.setProperty("jdk.xml.totalEntitySizeLimit", 0);
    // Stops a flood inside one tag before an event shows it. One more than ours, so that ours,
    // which has the better message, comes first where it can.
    factory.setProperty("jdk.xml.elementAttributeLimit", limits.attributes() + 1);
    factory.setProperty("jdk.xml.maxXMLNameLimit", 2 * limits.nameLength() + 2);
    return factory;
  }

  /** One without anything in it. */
  static Document newDocument() {
    return TREES.createDocument(null, null, null);
  }

  private static DOMImplementation trees() {
    try {
      return DocumentBuilderFactory.newDefaultNSInstance()
          .newDocumentBuilder()
          .getDOMImplementation();
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException("this Java runtime has no XML", e);
    }
  }
}
