package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.TokenDraft;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens of a plain OpenID provider at a storage element, as JWTs and as opaque ones. */
class PlainIssuerOnTheWireTests {
  private static final String GROUP = "urn:mace:example.org:group:vo:data#aai.example.org";
  private static final String WRITERS =
      "urn:mace:example.org:group:vo:data:role=writer#aai.example.org";
  private static final TokenIssuer ISSUER = TokenIssuer.overHttp(Clock.systemUTC());

  /** What the issuer tells of which opaque token. */
  private static final Map<String, String> ANSWERS = new ConcurrentHashMap<>();

  /** The bodies of what it was asked. */
  private static final List<String> ASKED = new CopyOnWriteArrayList<>();

  private static HttpServer introspection;
  private static RunningStorage storage;

  @BeforeAll
  static void start(@TempDir Path folder) throws IOException {
    introspection =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    String credential =
        Base64.getEncoder().encodeToString("se%3Aone:s%2Fecret".getBytes(StandardCharsets.UTF_8));
    introspection.createContext(
        "/",
        exchange -> {
          try (exchange) {
            String body =
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            ASKED.add(body);
            String token = body.replaceAll("^token=([^&]*)&token_type_hint=access_token$", "$1");
            boolean ours =
                ("Basic " + credential)
                    .equals(exchange.getRequestHeaders().getFirst("Authorization"));
            byte[] answer =
                ANSWERS.getOrDefault(token, "{\"active\":false}").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(ours ? 200 : 401, answer.length);
            exchange.getResponseBody().write(answer);
          }
        });
    introspection.start();
    Path secret =
        Files.createFile(
            folder.resolve("secret"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(secret, "s/ecret\n");
    String at = "staithe.issuers[1].";
    String grant = "staithe.areas[0].grants[1].";
    storage =
        RunningStorage.beside(
            RunningStorage.shared(),
            folder.resolve("element"),
            Map.ofEntries(
                Map.entry(at + "issuer", ISSUER.issuer()),
                Map.entry(at + "profile", "oidc"),
                Map.entry(at + "audiences", RunningStorage.AUDIENCE),
                Map.entry(at + "plain-http-on-loopback", true),
                Map.entry(at + "assurance", "https://refeds.org/assurance/IAP/low"),
                Map.entry(
                    at + "introspection.url",
                    "http://127.0.0.1:" + introspection.getAddress().getPort() + "/introspect"),
                Map.entry(at + "introspection.client-id", "se:one"),
                Map.entry(at + "introspection.client-secret-file", secret),
                Map.entry(at + "introspection.cache", "1s"),
                Map.entry(grant + "issuer", ISSUER.issuer()),
                Map.entry(grant + "strategy", "groups"),
                Map.entry(grant + "groups[0].group", GROUP),
                Map.entry(grant + "groups[0].scopes", "storage.read:/"),
                Map.entry(grant + "groups[1].group", WRITERS),
                Map.entry(grant + "groups[1].scopes", "storage.modify:/new")));
    Files.writeString(storage.data().resolve("f"), "content");
  }

  @AfterAll
  static void end() {
    storage.close();
    introspection.stop(0);
    ISSUER.close();
  }

  /** As EGI Check-in writes them. */
  private static TokenDraft token(String... entitlements) {
    return ISSUER
        .token()
        .without("wlcg.ver")
        .without("jti")
        .audience(RunningStorage.AUDIENCE)
        .claim("scope", "openid profile entitlements")
        .claim("eduperson_assurance", List.of("https://refeds.org/assurance/IAP/low"))
        .claim("entitlements", List.of(entitlements));
  }

  private static Curl.Response get(String token) {
    return storage.curl("/data/f").token(token).run();
  }

  private static void assertRefused(Curl.Response response, int status, String reason) {
    assertThat(response.status()).isEqualTo(status);
    assertThat(response.text()).isEqualTo(reason + "\n");
  }

  @Test
  void membersOfAGroupMayWhatItMayAndEachRefusalSaysWhatIsMissing() {
    assertThat(get(token(GROUP).sign()).text()).isEqualTo("content");
    assertRefused(
        get(token(GROUP + ".evil").sign()),
        403,
        "needs storage.read for /f; the token's groups " + GROUP + ".evil do not grant it");
    assertRefused(
        get(token(WRITERS).sign()),
        403,
        "needs storage.read for /f; the token's groups " + WRITERS + " do not grant it");
    assertRefused(
        get(token().sign()),
        403,
        "needs storage.read for /f; the token has neither storage scopes nor groups");
    assertRefused(
        get(token(GROUP).without("aud").sign()),
        401,
        "the token names no service that it is for (aud)");
    assertRefused(
        get(token(GROUP).claim("eduperson_assurance", List.of()).sign()),
        401,
        "the token's eduperson_assurance is missing; wanted is"
            + " https://refeds.org/assurance/IAP/low");
    assertRefused(
        get(token(GROUP).claim("at_hash", "x").sign()),
        401,
        "the token is an ID token, and no access token");
  }

  @Test
  void aRoleOfAGroupWritesWhereItMay() throws IOException {
    Path file = Files.writeString(storage.open().resolve("source"), "new");
    String token = token(GROUP, WRITERS).sign();

    assertThat(storage.curl("/data/new/g").token(token).upload(file).run().status()).isEqualTo(201);
    assertRefused(
        storage.curl("/data/g").token(token).upload(file).run(),
        403,
        "needs storage.create for /g; the token's groups "
            + GROUP
            + " "
            + WRITERS
            + " do not grant it");
  }

  private static String answer(String more) {
    return "{\"active\":true,\"sub\":\"ada\",\"aud\":\"%s\",\"entitlements\":[\"%s\"],"
            .formatted(RunningStorage.AUDIENCE, GROUP)
        + "\"eduperson_assurance\":[\"https://refeds.org/assurance/IAP/low\"]"
        + more
        + "}";
  }

  @Test
  void anOpaqueTokenIsWhatItsIssuerSays() {
    ANSWERS.put("opaque-good", answer(""));
    ANSWERS.put("opaque-theirs", answer(",\"iss\":\"https://other.example\""));
    ANSWERS.put("opaque-old", answer(",\"exp\":1000"));
    ANSWERS.put("opaque-bound", answer(",\"cnf\":{\"jkt\":\"x\"}"));
    ANSWERS.put("opaque-dpop", answer(",\"token_type\":\"DPoP\""));
    ANSWERS.put("opaque-nobody", answer("").replace("sub", "username"));
    ANSWERS.put("opaque-elsewhere", answer("").replace(RunningStorage.AUDIENCE, "https://x"));
    ANSWERS.put("opaque-stranger", answer("").replace(":data#", ":other#"));

    assertThat(get("opaque-good").text()).isEqualTo("content");
    assertThat(get("opaque-good").text()).isEqualTo("content");
    assertRefused(get("opaque-none"), 401, "the token is not active, says its issuer");
    assertRefused(
        get("opaque-theirs"), 401, "the token is one of https://other.example, not of its issuer");
    assertRefused(get("opaque-old"), 401, "the token has expired");
    assertThat(get("opaque-bound").text()).startsWith("the token is bound to a key (cnf)");
    assertRefused(get("opaque-dpop"), 401, "the token is of type DPoP, and no bearer token");
    assertRefused(get("opaque-nobody"), 401, "the token has no subject (sub)");
    assertThat(get("opaque-elsewhere").text()).startsWith("the token is not for this service");
    assertThat(get("opaque-stranger").status()).isEqualTo(403);
  }

  @Test
  void anOpaqueTokenThatIsWithdrawnEndsWithinTheTimeThatAnswersAreRemembered() {
    // It would be good for long: what ends it is that the issuer is asked again.
    ANSWERS.put("opaque-brief", answer(",\"exp\":4102444800"));
    assertThat(get("opaque-brief").status()).isEqualTo(200);

    ANSWERS.put("opaque-brief", "{\"active\":false}");
    Eventually.holds("it is refused", () -> get("opaque-brief").status() == 401);
  }

  private static Curl.Response ask(String token, String path, String json) {
    return storage
        .curl(path)
        .token(token)
        .header("Content-Type", "application/macaroon-request")
        .body(json)
        .run();
  }

  private static String macaroon(Curl.Response answer) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return answer.text().replaceAll("(?s).*\"macaroon\":\"([^\"]+)\".*", "$1");
  }

  private static long seconds(Curl.Response answer) {
    return Long.parseLong(answer.text().replaceAll("(?s).*\"expires_in\":([0-9]+).*", "$1"));
  }

  /** Whoever has signed in at the issuer hands less than that on, to a job or another server. */
  @Test
  void aSessionIsGivenAMacaroonThatReachesNoFurtherAndNoLonger() throws IOException {
    Path file = Files.writeString(storage.open().resolve("session"), "new");
    ANSWERS.put(
        "session-of-ada",
        answer(",\"exp\":" + Clock.systemUTC().instant().plusSeconds(300).getEpochSecond()));

    Curl.Response given = ask("session-of-ada", "/data", "{\"validity\":\"P7D\"}");
    String macaroon = macaroon(given);
    assertThat(seconds(given)).isBetween(1L, 300L);
    assertThat(get(macaroon).text()).isEqualTo("content");
    assertThat(storage.curl("/data/new/m").token(macaroon).upload(file).run().status())
        .as("the session may read only")
        .isEqualTo(403);
    assertThat(storage.curl("/open/m").token(macaroon).upload(file).run().status()).isEqualTo(403);
    assertRefused(
        ask("session-of-ada", "/data", "{\"caveats\":[\"activity:UPLOAD\"]}"),
        403,
        "needs storage.create for /; the token's groups " + GROUP + " do not grant it");
    assertThat(ask(macaroon, "/data", "{}").status()).as("one of its own").isEqualTo(403);

    ANSWERS.put("session-of-ada", "{\"active\":false}");
    Eventually.holds(
        "an ended session is given none",
        () -> ask("session-of-ada", "/data", "{}").status() == 401);
  }

  /** What is only known to be good now is taken for good as long as it would be without asking. */
  @Test
  void aSessionWhoseEndIsNotToldIsGivenAMacaroonForAsLongAsItIsRemembered() {
    ANSWERS.put("session-without-end", answer(""));

    Curl.Response given = ask("session-without-end", "/data", "{\"validity\":\"PT1H\"}");

    assertThat(seconds(given)).isBetween(1L, 2L);
    Eventually.holds("it has ended", () -> get(macaroon(given)).status() == 401);
  }

  @Test
  void anIssuerThatCannotBeAskedIsWaitedForAndNothingIsConcluded() {
    ANSWERS.put("opaque-garbled", "[]");
    ANSWERS.put("opaque-evasive", "{}");

    for (String token : List.of("opaque-garbled", "opaque-evasive")) {
      Curl.Response response = get(token);
      assertRefused(
          response,
          503,
          "the token's issuer " + ISSUER.issuer() + " cannot be asked about the token now");
      assertThat(response.header("Retry-After")).contains("5");
    }
    ANSWERS.put("opaque-garbled", answer(""));
    assertThat(get("opaque-garbled").status()).isEqualTo(200);
  }

  /** What has the form of a JWT may be another's: it must not be told to this one. */
  @Test
  void tokensOfOthersAreNeverShownToTheIssuerOfOpaqueOnes() {
    String theirs = storage.token("storage.read:/");

    assertThat(get(theirs).status()).isEqualTo(200);
    assertThat(get(theirs + "x").status()).isEqualTo(401);
    assertThat(ASKED).noneMatch(body -> body.contains(theirs));
  }
}
