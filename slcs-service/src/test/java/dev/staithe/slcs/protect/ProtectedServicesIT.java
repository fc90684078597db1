package dev.staithe.slcs.protect;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.staithe.slcs.RunningSlcs;
import dev.staithe.slcs.TestBrowser;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is admitted to services of each kind, and what reaches a service behind. */
class ProtectedServicesIT {
  private static final String ECHO =
      "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body><e:echo"
          + " xmlns:e=\"http://www.nordugrid.org/schemas/echo\"><e:say>hallo</e:say>"
          + "</e:echo></s:Body></s:Envelope>";
  private static final String GOOD = "good-token-of-carol-1";

  @TempDir static Path folder;

  private static final Set<String> SESSIONS = ConcurrentHashMap.newKeySet();
  private static final AtomicInteger QUESTIONS = new AtomicInteger();
  private static HttpServer authn;
  private static HttpServer behind;
  private static ThrowAwayAuthority people;
  private static RunningSlcs slcs;

  @BeforeAll
  static void start() throws IOException {
    authn = server();
    authn.createContext("/json/sessions", ProtectedServicesIT::validate);
    behind = server();
    behind.createContext("/base", ProtectedServicesIT::tell);
    people = ThrowAwayAuthority.in(folder.resolve("people"), Clock.systemUTC());
    var settings = new HashMap<String, Object>();
    settings.put("staithe.authn.url", url(authn));
    settings.put("staithe.authn.scope", "authn.example.org");
    settings.put("staithe.authn.cache", "0s");
    settings.put("staithe.client-certificates.trust", people.certificateFile());
    service(settings, 0, "/echo", "saml");
    service(settings, 1, "/echo/plain", "none");
    service(settings, 2, "/echo/certificate", "certificate");
    service(settings, 3, "/echo/session", "session");
    service(settings, 4, "/back", "session");
    settings.put("staithe.services[4].upstream", url(behind) + "/base");
    settings.put("staithe.services[4].largest", "1KB");
    service(settings, 5, "/members", "session");
    settings.put("staithe.services[5].upstream", url(behind) + "/base");
    settings.put("staithe.services[5].require[0].attribute", "eduPersonAssurance");
    settings.put("staithe.services[5].require[0].values", "high");
    service(settings, 6, "/open", "none");
    settings.put("staithe.services[6].upstream", url(behind) + "/base");
    service(settings, 7, "/gone", "none");
    settings.put("staithe.services[7].upstream", "http://127.0.0.1:1/base");
    slcs = RunningSlcs.start(folder, settings);
  }

  private static void service(Map<String, Object> settings, int at, String path, String by) {
    settings.put("staithe.services[" + at + "].path", path);
    settings.put("staithe.services[" + at + "].protection", by);
  }

  private static HttpServer server() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.start();
    return server;
  }

  private static String url(HttpServer server) {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** As authn-service answers. */
  private static void validate(HttpExchange exchange) throws IOException {
    QUESTIONS.incrementAndGet();
    String token =
        String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"))
            .replace("Bearer ", "");
    boolean valid = SESSIONS.contains(token);
    answer(
        exchange,
        token.contains("broken") ? 503 : 200,
        valid
            ? "{\"valid\":true,\"uid\":\"carol\",\"realm\":\"/\",\"assurance\":1}"
            : "{\"valid\":false}");
  }

  /** Tells what it was sent. */
  private static void tell(HttpExchange exchange) throws IOException {
    var text = new StringBuilder();
    text.append(exchange.getRequestMethod()).append(' ').append(exchange.getRequestURI());
    text.append('\n');
    exchange
        .getRequestHeaders()
        .forEach((name, values) -> text.append(name).append(": ").append(values).append('\n'));
    text.append(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    exchange.getResponseHeaders().add("Set-Cookie", "__Host-staithe-slcs=planted; Path=/; Secure");
    exchange
        .getResponseHeaders()
        .add("Set-Cookie", "__Host-staithe-slcs-login=planted; Path=/; Secure");
    exchange.getResponseHeaders().add("Set-Cookie", "theirs=1");
    answer(exchange, 200, text.toString());
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, body.length);
    try (var out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  @AfterAll
  static void stop() {
    if (slcs != null) {
      slcs.close();
    }
    authn.stop(0);
    behind.stop(0);
  }

  private static HttpResponse<String> echo(TestBrowser browser, String path, String... headers) {
    return browser.post(slcs.url().resolve(path), "text/xml", ECHO, headers);
  }

  @Test
  void plainServiceAnswersEverybody() {
    HttpResponse<String> answer = echo(slcs.browser(), "/echo/plain");

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.body()).contains("<echo:hear>hallo</echo:hear>");
  }

  @Test
  void pathOfTheLongestServiceCountsAndWholeSegmentsOnly() {
    assertThat(echo(slcs.browser(), "/echo/plain/deeper").statusCode()).isEqualTo(200);
    assertThat(echo(slcs.browser(), "/echo/plainer").statusCode()).isEqualTo(401);
    assertThat(echo(slcs.browser(), "/echo").statusCode()).isEqualTo(401);
    assertThat(echo(slcs.browser(), "/echoes").statusCode()).isEqualTo(404);
  }

  @Test
  void noSpellingOfAPathLeadsAroundItsProtection() throws Exception {
    for (String path :
        List.of(
            "/echo/plain/../session",
            "/echo/plain/..;/session",
            "/echo/plain/%2e%2e/session",
            "/echo/plain/..%2fsession",
            "/echo/plain%2f..%2fsession",
            "/echo;x=1",
            "/echo/session;/",
            "//echo/session",
            "/./echo/session",
            "/%65cho/session",
            "/echo//session",
            "/echo/%73ession",
            "/echo/session%00",
            "/ECHO/session")) {
      String answer = raw("POST " + path);
      assertThat(answer).as(path).doesNotContain("hallo").doesNotStartWith("HTTP/1.1 200");
      Trials.held();
    }
  }

  private static String raw(String line) throws Exception {
    try (Socket socket = slcs.authority().clientContext().getSocketFactory().createSocket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), slcs.url().getPort()));
      ((SSLSocket) socket).startHandshake();
      byte[] body = ECHO.getBytes(StandardCharsets.UTF_8);
      String head =
          line
              + " HTTP/1.1\r\nHost: localhost:"
              + slcs.url().getPort()
              + "\r\nContent-Type: text/xml\r\nConnection: close\r\nContent-Length: "
              + body.length
              + "\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().write(body);
      socket.getOutputStream().flush();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void serviceBehindCertificatesAnswersWhoHasOneThatIsBelieved() throws Exception {
    ThrowAwayAuthority others = ThrowAwayAuthority.in(folder.resolve("others"), Clock.systemUTC());

    HttpResponse<String> good = echo(with(people.localhost()), "/echo/certificate");
    HttpResponse<String> none = echo(slcs.browser(), "/echo/certificate");
    HttpResponse<String> foreign = echo(with(others.localhost()), "/echo/certificate");

    assertThat(good.statusCode()).as(good.body()).isEqualTo(200);
    assertThat(none.statusCode()).isEqualTo(403);
    assertThat(none.body()).contains("soap:Client", "a client certificate is needed");
    assertThat(foreign.statusCode()).isEqualTo(403);
    assertThat(foreign.body()).contains("soap:Client");
  }

  private static TestBrowser with(ThrowAwayAuthority.Host host) throws Exception {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    char[] password = {};
    store.setKeyEntry(
        "own",
        host.credential().key(),
        password,
        host.credential().chain().toArray(Certificate[]::new));
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(store, password);
    var anchors = KeyStore.getInstance("PKCS12");
    anchors.load(null, null);
    anchors.setCertificateEntry("ca", slcs.authority().issuer().certificate());
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(anchors);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return new TestBrowser(slcs.url(), context);
  }

  @Test
  void sessionOfAuthnServiceIsTakenUntilItEnds() {
    String token = "good-token-that-ends";
    assertThat(echo(slcs.browser(), "/echo/session").headers().firstValue("WWW-Authenticate"))
        .hasValue("Bearer");
    SESSIONS.add(token);
    assertThat(echo(slcs.browser(), "/echo/session", "Authorization", "Bearer " + token))
        .returns(200, HttpResponse::statusCode);

    SESSIONS.remove(token);

    HttpResponse<String> ended =
        echo(slcs.browser(), "/echo/session", "Authorization", "Bearer " + token);
    assertThat(ended.statusCode()).isEqualTo(401);
    assertThat(ended.body()).contains("soap:Client", "the session has ended");
    assertThat(ended.headers().firstValue("WWW-Authenticate").orElse("")).contains("invalid_token");
  }

  @Test
  void whileAuthnServiceDoesNotAnswerNobodyIsAdmitted() {
    HttpResponse<String> answer =
        echo(slcs.browser(), "/echo/session", "Authorization", "Bearer broken-token-of-carol");

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).contains("soap:Server");
    assertThat(answer.headers().firstValue("Retry-After")).isPresent();
  }

  @Test
  void tokenThatCannotBeOneIsNotEvenAskedFor() {
    int before = QUESTIONS.get();

    assertThat(echo(slcs.browser(), "/echo/session", "Authorization", "Bearer x y").statusCode())
        .isEqualTo(401);
    assertThat(
            echo(slcs.browser(), "/echo/session", "Authorization", "Bearer " + "x".repeat(5000))
                .statusCode())
        .isEqualTo(401);
    String[] two = {"Authorization", "Bearer " + GOOD, "Authorization", "Bearer another-" + GOOD};
    assertThat(echo(slcs.browser(), "/echo/session", two).statusCode()).isEqualTo(401);
    assertThat(QUESTIONS).hasValue(before);
  }

  @Test
  void serviceBehindIsToldWhoAsksByHeadersThatNoClientCanSend() {
    SESSIONS.add(GOOD);

    HttpResponse<String> answer =
        slcs.browser()
            .post(
                slcs.url().resolve("/back/a%20b?q=%C3%BC&x=1"),
                "application/json",
                "{\"a\":1}",
                "Authorization",
                "Bearer " + GOOD,
                "X-Staithe-User",
                "root@example.org",
                "X_Staithe_User",
                "root@example.org",
                "x-staithe-attribute-groups",
                "admins",
                "X-Forwarded-For",
                "10.0.0.1",
                "Cookie",
                "__Host-staithe-slcs=secret-cookie; theirs=2; staithe-slcs=other-secret;"
                    + " __Host-staithe-slcs-login=secret-of-a-login");

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.body())
        .startsWith("POST /base/a%20b?q=%C3%BC&x=1\n")
        .contains("carol@authn.example.org")
        .contains("{\"a\":1}")
        .contains("theirs=2")
        .containsIgnoringCase("X-staithe-admitted-by: [session]")
        .doesNotContain("root@example.org", "admins", "10.0.0.1", GOOD, "secret");
    assertThat(answer.headers().allValues("Set-Cookie")).containsExactly("theirs=1");
  }

  @Test
  void tokensThatAServiceBehindTakesAreItsOwnBusiness() {
    String key = "eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl";
    for (String theirs : List.of("Bearer broken-token", "Bearer x y", "DPoP " + key)) {
      HttpResponse<String> answer =
          slcs.browser().get("/open/x", "Authorization", theirs, "DPoP", key);

      assertThat(answer.statusCode()).as(theirs).isEqualTo(200);
      assertThat(answer.body()).as(theirs).containsIgnoringCase("authorization: [" + theirs + "]");
    }
  }

  @Test
  void openServiceBehindIsNotToldAboutUsersByItsClientsEither() {
    HttpResponse<String> answer =
        slcs.browser().get("/open/x", "X-Staithe-User", "root@example.org");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).startsWith("GET /base/x\n").doesNotContain("root@example.org");
  }

  @Test
  void requiredAttributeThatASessionLacksIsRefused() {
    SESSIONS.add(GOOD);

    HttpResponse<String> answer = slcs.browser().get("/members", "Authorization", "Bearer " + GOOD);

    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.body()).isEqualTo("your account may not use this service\n");
  }

  @Test
  void bodyBeyondTheLimitDoesNotReachTheServiceBehind() {
    SESSIONS.add(GOOD);
    URI place = slcs.url().resolve("/back");

    HttpResponse<String> known =
        slcs.browser()
            .post(place, "text/plain", "x".repeat(2000), "Authorization", "Bearer " + GOOD);
    HttpResponse<String> chunked =
        slcs.browser()
            .send(
                HttpRequest.newBuilder(place)
                    .header("Authorization", "Bearer " + GOOD)
                    .POST(
                        HttpRequest.BodyPublishers.ofInputStream(
                            () -> new java.io.ByteArrayInputStream(new byte[2000]))));

    assertThat(known.statusCode()).isEqualTo(413);
    assertThat(chunked.statusCode()).isEqualTo(413);
  }

  @Test
  void bodyOfUnknownLengthReachesTheServiceBehindByHttp2() {
    var settings = new HashMap<String, Object>();
    settings.put("staithe.http2", true);
    settings.put("staithe.authn.url", url(authn));
    service(settings, 0, "/open", "none");
    settings.put("staithe.services[0].upstream", url(behind) + "/base");
    try (RunningSlcs second = RunningSlcs.start(folder.resolve("http2"), settings)) {
      URI place = second.url().resolve("/open/x");

      HttpResponse<String> sent =
          second
              .browser()
              .send(
                  HttpRequest.newBuilder(place)
                      .POST(
                          HttpRequest.BodyPublishers.ofInputStream(
                              () ->
                                  new java.io.ByteArrayInputStream(
                                      "hallo".getBytes(StandardCharsets.UTF_8)))));
      HttpResponse<String> none = second.browser().get("/open/x");

      assertThat(sent.version()).isEqualTo(HttpClient.Version.HTTP_2);
      assertThat(sent.body()).startsWith("POST /base/x\n").endsWith("hallo");
      assertThat(none.body())
          .startsWith("GET /base/x\n")
          .doesNotContainIgnoringCase("transfer-encoding");
    }
  }

  @Test
  void serviceBehindThatIsAwayIsSaidToBeAway() {
    assertThat(slcs.browser().get("/gone").statusCode()).isEqualTo(502);
  }

  @Test
  void messageBeyondTheLimitOfEchoIsRefused() {
    HttpResponse<String> answer =
        slcs.browser()
            .post(
                slcs.url().resolve("/echo/plain"),
                "text/xml",
                ECHO.replace("hallo", "x".repeat(100_000)));

    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(answer.body()).contains("soap:Client");
  }

  @Test
  void formCannotSpeakToASoapService() {
    HttpResponse<String> answer =
        slcs.browser().post(slcs.url().resolve("/echo/plain"), "text/plain", ECHO);

    assertThat(answer.statusCode()).isEqualTo(415);
  }
}
