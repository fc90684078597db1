package dev.staithe.gateway.wss;

import java.io.ByteArrayOutputStream;
import java.util.List;
import javax.xml.crypto.dsig.XMLSignatureFactory;
import org.apache.wss4j.dom.engine.WSSConfig;
import org.apache.xml.security.c14n.Canonicalizer;
import org.apache.xml.security.exceptions.XMLSecurityException;
import org.w3c.dom.Element;

/** Begins Santuario and WSS4J once, and gives what is needed of them. */
final class XmlSecurity {
  static final String EXCLUSIVE = Canonicalizer.ALGO_ID_C14N_EXCL_OMIT_COMMENTS;

  static {
    // Read once, when Santuario begins: base64 without line breaks, as others write it.
    System.setProperty("org.apache.xml.security.ignoreLineBreaks", "true");
    // Of providers only the one for XML signatures, which is asked for by name.
    WSSConfig.setAddJceProviders(false);
    WSSConfig.init();
    org.apache.xml.security.Init.init();
  }

  private XmlSecurity() {}

  /** Does nothing the second time. */
  static void begin() {
    // The static part has run.
  }

  /** Santuario's, whatever else is installed. */
  static XMLSignatureFactory signatures() {
    return XMLSignatureFactory.getInstance(
        "DOM", new org.apache.jcp.xml.dsig.internal.dom.XMLDSigRI());
  }

  /** Exclusive canonical form, with prefixes that are kept although they are not visibly used. */
  static byte[] canonical(Element element, List<String> prefixes) {
    var out = new ByteArrayOutputStream();
    try {
      Canonicalizer.getInstance(EXCLUSIVE)
          .canonicalizeSubtree(element, String.join(" ", prefixes), out);
    } catch (XMLSecurityException e) {
      throw new IllegalStateException("a tree has no canonical form", e);
    }
    return out.toByteArray();
  }
}
