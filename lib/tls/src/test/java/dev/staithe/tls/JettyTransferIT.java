package dev.staithe.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.staithe.pki.KeyKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The contexts below a real server and real clients. */
class JettyTransferIT {
  private static final Clock CLOCK = Clock.systemUTC();

  @TempDir Path folder;
  private TestMaterial material;

  @BeforeEach
  void makeCertificate() {
    material = new TestMaterial(folder, CLOCK);
    material.issue("localhost", "127.0.0.1");
  }

  static List<TlsProvider> providers() {
    return Providers.all();
  }

  @ParameterizedTest
  @MethodSource("providers")
  void largeBodiesArriveUnchangedBothWays(TlsProvider provider) throws Exception {
    for (TlsProvider clientProvider : Providers.all()) {
      try (var serverTls = material.server(provider, CLOCK);
          var server = new TransferServer(serverTls);
          var clientTls = material.client(clientProvider, CLOCK);
          var client = client(clientTls)) {
        HttpResponse<InputStream> down =
            client.send(request(server, "down").build(), HttpResponse.BodyHandlers.ofInputStream());
        assertThat(down.statusCode()).isEqualTo(200);
        try (var body = down.body()) {
          assertThat(sha256(body)).isEqualTo(server.contentDigest());
        }

        HttpResponse<String> up =
            client.send(
                request(server, "up")
                    .PUT(HttpRequest.BodyPublishers.ofInputStream(TransferServer::content))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(up.body()).isEqualTo(server.contentDigest());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("providers")
  void curlTransfersBothWays(TlsProvider provider) throws Exception {
    assumeTrue(onPath("curl"), "curl is not installed");
    Path file = folder.resolve("content");
    try (var content = TransferServer.content()) {
      Files.copy(content, file);
    }
    try (var serverTls = material.server(provider, CLOCK);
        var server = new TransferServer(serverTls)) {
      for (String version : List.of("--tlsv1.3", "--tls-max=1.2")) {
        String[] flags = version.split("=");
        Path fetched = folder.resolve("fetched");
        curl(flags, "-o", fetched.toString(), server.uri("down").toString());
        try (var in = Files.newInputStream(fetched)) {
          assertThat(sha256(in)).isEqualTo(server.contentDigest());
        }
        assertThat(curl(flags, "-T", file.toString(), server.uri("up").toString()))
            .isEqualTo(server.contentDigest());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("providers")
  void keptConnectionSurvivesTheChangeOfTheCertificate(TlsProvider provider) throws Exception {
    try (var serverTls = material.server(provider, CLOCK);
        var server = new TransferServer(serverTls);
        var clientTls = material.client(provider, CLOCK);
        var kept = client(clientTls)) {
      HttpResponse<String> before = text(kept, server, "port");
      X509Certificate renewed =
          material
              .issue(KeyKind.RSA_2048, Duration.ofDays(1), "localhost", "127.0.0.1")
              .certificate();
      assertThat(serverTls.reloadIfChanged()).isTrue();

      HttpResponse<String> after = text(kept, server, "port");
      assertThat(after.body()).as("the same connection").isEqualTo(before.body());
      assertThat(certificate(after)).isEqualTo(certificate(before)).isNotEqualTo(renewed);

      try (var fresh = client(clientTls)) {
        HttpResponse<String> other = text(fresh, server, "port");
        assertThat(other.body()).as("another connection").isNotEqualTo(before.body());
        assertThat(certificate(other)).isEqualTo(renewed);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("providers")
  void clientThatEndsItsHalfStillGetsTheAnswer(TlsProvider provider) throws Exception {
    try (var serverTls = material.server(provider, CLOCK);
        var server = new TransferServer(serverTls);
        var socket = plainSocket(server)) {
      socket
          .getOutputStream()
          .write(
              "GET /down HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      // RFC 8446 §6.1: close_notify ends one direction only.
      socket.shutdownOutput();

      long received = socket.getInputStream().transferTo(OutputStream.nullOutputStream());

      assertThat(received).isGreaterThan(TransferServer.LENGTH);
    }
  }

  @ParameterizedTest
  @MethodSource("providers")
  void uploadCutOffIsNoWholeUpload(TlsProvider provider) throws Exception {
    try (var serverTls = material.server(provider, CLOCK);
        var server = new TransferServer(serverTls)) {
      try (var socket = plainSocket(server)) {
        socket
            .getOutputStream()
            .write(
                "PUT /up HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().write(new byte[500_000]);
      }
      assertThat(server.nextFailure()).isNotNull();
      assertThat(server.uploads()).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource("providers")
  void strangersCertificateIsRefusedByTheHttpClientWithItsReason(TlsProvider provider)
      throws Exception {
    material.issue("other.test");
    try (var serverTls = material.server(provider, CLOCK);
        var server = new TransferServer(serverTls);
        var clientTls = material.client(provider, CLOCK);
        var client = client(clientTls)) {
      assertThatThrownBy(() -> text(client, server, "port"))
          .isInstanceOf(IOException.class)
          .satisfies(
              failure ->
                  assertThat(ClientTls.rejection(failure))
                      .contains("certificate of 127.0.0.1 is not for 127.0.0.1"));
    }
  }

  @ParameterizedTest
  @MethodSource("providers")
  void connectionsThatBreakLeaveNoFileDescriptorsBehind(TlsProvider provider) throws Exception {
    try (var serverTls = material.server(provider, CLOCK);
        var server = new TransferServer(serverTls)) {
      shortConnection(server);
      int before = openFiles();
      int broken = 200;
      for (int i = 0; i < broken; i++) {
        shortConnection(server);
      }
      server.awaitNoConnections();

      assertThat(openFiles()).isLessThan(before + 50);
      System.out.println("trials = " + broken);
    }
  }

  /** Ends with a reset of the connection, without the goodbye of TLS. */
  private void shortConnection(TransferServer server) throws Exception {
    try (var raw = new Socket("127.0.0.1", server.uri("").getPort())) {
      raw.setTcpNoDelay(true);
      raw.setSoLinger(true, 0);
      var socket =
          (SSLSocket)
              plainContext().getSocketFactory().createSocket(raw, "127.0.0.1", raw.getPort(), true);
      socket
          .getOutputStream()
          .write(
              "GET /port HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(socket.getInputStream().read()).isEqualTo('H');
    }
  }

  /** A client that shares no code with ours. */
  private SSLSocket plainSocket(TransferServer server) throws Exception {
    var socket =
        (SSLSocket)
            plainContext().getSocketFactory().createSocket("127.0.0.1", server.uri("").getPort());
    socket.setTcpNoDelay(true);
    return socket;
  }

  private SSLContext plainContext() throws Exception {
    var store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    store.setCertificateEntry("ca", material.authority.certificate());
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    var context = SSLContext.getInstance("TLSv1.3");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  private static int openFiles() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      return (int) files.count();
    }
  }

  private static HttpClient client(ClientTls tls) {
    return HttpClient.newBuilder()
        .sslContext(tls.context())
        .version(HttpClient.Version.HTTP_1_1)
        .build();
  }

  private static HttpRequest.Builder request(TransferServer server, String path) {
    return HttpRequest.newBuilder(server.uri(path)).timeout(Duration.ofMinutes(2));
  }

  private static HttpResponse<String> text(HttpClient client, TransferServer server, String path)
      throws IOException, InterruptedException {
    return client.send(request(server, path).build(), HttpResponse.BodyHandlers.ofString());
  }

  private static X509Certificate certificate(HttpResponse<?> response) throws IOException {
    return (X509Certificate) response.sslSession().orElseThrow().getPeerCertificates()[0];
  }

  private String curl(String[] flags, String... arguments) throws Exception {
    var command =
        new ArrayList<>(
            List.of("curl", "-sS", "--fail", "--cacert", material.trustFile.toString()));
    command.addAll(List.of(flags));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (var out = process.getInputStream()) {
      String text = new String(out.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(text).isZero();
      return text;
    }
  }

  private static boolean onPath(String program) {
    return Stream.of(System.getenv("PATH").split(":"))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  private static String sha256(InputStream in) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    byte[] buffer = new byte[65_536];
    for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
      digest.update(buffer, 0, read);
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
