package dev.staithe.perf.cxf;

import jakarta.xml.ws.Provider;
import jakarta.xml.ws.Service;
import jakarta.xml.ws.ServiceMode;
import jakarta.xml.ws.WebServiceException;
import jakarta.xml.ws.WebServiceProvider;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.XMLStreamWriter;
import javax.xml.transform.Source;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.binding.soap.SoapVersion;
import org.apache.cxf.phase.PhaseInterceptorChain;
import org.apache.cxf.staxutils.StaxSource;
import org.apache.cxf.staxutils.StaxUtils;

/** Takes what is in the body of any request to the back end, and what is in the answer's back. */
@WebServiceProvider(
    serviceName = "RelayService",
    portName = "RelayPort",
    targetNamespace = "urn:staithe:perf:relay")
@ServiceMode(Service.Mode.PAYLOAD)
final class RelayProvider implements Provider<Source> {
  private static final int USUAL_SIZE = 4096;

  private final BackEnd backEnd;

  RelayProvider(BackEnd backEnd) {
    this.backEnd = backEnd;
  }

  @Override
  public Source invoke(Source payload) {
    SoapVersion version = ((SoapMessage) PhaseInterceptorChain.getCurrentMessage()).getVersion();
    try {
      byte[] answer =
          backEnd.ask(envelope(payload, version), version.getContentType() + "; charset=utf-8");
      XMLStreamReader reader = StaxUtils.createXMLStreamReader(new ByteArrayInputStream(answer));
      toBodysContent(reader);
      return new StaxSource(reader);
    } catch (IOException | XMLStreamException e) {
      throw new WebServiceException("the back end failed: " + e.getMessage(), e);
    }
  }

  private static byte[] envelope(Source payload, SoapVersion version) throws XMLStreamException {
    var bytes = new ByteArrayOutputStream(USUAL_SIZE);
    XMLStreamWriter writer = StaxUtils.createXMLStreamWriter(bytes, "UTF-8");
    String soap = version.getNamespace();
    writer.writeStartElement("soap", "Envelope", soap);
    writer.writeNamespace("soap", soap);
    writer.writeStartElement("soap", "Body", soap);
    StaxUtils.copy(payload, writer);
    writer.writeEndElement();
    writer.writeEndElement();
    writer.close();
    return bytes.toByteArray();
  }

  private static void toBodysContent(XMLStreamReader reader) throws XMLStreamException {
    int depth = 0;
    boolean inBody = false;
    while (reader.hasNext()) {
      int event = reader.next();
      if (event == XMLStreamConstants.START_ELEMENT) {
        depth++;
        if (inBody && depth == 3) {
          return;
        }
        inBody = depth == 2 && reader.getLocalName().equals("Body");
      } else if (event == XMLStreamConstants.END_ELEMENT) {
        depth--;
      }
    }
    throw new XMLStreamException("the answer's body is empty");
  }
}
