package dev.staithe.gateway.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.MutableClock;
import dev.staithe.wss.Caller;
import dev.staithe.wss.Surroundings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a server that answers as authn-service does. */
class AuthnServiceTests {
  private static final String TOKEN = "a-token-of-a-session";

  @TempDir Path folder;
  private HttpServer server;
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private volatile int status = 200;
  private volatile String answer = "{\"valid\":true,\"uid\":\"ada\",\"realm\":\"/\"}";

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::serve);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void serve(HttpExchange exchange) throws IOException {
    byte[] form = exchange.getRequestBody().readAllBytes();
    asked.add(
        exchange.getRequestURI()
            + " "
            + exchange.getRequestHeaders().getFirst("Authorization")
            + " "
            + new String(form, StandardCharsets.UTF_8));
    boolean logout = exchange.getRequestURI().toString().contains("logout");
    byte[] bytes = (logout ? "{}" : answer).getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(logout ? 200 : status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private AuthnService service(Duration cache) {
    return new AuthnService(
        new AuthnService.Settings(
            URI.create("http://127.0.0.1:" + server.getAddress().getPort()),
            cache,
            cache,
            Duration.ofSeconds(20)),
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build());
  }

  @Test
  void bearerWhenSessionGoesOnThenIsItsUser() {
    assertThat(service(Duration.ZERO).bearer(TOKEN)).isEqualTo(new Caller.Token("ada"));
    assertThat(asked).containsExactly("/json/sessions?_action=validate Bearer " + TOKEN + " ");
  }

  @Test
  void bearerWhenAskedAgainWithinTheTimeThenIsRememberedByNoOtherToken() {
    AuthnService service = service(Duration.ofSeconds(1));
    service.bearer(TOKEN);
    answer = "{\"valid\":false}";
    assertThat(service.bearer(TOKEN + "x")).isNull();
    assertThat(asked).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"valid\":false}",
        "{\"valid\":false,\"uid\":\"ada\"}",
        "{\"valid\":true}",
        "{\"valid\":true,\"uid\":\"a\\nda\"}"
      })
  void bearerWhenSessionIsOverOrNobodysThenIsNobody(String said) {
    answer = said;
    assertThat(service(Duration.ZERO).bearer(TOKEN)).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "short", "has spaces in the token", "with\r\nX-Header: injected-x"})
  void bearerWhenItIsNoTokenThenNobodyIsAsked(String token) {
    assertThat(service(Duration.ZERO).bearer(token)).isNull();
    assertThat(asked).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"<html>", "{}", "{\"valid\":\"true\"}", "[]"})
  void bearerWhenAnswerIsAnotherThenNobodyCanSay(String said) {
    answer = said;
    assertThatThrownBy(() -> service(Duration.ZERO).bearer(TOKEN))
        .isInstanceOf(Surroundings.Unavailable.class)
        .hasMessageNotContaining(TOKEN);
  }

  @ParameterizedTest
  @ValueSource(ints = {302, 400, 500, 503})
  void bearerWhenServiceFailsThenNobodyCanSayAndItIsNotRemembered(int code) {
    AuthnService service = service(Duration.ofSeconds(1));
    status = code;
    assertThatThrownBy(() -> service.bearer(TOKEN)).isInstanceOf(Surroundings.Unavailable.class);
    status = 200;
    assertThat(service.bearer(TOKEN)).isNotNull();
  }

  @Test
  void everythingWhenServiceIsGoneThenNobodyCanSay() {
    AuthnService service = service(Duration.ZERO);
    server.stop(0);
    assertThatThrownBy(() -> service.bearer(TOKEN)).isInstanceOf(Surroundings.Unavailable.class);
    assertThatThrownBy(() -> service.password("ada", "secret".toCharArray()))
        .isInstanceOf(Surroundings.Unavailable.class)
        .hasMessageNotContaining("secret");
  }

  @Test
  void passwordWhenRightThenItsSessionIsEndedAtOnce() {
    answer = "token.id=" + TOKEN + "\n";
    assertThat(service(Duration.ZERO).password("ada&x", "p=ä &".toCharArray())).isTrue();
    Eventually.holds("the session is ended", () -> asked.size() == 2);
    assertThat(asked.getFirst())
        .isEqualTo("/identity/authenticate null username=ada%26x&password=p%3D%C3%A4+%26");
    assertThat(asked.getLast()).isEqualTo("/json/sessions?_action=logout Bearer " + TOKEN + " ");
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 403})
  void passwordWhenRefusedThenIsWrongAndAskedEachTime(int code) {
    status = code;
    AuthnService service = service(Duration.ofSeconds(1));
    assertThat(service.password("ada", "secret".toCharArray())).isFalse();
    assertThat(service.password("ada", "secret".toCharArray())).isFalse();
    assertThat(asked).hasSize(2);
  }

  /** Else a right one would be counted as wrong, and its user held, for others' many attempts. */
  @ParameterizedTest
  @ValueSource(ints = {429, 503})
  void passwordWhenItIsNotJudgedThenNobodyCanSay(int code) {
    status = code;
    AuthnService service = service(Duration.ofSeconds(1));
    assertThatThrownBy(() -> service.password("ada", "secret".toCharArray()))
        .isInstanceOf(Surroundings.Unavailable.class)
        .hasMessageNotContaining("secret");
  }

  @Test
  void passwordWhenRememberedThenIsGoodForThatUserAndPasswordOnly() {
    answer = "token.id=" + TOKEN;
    AuthnService service =
        new AuthnService(
            new AuthnService.Settings(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort()),
                Duration.ZERO,
                Duration.ofMinutes(1),
                Duration.ofSeconds(20)),
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build());
    assertThat(service.password("ada", "secret".toCharArray())).isTrue();
    status = 401;
    assertThat(service.password("ada", "secret".toCharArray())).isTrue();
    assertThat(service.password("adas", "ecret".toCharArray())).isFalse();
    assertThat(service.password("ada", "Secret".toCharArray())).isFalse();
  }

  @Test
  void passwordWhenEmptyOrEndlessThenNobodyIsAsked() {
    AuthnService service = service(Duration.ZERO);
    assertThat(service.password("ada", new char[0])).isFalse();
    assertThat(service.password("ada", new char[5000])).isFalse();
    assertThat(service.password("a\nda", "secret".toCharArray())).isFalse();
    assertThat(asked).isEmpty();
  }

  @Test
  void usersWhenOneIsInTheFileThenAuthnServiceIsNotAskedAboutThem() throws IOException {
    Path file =
        Files.createFile(
            folder.resolve("users"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, "ada:secret\n");
    answer = "token.id=" + TOKEN;
    try (KnownUsers users =
        new KnownUsers(
            UserFile.open(
                file, Duration.ZERO, MutableClock.at(Instant.parse("2026-11-21T20:00:00Z"))),
            service(Duration.ZERO))) {
      assertThat(users.check("ada", "another".toCharArray())).isFalse();
      assertThat(asked).isEmpty();
      assertThat(users.check("bob", "any".toCharArray())).isTrue();
      assertThat(users.of("bob")).isNull();
    }
    assertThat(new KnownUsers(null, null).check("ada", "secret".toCharArray())).isFalse();
  }
}
