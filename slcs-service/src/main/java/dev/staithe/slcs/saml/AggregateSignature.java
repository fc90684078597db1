package dev.staithe.slcs.saml;

import dev.staithe.xml.SafeXml;
import dev.staithe.xml.XmlLimits;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.apache.xml.security.exceptions.XMLSecurityException;
import org.apache.xml.security.stax.ext.XMLSec;
import org.apache.xml.security.stax.ext.XMLSecurityConstants;
import org.apache.xml.security.stax.ext.XMLSecurityProperties;
import org.apache.xml.security.stax.securityEvent.SignedElementSecurityEvent;

/**
 * Checks the signature of an aggregate while it passes by, so that thousands of entities are never
 * in memory at once. The form of the signature (one reference, to the root; algorithms) is checked
 * by whoever reads the entities.
 */
final class AggregateSignature {
  private static final QName ID = new QName("ID");

  private AggregateSignature() {}

  /**
   * Checks that the root is signed by the key of that certificate.
   *
   * @throws IOException with one line where it is not
   */
  static void verify(Path file, XmlLimits limits, X509Certificate signer) throws IOException {
    var properties = new XMLSecurityProperties();
    properties.addAction(XMLSecurityConstants.SIGNATURE);
    properties.setSignatureVerificationKey(signer.getPublicKey());
    properties.setIdAttributeNS(ID);
    properties.setDisableSchemaValidation(true);
    List<List<QName>> signed = new ArrayList<>();
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      XMLStreamReader reader =
          XMLSec.getInboundWSSec(properties)
              .processInMessage(
                  SafeXml.reader(in, limits),
                  List.of(),
                  event -> {
                    if (event instanceof SignedElementSecurityEvent element) {
                      signed.add(element.getElementPath());
                    }
                  });
      while (reader.hasNext()) {
        reader.next();
      }
    } catch (XMLSecurityException | XMLStreamException | RuntimeException e) {
      throw new IOException(file.getFileName() + " is not signed as it must be: " + line(e), e);
    }
    if (signed.size() != 1 || signed.getFirst().size() != 1) {
      throw new IOException(file.getFileName() + " has no signature of the whole");
    }
  }

  private static String line(Throwable e) {
    Throwable deepest = e;
    while (deepest.getCause() != null) {
      deepest = deepest.getCause();
    }
    return String.valueOf(deepest.getMessage()).lines().findFirst().orElse("no reason is known");
  }
}
