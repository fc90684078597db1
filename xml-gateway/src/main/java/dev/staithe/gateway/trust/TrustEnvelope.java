package dev.staithe.gateway.trust;

import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Opening;
import dev.staithe.wss.PlainMessage;
import dev.staithe.wss.trust.TokenAnswer;
import dev.staithe.wss.trust.TrustAction;
import dev.staithe.wss.trust.TrustFault;
import dev.staithe.wss.trust.TrustVersion;
import dev.staithe.xml.SoapVersion;
import dev.staithe.xml.XmlText;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Writes the envelopes of answers, with addressing where the request had it. */
final class TrustEnvelope {
  private TrustEnvelope() {}

  static byte[] answer(Opening.Opened request, TrustAction action, TokenAnswer answer) {
    return envelope(request.message(), action.answer(), answer.payload());
  }

  static byte[] fault(Opening.Opened request, TrustVersion version, TrustFault fault) {
    PlainMessage message = request.message();
    String namespace = message.addressing().namespace();
    return envelope(
        message,
        // WS-Addressing 1.0 SOAP binding section 6, and section 4 of the one of 2004.
        Namespaces.WSA.equals(namespace) ? namespace + "/soap/fault" : namespace + "/fault",
        fault.payload(message.version(), version));
  }

  private static byte[] envelope(PlainMessage request, String action, String payload) {
    SoapVersion version = request.version();
    var out = new StringBuilder(payload.length() + 512);
    out.append("<soap:Envelope xmlns:soap=\"").append(version.namespace()).append("\">");
    PlainMessage.Addressing addressing = request.addressing();
    if (addressing.namespace() != null) {
      String declared = " xmlns:wsa=\"" + XmlText.escapeAttribute(addressing.namespace()) + "\"";
      out.append("<soap:Header>");
      block(out, "Action", declared, action);
      block(out, "RelatesTo", declared, addressing.relation());
      out.append("</soap:Header>");
    }
    return out.append("<soap:Body>")
        .append(payload)
        .append("</soap:Body></soap:Envelope>")
        .toString()
        .getBytes(StandardCharsets.UTF_8);
  }

  private static void block(
      StringBuilder out, String name, String declared, @Nullable String text) {
    if (text != null) {
      out.append("<wsa:").append(name).append(declared).append('>');
      XmlText.appendEscaped(out, text);
      out.append("</wsa:").append(name).append('>');
    }
  }
}
