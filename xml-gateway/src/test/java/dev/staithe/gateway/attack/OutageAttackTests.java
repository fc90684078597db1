package dev.staithe.gateway.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.MessageSite;
import dev.staithe.gateway.RunningGateway;
import dev.staithe.gateway.backend.Bodies;
import dev.staithe.gateway.mime.XopPackage;
import dev.staithe.gateway.route.RecordingService;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients without a name that want the gateway to themselves, and one who wants an answer. */
final class OutageAttackTests {
  private static final String GOOD =
      "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>"
          + "<say xmlns=\"urn:t\">hello</say></s:Body></s:Envelope>";
  private static final int ANNOUNCED = 33_000_000;
  private static final int SENT = 2_300_000;

  /** More than systems take from a sender while nobody reads. */
  private static final int LONG_ANSWER = 24 << 20;

  /** Near the most that is read. */
  private static final int LONG_DESCRIPTION = 3_900_000;

  @TempDir private static Path folder;
  private static RecordingService service;
  private static RecordingService lengthyService;
  private static RunningGateway gateway;

  @BeforeAll
  static void start() throws IOException {
    service = MessageSite.service();
    MessageSite site = MessageSite.in(folder);
    Map<String, Object> settings = new LinkedHashMap<>(site.settings());
    List<String> policies =
        List.of("none", "transport-username", "username", "encrypted-key", "x509", "conversation");
    for (int i = 0; i < policies.size(); i++) {
      settings.putAll(
          RunningGateway.endpoint(i, "/" + policies.get(i), policies.get(i), service.address()));
    }
    lengthyService =
        new RecordingService(RecordingService.with(200, "text/xml", of("", "text ", LONG_ANSWER)))
            .describedBy(
                "<definitions xmlns=\"http://schemas.xmlsoap.org/wsdl/\"><documentation>"
                    + "text ".repeat(LONG_DESCRIPTION / 5)
                    + "</documentation></definitions>");
    settings.putAll(
        RunningGateway.endpoint(policies.size(), "/long", "none", lengthyService.address()));
    settings.put("staithe.bodies", "64MB");
    gateway = RunningGateway.start(folder.resolve("gateway"), settings);
  }

  @AfterAll
  static void stop() {
    gateway.close();
    service.close();
    lengthyService.close();
  }

  private static String of(String header, String piece, int bytes) {
    return "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\">"
        + header
        + "<s:Body><a>"
        + piece.repeat(bytes / piece.length())
        + "</a></s:Body></s:Envelope>";
  }

  /** Each reference was a piece of text by itself, and each piece copied all before it. */
  @ParameterizedTest
  @ValueSource(
      strings = {"transport-username", "username", "encrypted-key", "x509", "conversation"})
  void othersAreAnsweredWhileMoreLongMessagesThanProcessorsAreJudged(String policy)
      throws Exception {
    String strange =
        "<s:Header><w:Security xmlns:w=\"http://docs.oasis-open.org/wss/2004/01/"
            + "oasis-200401-wss-wssecurity-secext-1.0.xsd\"><x xmlns=\"urn:x\"/></w:Security>"
            + "</s:Header>";
    String lengthy = of(strange, "&#65;", 4 << 20);
    try (ExecutorService attackers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<HttpResponse<String>>> attacks = new ArrayList<>();
      for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
        attacks.add(attackers.submit(() -> gateway.post("/" + policy, lengthy)));
        Trials.held();
      }
      // A connection of its own, with a handshake.
      for (int i = 0; i < 5; i++) {
        Future<Integer> good =
            attackers.submit(() -> statusOf(request("none", GOOD.length()) + GOOD, "127.0.0.1"));
        assertThat(good.get(Eventually.LONGEST.toSeconds(), TimeUnit.SECONDS)).isEqualTo(200);
      }
      for (Future<HttpResponse<String>> each : attacks) {
        assertThat(each.get(Eventually.LONGEST.toSeconds(), TimeUnit.SECONDS).statusCode())
            .isIn(500, 503);
      }
    }
    assertThat(service.seen()).noneMatch(each -> each.body().contains("AAAA"));
  }

  /** Parts are put into an envelope before it is judged, which takes as long as they are. */
  @ParameterizedTest
  @ValueSource(strings = {"none", "username", "x509"})
  void othersAreAnsweredWhileMoreLongMessagesInPartsThanProcessorsAreRead(String policy)
      throws Exception {
    byte[] lengthy =
        XopPackage.of(
                of("", "<a/>", 2 << 20)
                    .replace(
                        "</s:Body>",
                        "<i:Include xmlns:i=\"http://www.w3.org/2004/08/xop/include\""
                            + " href=\"cid:none\"/></s:Body>"))
            .with("a", new byte[4 << 20])
            .closed();
    try (ExecutorService attackers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<HttpResponse<String>>> attacks = new ArrayList<>();
      for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
        attacks.add(attackers.submit(() -> gateway.send("/" + policy, XopPackage.TYPE, lengthy)));
        Trials.held();
      }
      for (int i = 0; i < 5; i++) {
        Future<Integer> good =
            attackers.submit(() -> statusOf(request("none", GOOD.length()) + GOOD, "127.0.0.1"));
        assertThat(good.get(Eventually.LONGEST.toSeconds(), TimeUnit.SECONDS)).isEqualTo(200);
      }
      for (Future<HttpResponse<String>> each : attacks) {
        // 502 where the service has answered, and the attacker's share has no room for that.
        assertThat(each.get(Eventually.LONGEST.toSeconds(), TimeUnit.SECONDS).statusCode())
            .isIn(policy.equals("none") ? 200 : 500, 502, 503);
      }
    }
  }

  @Test
  void announcedBodiesLeaveRoomForOthersAndGiveTheirsBack() throws Exception {
    List<Socket> attackers = new ArrayList<>();
    int refused = 0;
    try {
      for (int i = 0; i < 20; i++) {
        attackers.add(attack());
        Trials.held();
      }
      for (int i = 0; i < 10; i++) {
        assertThat(gateway.post("/none", GOOD).statusCode()).isEqualTo(200);
      }
      assertThat(gateway.post("/none", of("", "text ", 1 << 20)).statusCode()).isEqualTo(200);
      for (Socket each : attackers) {
        refused += isRefused(each) ? 1 : 0;
      }
    } finally {
      for (Socket each : attackers) {
        each.close();
      }
    }
    // Half of the room is for eight of them.
    assertThat(refused).isGreaterThanOrEqualTo(12);
    String lengthy = of("", "text ", 20 << 20);
    Eventually.holds(
        "the room is given back", () -> gateway.post("/none", lengthy).statusCode() == 200);
  }

  /** Else who takes answers slowly has the gateway keep as many as there are connections. */
  @Test
  void answerThatIsNotTakenYetIsOneOfTheBodiesInMemory() throws Exception {
    Bodies bodies = gateway.bean(Bodies.class);
    Eventually.holds("nothing is left of others", () -> bodies.used() == 0);
    try (Socket slow = connect("127.0.0.3")) {
      slow.getOutputStream()
          .write((request("long", GOOD.length()) + GOOD).getBytes(StandardCharsets.US_ASCII));
      assertThat(slow.getInputStream().read()).isEqualTo('H');
      Eventually.holds(
          "the exchange is over, but for what the client has to take",
          () ->
              gateway
                  .get("/.staithe/metrics")
                  .body()
                  .contains(
                      "staithe_gateway_exchanges_seconds_count{endpoint=\"/long\","
                          + "outcome=\"answered\""));

      assertThat(bodies.used()).isGreaterThanOrEqualTo(LONG_ANSWER);
      Trials.held();
    }
    Eventually.holds("the room is given back", () -> bodies.used() == 0);
  }

  @Test
  void descriptionThatIsNotTakenYetIsOneOfThemToo() throws Exception {
    Bodies bodies = gateway.bean(Bodies.class);
    Eventually.holds("nothing is left of others", () -> bodies.used() == 0);
    try (Socket slow = connect("127.0.0.3")) {
      String asked = "GET /long?wsdl HTTP/1.1\r\nHost: localhost\r\n\r\n";
      // Systems may take one of them.
      slow.getOutputStream().write(asked.repeat(4).getBytes(StandardCharsets.US_ASCII));

      Eventually.holds("one of them waits for the client", () -> bodies.used() >= LONG_DESCRIPTION);
      Trials.held();
    }
    Eventually.holds("the room is given back", () -> bodies.used() == 0);
  }

  private static String request(String endpoint, int length) {
    return "POST /"
        + endpoint
        + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/xml\r\nSOAPAction: \"\"\r\n"
        + "Content-Length: "
        + length
        + "\r\n\r\n";
  }

  private static Socket connect(String from) throws IOException {
    // Of another address, as strangers are.
    Socket plain = new Socket();
    // What is not read stays with the gateway.
    plain.setReceiveBufferSize(64 << 10);
    plain.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
    plain.connect(new InetSocketAddress("127.0.0.1", gateway.url().getPort()));
    Socket socket =
        gateway
            .authority()
            .clientContext()
            .getSocketFactory()
            .createSocket(plain, "localhost", gateway.url().getPort(), true);
    socket.setSoTimeout((int) Eventually.LONGEST.toMillis());
    return socket;
  }

  private static int statusOf(String request, String from) throws IOException {
    try (Socket socket = connect(from)) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return Integer.parseInt(head(socket).split(" ")[1]);
    }
  }

  private static String head(Socket socket) throws IOException {
    var reader =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    var head = new StringBuilder();
    for (String line = reader.readLine();
        line != null && !line.isEmpty();
        line = reader.readLine()) {
      head.append(line).append('\n');
    }
    return head.toString();
  }

  private static Socket attack() throws IOException {
    Socket socket = connect("127.0.0.2");
    OutputStream out = socket.getOutputStream();
    out.write(request("none", ANNOUNCED).getBytes(StandardCharsets.US_ASCII));
    byte[] some = new byte[SENT / 100];
    try {
      for (int i = 0; i < 100; i++) {
        out.write(some);
      }
    } catch (IOException e) {
      // It was refused meanwhile.
    }
    return socket;
  }

  /** Those that have room wait for the rest of the body, and hear nothing. */
  private static boolean isRefused(Socket socket) {
    try {
      socket.setSoTimeout(1_000);
      String head = head(socket);
      if (!head.isEmpty()) {
        assertThat(head).startsWith("HTTP/1.1 503").contains("Retry-After: 5");
        return true;
      }
      return true;
    } catch (java.net.SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }
}
