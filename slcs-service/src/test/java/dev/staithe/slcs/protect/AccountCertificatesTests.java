package dev.staithe.slcs.protect;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.staithe.slcs.RunningSlcs;
import dev.staithe.slcs.issue.OpenSsl;
import dev.staithe.testkit.Trials;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Certificates of accounts of authn-service: names of accounts are given out again. */
class AccountCertificatesTests {
  @TempDir static Path folder;

  /** What is answered about a token: status and text; about all others that they are not good. */
  private static final Map<String, Answer> ANSWERS = new ConcurrentHashMap<>();

  private static HttpServer authn;
  private static RunningSlcs slcs;
  private static OpenSsl openssl;

  private record Answer(int status, String text) {}

  @BeforeAll
  static void start() throws IOException {
    authn = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    authn.createContext("/json/users", AccountCertificatesTests::idFromSession);
    authn.start();
    slcs =
        RunningSlcs.start(
            folder,
            Map.of(
                "staithe.authn.url",
                "http://127.0.0.1:" + authn.getAddress().getPort(),
                "staithe.authn.scope",
                "authn.example.org"));
    openssl = new OpenSsl(folder);
  }

  @AfterAll
  static void stop() {
    if (slcs != null) {
      slcs.close();
    }
    authn.stop(0);
  }

  /** As authn-service answers. */
  private static void idFromSession(HttpExchange exchange) throws IOException {
    String token =
        String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"))
            .replace("Bearer ", "");
    Answer answer =
        "_action=idFromSession".equals(exchange.getRequestURI().getQuery())
            ? ANSWERS.getOrDefault(token, new Answer(401, "{\"code\":401}"))
            : new Answer(400, "{}");
    byte[] body = answer.text().getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(answer.status(), body.length);
    try (var out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  private static String answered(int status, String text) {
    String token = "token-" + UUID.randomUUID();
    ANSWERS.put(token, new Answer(status, text));
    return token;
  }

  /** A session of the account of that name now. */
  private static String session(String name, String subject) {
    return answered(200, "{\"id\":\"%s\",\"sub\":\"%s\",\"realm\":\"/\"}".formatted(name, subject));
  }

  private static HttpResponse<String> certificate(String token) {
    return slcs.browser()
        .post(
            slcs.url().resolve("/certificates"),
            "application/pkcs10",
            OpenSsl.text(openssl.request()),
            "Authorization",
            "Bearer " + token,
            "Accept",
            "application/json");
  }

  private static JsonNode issued(String token) {
    HttpResponse<String> answer = certificate(token);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    return JsonMapper.shared().readTree(answer.body());
  }

  private static JsonNode own(String token) {
    return JsonMapper.shared()
        .readTree(slcs.browser().get("/certificates", "Authorization", "Bearer " + token).body())
        .path("certificates");
  }

  private static int withdrawn(String token, String serial) {
    return slcs.browser()
        .send(
            HttpRequest.newBuilder(slcs.url().resolve("/certificates/" + serial))
                .header("Authorization", "Bearer " + token)
                .DELETE())
        .statusCode();
  }

  @Test
  void certificateIsIssuedForASessionOfAuthnService() {
    assertThat(issued(session("carol", UUID.randomUUID().toString())).path("subject").asString(""))
        .endsWith("/O=authn.example.org/CN=carol@authn.example.org");
  }

  @Test
  void namesakeOfAnAccountThatWasDeletedGetsNeitherItsNameNorItsCertificates() {
    String first = UUID.randomUUID().toString();
    JsonNode issued = issued(session("alice", first));
    String serial = issued.path("serial").asString("");

    String namesake = session("alice", UUID.randomUUID().toString());
    HttpResponse<String> refused = certificate(namesake);

    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(403);
    assertThat(refused.body()).contains("given to another person before");
    assertThat(own(namesake)).isEmpty();
    assertThat(withdrawn(namesake, serial)).isEqualTo(404);
    String renamed = session("alicia", first);
    assertThat(issued(renamed).path("subject")).isEqualTo(issued.path("subject"));
    assertThat(own(renamed)).hasSize(2);
    assertThat(withdrawn(renamed, serial)).isEqualTo(204);
  }

  /** Its subject is the name, as it has been since before subjects were random. */
  @Test
  void namesakeOfAnAccountThatGoesByItsNameIsAnotherToo() {
    issued(session("dora", "dora"));
    issued(session("dora", "dora"));

    assertThat(certificate(session("dora", UUID.randomUUID().toString())).statusCode())
        .isEqualTo(403);
  }

  @Test
  void sessionOfNobodyGetsNothing() {
    for (String token :
        List.of(
            "token-" + UUID.randomUUID(),
            "x",
            session("mallory@example.org", UUID.randomUUID().toString()),
            session("mallory", "mallory@example.org"))) {
      assertThat(certificate(token).statusCode()).as(token).isEqualTo(401);
      Trials.held();
    }
  }

  @Test
  void whileItIsNotToldWhoseAccountItIsNothingIsIssued() {
    for (String token :
        List.of(
            answered(503, "{}"),
            answered(200, "no JSON"),
            answered(200, "{\"id\":\"erin\",\"realm\":\"/\"}"),
            answered(200, "{\"id\":\"erin\",\"sub\":\"\"}"))) {
      HttpResponse<String> answer = certificate(token);
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
      assertThat(answer.headers().firstValue("Retry-After")).isPresent();
    }
  }
}
