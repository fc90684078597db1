package dev.staithe.gateway.echo;

import dev.staithe.xml.Soap;
import dev.staithe.xml.SoapFault;
import dev.staithe.xml.SoapMessage;
import dev.staithe.xml.SoapVersion;
import dev.staithe.xml.XmlLimits;
import dev.staithe.xml.XmlText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import javax.xml.namespace.QName;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * A plain SOAP service on a free port of loopback: says again what it was told, {@code echo} of the
 * ARC middleware. It knows nothing of WS-Security. Thread-safe.
 */
public final class EchoBackEnd implements AutoCloseable {
  /** Of its requests and answers. */
  public static final String NAMESPACE = "http://www.nordugrid.org/schemas/echo";

  private static final Set<QName> UNDERSTOOD =
      Set.of(
          new QName("http://www.w3.org/2005/08/addressing", "Action"),
          new QName("http://www.w3.org/2005/08/addressing", "To"),
          new QName("http://www.w3.org/2005/08/addressing", "MessageID"),
          new QName("http://www.w3.org/2005/08/addressing", "ReplyTo"),
          new QName("http://www.w3.org/2005/08/addressing", "From"));

  private final Server server;
  private final ServerConnector connector;

  /**
   * Starts it.
   *
   * @throws IllegalStateException where it does not start
   */
  public EchoBackEnd() {
    QueuedThreadPool threads = new QueuedThreadPool(16, 2);
    threads.setName("echo");
    threads.setDaemon(true);
    server = new Server(threads);
    connector = new ServerConnector(server, 1, 1);
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    server.setHandler(new Door());
    try {
      server.start();
    } catch (Exception e) { // Whatever Jetty throws.
      throw new IllegalStateException("the built-in back end does not start: " + e, e);
    }
  }

  /** Where it is. */
  public URI address() {
    return URI.create("http://127.0.0.1:" + connector.getLocalPort() + "/echo");
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) { // Whatever Jetty throws.
      throw new IllegalStateException("the built-in back end does not stop: " + e, e);
    }
  }

  private final class Door extends Handler.Abstract {
    @Override
    public boolean handle(Request request, Response response, Callback callback)
        throws IOException {
      if (request.getMethod().equals("GET")) {
        answer(response, callback, 200, "text/xml;charset=utf-8", wsdl());
        return true;
      }
      Optional<SoapVersion> version = Soap.ofContentType(request.getHeaders().get("Content-Type"));
      if (!request.getMethod().equals("POST") || version.isEmpty()) {
        answer(
            response,
            callback,
            415,
            "text/plain",
            "SOAP is expected\n".getBytes(StandardCharsets.US_ASCII));
        return true;
      }
      SoapMessage message =
          Soap.read(
              Content.Source.asInputStream(request), XmlLimits.ofBytes(32L << 20), UNDERSTOOD);
      switch (message) {
        case SoapMessage.Refused(SoapVersion told, SoapFault fault, _) ->
            answer(
                response,
                callback,
                fault.status(told),
                told.contentType(),
                Soap.fault(told, fault));
        case SoapMessage.Request asked -> echo(asked, response, callback);
      }
      return true;
    }

    private void echo(SoapMessage.Request asked, Response response, Callback callback) {
      SoapVersion version = asked.version();
      String operation = asked.payload().getLocalName();
      Optional<String> said = Soap.child(asked.payload(), "say").flatMap(Soap::text);
      if (!NAMESPACE.equals(asked.payload().getNamespaceURI())
          || !("echo".equals(operation) || "echoString".equals(operation))
          || said.isEmpty()) {
        SoapFault fault = SoapFault.sender("echo of " + NAMESPACE + " with a say is expected");
        answer(
            response,
            callback,
            fault.status(version),
            version.contentType(),
            Soap.fault(version, fault));
        return;
      }
      String payload =
          "<echo:"
              + operation
              + "Response xmlns:echo=\""
              + NAMESPACE
              + "\"><echo:hear>"
              + XmlText.escape(said.get())
              + "</echo:hear></echo:"
              + operation
              + "Response>";
      answer(response, callback, 200, version.contentType(), Soap.answer(version, payload));
    }

    private byte[] wsdl() {
      try (InputStream in = EchoBackEnd.class.getResourceAsStream("echo.wsdl")) {
        if (in == null) {
          throw new IllegalStateException("echo.wsdl is not in the jar");
        }
        return new String(in.readAllBytes(), StandardCharsets.UTF_8)
            .replace("@ADDRESS@", address().toString())
            .getBytes(StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static void answer(
        Response response, Callback callback, int status, String type, byte[] content) {
      response.setStatus(status);
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
      response.getHeaders().put(HttpHeader.CONTENT_LENGTH, content.length);
      response.write(true, ByteBuffer.wrap(content), callback);
    }
  }
}
