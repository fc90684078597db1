import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.Dispatch;
import jakarta.xml.ws.Service;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import javax.xml.namespace.QName;
import javax.xml.transform.Source;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;

/**
 * A program of Metro's users: knows the address of a description, keys by wsit-client.xml, and
 * nothing of WS-Security. Run by itself, from its source, with Metro on its class path. Does what it
 * is told, a line each, by whoever listens at a port of loopback: {@code open DESCRIPTION PORT} makes
 * a port for what follows, {@code close} lets it go, everything else is a payload to call with.
 */
public final class MetroCaller {
  private static final String NAMESPACE = "http://www.nordugrid.org/schemas/echo";

  private MetroCaller() {}

  public static void main(String[] arguments) throws Exception {
    try (Socket socket =
            new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]));
        BufferedReader told =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        PrintStream tells =
            new PrintStream(socket.getOutputStream(), true, StandardCharsets.UTF_8)) {
      String user = told.readLine();
      String password = told.readLine();
      Dispatch<Source> dispatch = null;
      for (String line = told.readLine(); line != null; line = told.readLine()) {
        String answer;
        try {
          if (line.startsWith("open ")) {
            String[] words = line.split(" ");
            dispatch = dispatch(URI.create(words[1]), words[2], user, password);
            answer = "open";
          } else if (line.equals("close")) {
            ((java.io.Closeable) dispatch).close();
            answer = "closed";
          } else {
            answer = "heard " + call(dispatch, line);
          }
        } catch (Exception e) {
          e.printStackTrace();
          answer = "failed " + e;
        }
        tells.println(answer.replace('\n', ' '));
      }
    }
  }

  private static Dispatch<Source> dispatch(
      URI description, String port, String user, String password) throws Exception {
    Dispatch<Source> dispatch =
        Service.create(description.toURL(), new QName(NAMESPACE, "EchoService"))
            .createDispatch(new QName(NAMESPACE, port), Source.class, Service.Mode.PAYLOAD);
    dispatch.getRequestContext().put(BindingProvider.SOAPACTION_USE_PROPERTY, true);
    dispatch.getRequestContext().put(BindingProvider.SOAPACTION_URI_PROPERTY, "echo");
    dispatch.getRequestContext().put(BindingProvider.USERNAME_PROPERTY, user);
    dispatch.getRequestContext().put(BindingProvider.PASSWORD_PROPERTY, password);
    return dispatch;
  }

  private static String call(Dispatch<Source> dispatch, String payload) throws Exception {
    StringWriter out = new StringWriter();
    TransformerFactory.newInstance()
        .newTransformer()
        .transform(
            dispatch.invoke(new StreamSource(new StringReader(payload))), new StreamResult(out));
    return out.toString();
  }
}
