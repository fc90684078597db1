package dev.staithe.slcs.echo;

import dev.staithe.service.door.Answers;
import dev.staithe.service.door.SoapDoor;
import dev.staithe.slcs.door.Admission;
import dev.staithe.xml.Soap;
import dev.staithe.xml.SoapFault;
import dev.staithe.xml.SoapMessage;
import dev.staithe.xml.SoapVersion;
import dev.staithe.xml.XmlLimits;
import dev.staithe.xml.XmlText;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.web.HttpRequestHandler;
import org.w3c.dom.Element;

/**
 * Says again what it was told: {@code echo} of the ARC middleware, which is also called {@code
 * echoString} here, by SOAP 1.1 or 1.2; its description at {@code ?wsdl}. Whoever may speak to it
 * is decided in front of it.
 */
final class EchoDoor implements HttpRequestHandler {
  static final String PATH = "/echo";
  static final String NAMESPACE = "http://www.nordugrid.org/schemas/echo";

  /** The older name of the same. */
  private static final String OLD_NAMESPACE = "urn:echo";

  private static final Set<String> OPERATIONS = Set.of("echo", "echoString");

  private final String wsdl;
  private final String url;

  /**
   * @param wsdl the description, with {@code @ADDRESS@} for where it is served
   * @param url of this service
   */
  EchoDoor(String wsdl, String url) {
    this.wsdl = wsdl;
    this.url = url;
  }

  @Override
  public void handleRequest(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Optional<Admission> admission = Admission.of(request);
    if (admission.isEmpty()) {
      Answers.line(response, 404, "there is nothing here");
      return;
    }
    if (request.getMethod().equals("GET")) {
      describe(request, response);
      return;
    }
    if (!request.getMethod().equals("POST")) {
      response.setHeader("Allow", "GET, POST");
      Answers.line(response, 405, "POST is expected");
      return;
    }
    Optional<SoapMessage.Request> message =
        SoapDoor.read(request, response, XmlLimits.ofBytes(admission.get().largest()));
    if (message.isPresent()) {
      answer(message.get(), response);
    }
  }

  private void describe(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (!"wsdl".equalsIgnoreCase(request.getQueryString())) {
      Answers.line(response, 404, "the description is at ?wsdl; requests are sent by POST");
      return;
    }
    String address = XmlText.escapeAttribute(url + request.getServletPath());
    Answers.send(
        response,
        200,
        "text/xml;charset=utf-8",
        wsdl.replace("@ADDRESS@", address).getBytes(StandardCharsets.UTF_8));
  }

  private static void answer(SoapMessage.Request message, HttpServletResponse response)
      throws IOException {
    SoapVersion version = message.version();
    Element payload = message.payload();
    String operation = payload.getLocalName();
    String namespace = namespace(payload.getNamespaceURI(), version);
    if (namespace == null || !OPERATIONS.contains(operation)) {
      fault(response, version, "echo or echoString of " + NAMESPACE + " is expected");
      return;
    }
    Optional<String> said = Soap.child(payload, "say").flatMap(Soap::text);
    if (said.isEmpty()) {
      fault(response, version, operation + " holds one say with a text");
      return;
    }
    var answer = new StringBuilder(said.get().length() + 160);
    answer.append("<echo:").append(operation).append("Response xmlns:echo=\"").append(namespace);
    answer.append("\"><echo:hear>");
    XmlText.appendEscaped(answer, said.get());
    answer.append("</echo:hear></echo:").append(operation).append("Response>");
    Answers.soap(response, version, answer.toString());
  }

  /** That of the answer; null where the request's is none of ours. */
  private static @Nullable String namespace(@Nullable String asked, SoapVersion version) {
    if (OLD_NAMESPACE.equals(asked)) {
      return OLD_NAMESPACE;
    }
    // ARC's own client leaves the name unqualified: below the body it then has the envelope's.
    return asked == null || asked.equals(NAMESPACE) || asked.equals(version.namespace())
        ? NAMESPACE
        : null;
  }

  private static void fault(HttpServletResponse response, SoapVersion version, String line)
      throws IOException {
    SoapFault fault = SoapFault.sender(line);
    Answers.fault(response, fault.status(version), version, fault);
  }
}
