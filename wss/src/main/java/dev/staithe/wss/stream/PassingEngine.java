package dev.staithe.wss.stream;

import dev.staithe.wss.Arrival;
import dev.staithe.wss.Caller;
import dev.staithe.wss.Departure;
import dev.staithe.wss.Engine;
import dev.staithe.wss.Expectation;
import dev.staithe.wss.Findings;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Opening;
import dev.staithe.wss.PlainMessage;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.Reply;
import dev.staithe.wss.Sealing;
import dev.staithe.wss.policy.Binding;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.SoapVersion;
import dev.staithe.xml.XmlLimits;
import dev.staithe.xml.XmlRefused;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Map;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** Checks limits and passes messages that nothing, or TLS alone, protects. Thread-safe. */
public final class PassingEngine implements Engine {
  private static final Reply.Keys NO_KEYS = new Reply.Keys.None();

  @Override
  public Opening open(Arrival arrival) {
    Expectation.Limits limits = arrival.expectation().limits();
    if (arrival.expectation().policy().binding() instanceof Binding.Transport(boolean wanted)) {
      if (!arrival.transport().tls()) {
        return new Opening.Refused(Refusal.TRANSPORT, "TLS is demanded");
      }
      if (wanted && arrival.transport().certificate() == null) {
        return new Opening.Refused(Refusal.AUTHENTICATION, "no certificate that is believed");
      }
    }
    try {
      return read(
          SafeXml.reader(
              new ByteArrayInputStream(arrival.envelope()),
              new XmlLimits(
                  limits.bytes(), limits.depth(), limits.attributes(), 1000, Integer.MAX_VALUE)),
          arrival);
    } catch (XmlRefused e) {
      return new Opening.Refused(
          e.kind() == XmlRefused.Kind.MALFORMED ? Refusal.MALFORMED : Refusal.LIMIT, e.reason());
    } catch (XMLStreamException e) {
      return new Opening.Refused(Refusal.MALFORMED, "no well-formed XML");
    }
  }

  private static Opening read(XMLStreamReader reader, Arrival arrival) throws XMLStreamException {
    int depth = 0;
    SoapVersion version = null;
    boolean inBody = false;
    QName operation = null;
    @Nullable String[] addressing = new @Nullable String[5];
    while (reader.hasNext()) {
      int event = reader.next();
      if (event == XMLStreamConstants.END_ELEMENT) {
        depth--;
      } else if (event == XMLStreamConstants.START_ELEMENT) {
        depth++;
        if (depth == 1) {
          version = version(reader.getName());
          if (version == null) {
            return new Opening.Refused(Refusal.MALFORMED, "no envelope of SOAP 1.1 or 1.2");
          }
        } else if (depth == 2) {
          inBody = "Body".equals(reader.getLocalName());
        } else if (depth == 3 && inBody && operation == null) {
          operation = reader.getName();
        } else if (!inBody && (depth == 3 || depth == 4)) {
          depth -= addressing(reader, addressing);
        }
      }
    }
    if (version == null || !inBody) {
      return new Opening.Refused(Refusal.MALFORMED, "no body in the envelope");
    }
    Caller caller = arrival.transport().certificate();
    return new Opening.Opened(
        new PlainMessage(
            version,
            List.of(),
            new byte[0],
            Map.of(),
            operation,
            new PlainMessage.Addressing(
                addressing[0], addressing[1], addressing[2], addressing[3], addressing[4])),
        caller == null ? new Caller.Anonymous() : caller,
        new Reply(version, NO_KEYS, List.of(), addressing[2]),
        Findings.NOTHING);
  }

  private static int addressing(XMLStreamReader reader, @Nullable String[] into)
      throws XMLStreamException {
    String namespace = reader.getNamespaceURI();
    if (!Namespaces.WSA.equals(namespace) && !Namespaces.WSA_2004.equals(namespace)) {
      return 0;
    }
    int place =
        switch (reader.getLocalName()) {
          case "Action" -> 1;
          case "MessageID" -> 2;
          case "To" -> 3;
          case "Address" -> 4;
          default -> 0;
        };
    if (place == 0) {
      return 0;
    }
    into[0] = namespace;
    into[place] = reader.getElementText();
    return 1;
  }

  private static @Nullable SoapVersion version(QName root) {
    for (SoapVersion version : SoapVersion.values()) {
      if (root.equals(new QName(version.namespace(), "Envelope"))) {
        return version;
      }
    }
    return null;
  }

  @Override
  public Sealing protect(Departure departure) {
    return new Sealing.Sealed(departure.envelope());
  }
}
