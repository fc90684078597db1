package dev.staithe.echo;

import dev.staithe.xml.Elements;
import dev.staithe.xml.Soap;
import dev.staithe.xml.XmlText;
import jakarta.servlet.http.HttpServletRequest;
import java.io.StringReader;
import java.util.Optional;
import java.util.function.UnaryOperator;
import javax.xml.transform.Source;
import javax.xml.transform.stream.StreamSource;
import org.springframework.ws.server.endpoint.annotation.Endpoint;
import org.springframework.ws.server.endpoint.annotation.PayloadRoot;
import org.springframework.ws.server.endpoint.annotation.RequestPayload;
import org.springframework.ws.server.endpoint.annotation.ResponsePayload;
import org.w3c.dom.Element;

/** {@code echoString} by SOAP; described at {@code /services/echo.wsdl}. */
@Endpoint
final class SoapEcho {
  static final String NAMESPACE = "http://www.nordugrid.org/schemas/echo";

  private final Echo echo;
  private final UnaryOperator<String> next;
  private final HttpServletRequest request;

  /**
   * @param request that of the call that is being served, as Spring injects it
   */
  SoapEcho(Echo echo, UnaryOperator<String> next, HttpServletRequest request) {
    this.echo = echo;
    this.next = next;
    this.request = request;
  }

  /** The method that a developer writes. */
  @PayloadRoot(namespace = NAMESPACE, localPart = "echoString")
  @ResponsePayload
  Source echoString(@RequestPayload Element asked) {
    Optional<String> said = Soap.child(asked, "say").flatMap(Soap::text);
    if (said.isEmpty() || Elements.children(asked).size() != 1) {
      throw new IllegalArgumentException("echoString holds one say with a text, and nothing else");
    }
    return payload(
        "echoStringResponse", "hear", echo.echo(said.get(), request.getRemoteUser(), next));
  }

  /** An element of the service with one in it. */
  static Source payload(String name, String inner, String text) {
    return new StreamSource(
        new StringReader(
            "<echo:%1$s xmlns:echo=\"%2$s\"><echo:%3$s>%4$s</echo:%3$s></echo:%1$s>"
                .formatted(name, NAMESPACE, inner, XmlText.escape(text))));
  }
}
