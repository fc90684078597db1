package dev.staithe.gateway.interop;

import dev.staithe.gateway.echo.EchoBackEnd;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.pki.Credential;
import dev.staithe.testkit.Eventually;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Metro (WSIT), in a process of its own: {@code MetroCaller.java}. It is given the address of a
 * description, and its own keys by {@code wsit-client.xml}, as its users do. One process makes
 * ports one after the other: Metro takes seconds of processor time to start.
 */
final class MetroClient implements AutoCloseable {
  /** Of the files; nobody keeps them. */
  private static final String PASSWORD = "changeit";

  private static final Path LIBRARIES = Path.of("target", "metro");

  private final ManagedProcess process;
  private final Socket socket;
  private final BufferedReader tells;
  private final PrintStream told;

  private MetroClient(ManagedProcess process, Socket socket) throws IOException {
    this.process = process;
    this.socket = socket;
    this.tells =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    this.told = new PrintStream(socket.getOutputStream(), true, StandardCharsets.UTF_8);
  }

  /**
   * Starts one.
   *
   * @param folder for its files
   * @param lifetime that it asks for contexts to have
   */
  static MetroClient start(Path folder, InteropSite site, Credential own, Duration lifetime)
      throws IOException, GeneralSecurityException {
    Path source = copy("/dev/staithe/gateway/interop/MetroCaller.java", folder);
    Path keys = folder.resolve("caller.p12");
    store(keys, own, null);
    Path trust = folder.resolve("messages.p12");
    store(trust, null, site.messages().credential().certificate());
    add(trust, "people", site.people().issuer().certificate());
    Path tls = folder.resolve("tls.p12");
    store(tls, null, site.gateway().authority().issuer().certificate());
    Files.writeString(
        Files.createDirectories(folder.resolve("classes/META-INF")).resolve("wsit-client.xml"),
        configuration(keys, trust, lifetime));
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      server.setSoTimeout(Math.toIntExact(Eventually.LONGEST.toMillis()));
      ManagedProcess process =
          ManagedProcess.start(
              List.of(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  // It is over before the second compiler pays.
                  "-XX:TieredStopAtLevel=1",
                  "-XX:+UseSerialGC",
                  "-Djavax.net.ssl.trustStore=" + tls,
                  "-Djavax.net.ssl.trustStorePassword=" + PASSWORD,
                  "-Duser.timezone=UTC",
                  "-cp",
                  folder.resolve("classes") + ":" + LIBRARIES.toAbsolutePath() + "/*",
                  source.toString(),
                  Integer.toString(server.getLocalPort())),
              Map.of(),
              folder.resolve("metro.log"));
      try {
        MetroClient client = new MetroClient(process, server.accept());
        client.told.println(InteropSite.USER);
        client.told.println(InteropSite.PASSWORD);
        return client;
      } catch (SocketTimeoutException e) {
        String output = process.output();
        process.close();
        throw new AssertionError("Metro does not start:\n" + output, e);
      }
    }
  }

  private static Path copy(String resource, Path folder) throws IOException {
    try (InputStream in = MetroClient.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IOException(resource + " is not among the resources");
      }
      Path file = folder.resolve(resource.substring(resource.lastIndexOf('/') + 1));
      Files.copy(in, file);
      return file;
    }
  }

  private static void store(Path file, Credential own, X509Certificate other)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, PASSWORD.toCharArray());
    if (own != null) {
      store.setKeyEntry(
          "own", own.key(), PASSWORD.toCharArray(), own.chain().toArray(Certificate[]::new));
    }
    if (other != null) {
      store.setCertificateEntry("other", other);
    }
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, PASSWORD.toCharArray());
    }
  }

  private static void add(Path file, String name, X509Certificate certificate)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD.toCharArray());
    }
    store.setCertificateEntry(name, certificate);
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, PASSWORD.toCharArray());
    }
  }

  /** The description of the echo, with what its client knows beside it. */
  private static String configuration(Path keys, Path trust, Duration lifetime) throws IOException {
    String description;
    try (InputStream in = EchoBackEnd.class.getResourceAsStream("echo.wsdl")) {
      if (in == null) {
        throw new IOException("there is no echo.wsdl");
      }
      description = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    String policy =
        """
        <wsp:Policy wsu:Id="OfTheClient"
            xmlns:wsp="http://schemas.xmlsoap.org/ws/2004/09/policy"
            xmlns:wsu="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"
            xmlns:wspp="http://java.sun.com/xml/ns/wsit/policy">
          <wsp:ExactlyOne>
            <wsp:All>
              <sc:KeyStore xmlns:sc="http://schemas.sun.com/2006/03/wss/client"
                  wspp:visibility="private" type="PKCS12" location="%1$s" storepass="%3$s" alias="own"/>
              <sc:TrustStore xmlns:sc="http://schemas.sun.com/2006/03/wss/client"
                  wspp:visibility="private" type="PKCS12" location="%2$s" storepass="%3$s" peeralias="other"/>
              <scc:SCClientConfiguration xmlns:scc="http://schemas.sun.com/ws/2006/05/sc/client"
                  wspp:visibility="private" renewExpiredSCT="true">
                <scc:LifeTime>%4$d</scc:LifeTime>
              </scc:SCClientConfiguration>
            </wsp:All>
          </wsp:ExactlyOne>
        </wsp:Policy>
        """
            .formatted(keys, trust, PASSWORD, lifetime.toMillis());
    String reference =
        "<wsp:PolicyReference xmlns:wsp=\"http://schemas.xmlsoap.org/ws/2004/09/policy\""
            + " URI=\"#OfTheClient\"/>";
    return description
        .replace("@ADDRESS@", "http://localhost/")
        .replace("<wsdl:types>", policy + "<wsdl:types>")
        .replace("<soap:binding ", reference + "<soap:binding ")
        .replace("<soap12:binding ", reference + "<soap12:binding ");
  }

  /** Reads a description and makes a port of it, with which it calls from now on. */
  void open(URI endpoint, String port) throws IOException {
    String answer = ask("open " + endpoint + "?wsdl " + port);
    if (!answer.equals("open")) {
      throw new AssertionError(answer + "\n" + process.output());
    }
  }

  /** Calls once; gives what came of it in one line. */
  String say(String payload) throws IOException {
    return ask(payload);
  }

  /** Lets the port go, and its context with it. */
  String closePort() throws IOException {
    return ask("close");
  }

  private String ask(String line) throws IOException {
    told.println(line);
    String answer = tells.readLine();
    return answer == null ? "ended:\n" + process.output() : answer;
  }

  /** What the program wrote. */
  String output() {
    return process.output();
  }

  @Override
  public void close() throws IOException {
    socket.close();
    process.close();
  }
}
