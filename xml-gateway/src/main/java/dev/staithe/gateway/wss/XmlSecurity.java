package dev.staithe.gateway.wss;

import java.io.ByteArrayOutputStream;
import java.security.Provider;
import java.util.List;
import javax.xml.crypto.dsig.XMLSignatureFactory;
import org.apache.jcp.xml.dsig.internal.dom.XMLDSigRI;
import org.apache.wss4j.common.crypto.WSProviderConfig;
import org.apache.wss4j.dom.engine.WSSConfig;
import org.apache.wss4j.dom.transform.STRTransformProvider;
import org.apache.xml.security.c14n.Canonicalizer;
import org.apache.xml.security.exceptions.XMLSecurityException;
import org.w3c.dom.Element;

/** Begins Santuario and WSS4J once, and gives what is needed of them. */
final class XmlSecurity {
  static final String EXCLUSIVE = Canonicalizer.ALGO_ID_C14N_EXCL_OMIT_COMMENTS;

  private static final Provider PROVIDER = new XMLDSigRI();

  static {
    // Read once, when Santuario begins: base64 without line breaks, as others write it.
    System.setProperty("org.apache.xml.security.ignoreLineBreaks", "true");
    // Of its providers only those that are asked for by their own names, and last: WSS4J would put
    // them and Bouncy Castle before the runtime's, for everything in this process.
    WSSConfig.setAddJceProviders(false);
    WSSConfig.init();
    WSProviderConfig.appendJceProvider("ApacheXMLDSig", PROVIDER);
    WSProviderConfig.appendJceProvider("STRTransform", new STRTransformProvider());
    org.apache.xml.security.Init.init();
  }

  private XmlSecurity() {}

  /** Does nothing the second time. */
  static void begin() {
    // The static part has run.
  }

  /** Santuario's, whatever else is installed. */
  static XMLSignatureFactory signatures() {
    return XMLSignatureFactory.getInstance("DOM", PROVIDER);
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
