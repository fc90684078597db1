package dev.staithe.gateway.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.MessageSite;
import dev.staithe.gateway.RunningGateway;
import dev.staithe.gateway.mime.XopPackage;
import dev.staithe.gateway.route.RecordingService;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Needs mvn package: the released jar with a heap of 256 MB, and clients that want all of it. */
final class SmallHeapIT {
  private static final String GOOD =
      "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>"
          + "<say xmlns=\"urn:t\">hello</say></s:Body></s:Envelope>";
  private static final int ANNOUNCED = 33_000_000;
  private static final int SENT = 2_300_000;

  /** As much of a message as one address has room for, in either of two. */
  private static final int LONG = 23 << 20;

  /** A letter for which each other one takes two bytes in memory. */
  private static final String WIDE = "\u017f";

  private static final Duration ATTACK = Duration.ofSeconds(5);

  @TempDir private static Path folder;
  private static RecordingService service;
  private static ThrowAwayAuthority authority;
  private static ManagedProcess gateway;
  private static int port;

  @BeforeAll
  static void start() throws IOException {
    service = MessageSite.service();
    authority = ThrowAwayAuthority.in(folder.resolve("tls"), Clock.systemUTC());
    ThrowAwayAuthority.Host host = authority.localhost();
    port = FreePort.next();
    Map<String, Object> settings = new LinkedHashMap<>(MessageSite.in(folder).settings());
    List<String> policies = List.of("none", "transport-username", "username", "x509");
    for (int i = 0; i < policies.size(); i++) {
      settings.putAll(
          RunningGateway.endpoint(i, "/" + policies.get(i), policies.get(i), service.address()));
    }
    settings.put("server.address", "127.0.0.1");
    settings.put("server.port", port);
    settings.put("staithe.url", "https://localhost:" + port);
    settings.put("staithe.state", folder.resolve("state"));
    settings.put("staithe.tls.certificate", host.certificate());
    settings.put("staithe.tls.key", host.key());
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx256m");
    command.add("-jar");
    command.add("target/xml-gateway.jar");
    settings.forEach((key, value) -> command.add("--" + key + "=" + value));
    gateway = ManagedProcess.start(command, Map.of(), folder.resolve("gateway.log"));
    gateway.awaitPort(port, Eventually.LONGEST);
  }

  @AfterAll
  static void stop() {
    gateway.close();
    service.close();
  }

  private static Socket connect(String from) throws IOException {
    Socket plain = new Socket();
    plain.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
    plain.connect(new InetSocketAddress("127.0.0.1", port));
    Socket socket =
        authority.clientContext().getSocketFactory().createSocket(plain, "localhost", port, true);
    socket.setSoTimeout((int) Eventually.LONGEST.toMillis());
    return socket;
  }

  private static byte[] request(String endpoint, String type, int length) {
    return ("POST /"
            + endpoint
            + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
            + type
            + "\r\nSOAPAction: \"\"\r\nConnection: close\r\nContent-Length: "
            + length
            + "\r\n\r\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** The line of the status, empty where there is none. */
  private static String answer(String from, String endpoint, byte[] body) throws IOException {
    String type = body[0] == '-' ? XopPackage.TYPE : "text/xml";
    try (Socket socket = connect(from)) {
      OutputStream out = socket.getOutputStream();
      out.write(request(endpoint, type, body.length));
      out.write(body);
      out.flush();
      byte[] first = socket.getInputStream().readNBytes(12);
      return new String(first, StandardCharsets.US_ASCII);
    }
  }

  private interface Attack {
    String once() throws IOException;
  }

  /**
   * Repeats attacks at once for a time, while somebody else calls, and wants an answer each.
   *
   * @return what the attackers were answered
   */
  private static Set<String> under(List<Attack> attacks) throws Exception {
    Set<String> answers = ConcurrentHashMap.newKeySet();
    var tried = new AtomicInteger();
    long end = System.nanoTime() + ATTACK.toNanos();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      for (Attack each : attacks) {
        all.add(
            threads.submit(
                () -> {
                  while (System.nanoTime() < end) {
                    tried.incrementAndGet();
                    try {
                      answers.add(each.once());
                    } catch (IOException e) {
                      // It was refused before all was sent.
                    }
                  }
                }));
      }
      int good = 0;
      while (System.nanoTime() < end) {
        assertThat(answer("127.0.0.1", "none", GOOD.getBytes(StandardCharsets.US_ASCII)))
            .as("after %s good ones: %s", good, gateway.output())
            .isEqualTo("HTTP/1.1 200");
        good++;
      }
      for (Future<?> each : all) {
        each.get();
      }
    }
    Trials.held(tried.get());
    assertThat(gateway.output()).doesNotContain("OutOfMemoryError");
    assertThat(answer("127.0.0.1", "none", lengthy("text ", 16 << 20))).isEqualTo("HTTP/1.1 200");
    return answers;
  }

  private static byte[] lengthy(String piece, int bytes) {
    String header =
        "<s:Header><w:Security xmlns:w=\"http://docs.oasis-open.org/wss/2004/01/"
            + "oasis-200401-wss-wssecurity-secext-1.0.xsd\"><x xmlns=\"urn:x\"/></w:Security>"
            + "</s:Header><s:Body>";
    return GOOD.replace("<s:Body>", header)
        .replace("hello", WIDE + piece.repeat(bytes / piece.length()))
        .getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void bodiesThatAreAnnouncedAndNotSentLeaveRoomForOthers() throws Exception {
    byte[] some = new byte[SENT];
    List<Attack> attacks = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      attacks.add(
          () -> {
            try (Socket socket = connect("127.0.0.2")) {
              socket.getOutputStream().write(request("none", "text/xml", ANNOUNCED));
              socket.getOutputStream().write(some);
              // A refusal comes; else nothing, and the next one begins.
              socket.setSoTimeout(500);
              socket.getInputStream().read();
              return "";
            }
          });
    }
    under(attacks);
  }

  @ParameterizedTest
  @ValueSource(strings = {"text ", "<![CDATA[x]]>"})
  void longMessagesThatAreJudgedLeaveRoomForOthers(String piece) throws Exception {
    byte[] body = lengthy(piece, LONG);
    List<Attack> attacks = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      String from = i % 2 == 0 ? "127.0.0.2" : "127.0.0.3";
      String endpoint = i % 3 == 0 ? "x509" : "transport-username";
      attacks.add(() -> answer(from, endpoint, body));
    }
    assertThat(under(attacks)).contains("HTTP/1.1 500");
  }

  /** What is put into an envelope is a third longer there, and the parts are held as well. */
  @Test
  void longMessagesInPartsLeaveRoomForOthers() throws Exception {
    String envelope =
        new String(lengthy("text ", 0), StandardCharsets.UTF_8)
            .replace(
                WIDE,
                "<i:Include xmlns:i=\"http://www.w3.org/2004/08/xop/include\" href=\"cid:a\"/>");
    byte[] body = XopPackage.of(envelope).with("a", new byte[LONG]).closed();
    List<Attack> attacks = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      String from = i % 2 == 0 ? "127.0.0.2" : "127.0.0.3";
      attacks.add(() -> answer(from, "username", body));
    }
    assertThat(under(attacks)).contains("HTTP/1.1 500");
  }
}
