package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jwt.SignedJWT;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.GridAuthority;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Tokens that the server makes itself, asked for and used by {@code curl}. */
class GivenTokensTests {
  @TempDir static Path folder;
  private static GridAuthority people;
  private static GridAuthority.Holder ada;
  private static GridAuthority.Holder bob;
  private static Map<String, Object> settings;
  private static RunningStorage storage;

  @BeforeAll
  static void start() throws IOException {
    people = GridAuthority.in(folder.resolve("grid"), Clock.systemUTC());
    ada = people.person("/C=DE/O=Example/CN=Ada");
    bob = people.person("/C=DE/O=Example/CN=Bob");
    settings = new LinkedHashMap<>();
    settings.put("staithe.client-certificates.trust", people.trust());
    settings.put("staithe.areas[0].subjects[0].subject", "CN=Ada,O=Example,C=DE");
    settings.put("staithe.areas[0].subjects[0].scopes", "storage.read:/ storage.modify:/ada");
    storage = RunningStorage.beside(RunningStorage.shared(), folder.resolve("storage"), settings);
  }

  @AfterAll
  static void stop() {
    storage.close();
  }

  @BeforeEach
  void files() throws IOException {
    Files.createDirectories(storage.data().resolve("ada/sub"));
    Files.writeString(storage.data().resolve("ada/file"), "grain");
    Files.writeString(storage.data().resolve("ada/sub/file"), "barley");
    Files.writeString(storage.data().resolve("other"), "rye");
  }

  private static Curl by(GridAuthority.Holder who, Curl curl) {
    return curl.option("cert", who.certificate().toString()).option("key", who.key().toString());
  }

  private static Curl.Response ask(GridAuthority.Holder who, String path, String json) {
    return by(who, storage.curl(path))
        .header("Content-Type", "application/macaroon-request")
        .body(json)
        .run();
  }

  private static String string(String json, String member) {
    try {
      return JSONObjectUtils.getString(JSONObjectUtils.parse(json), member);
    } catch (ParseException e) {
      throw new AssertionError(json, e);
    }
  }

  private static String macaroon(String path, String... caveats) {
    String list = caveats.length == 0 ? "" : "\"" + String.join("\",\"", caveats) + "\"";
    Curl.Response answer = ask(ada, path, "{\"caveats\":[" + list + "],\"validity\":\"PT10M\"}");
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    assertThat(answer.header("Cache-Control")).contains("no-store");
    return string(answer.text(), "macaroon");
  }

  private static Curl.Response form(GridAuthority.Holder who, String path, String form) {
    return by(who, storage.curl(path)).body(form).run();
  }

  private static Curl.Response get(String token, String path) {
    return storage.curl(path).token(token).run();
  }

  private static int put(String token, String path) throws IOException {
    Path file = Files.writeString(folder.resolve("upload"), "oats");
    return storage.curl(path).token(token).upload(file).run().status();
  }

  private static int status(String token, String method, String path) {
    return storage.curl(path).token(token).method(method).run().status();
  }

  /** What its holder may do to it, without the key: the signature is the next one's key. */
  private static String narrowed(String macaroon, String... caveats) {
    byte[] bytes = Base64.getUrlDecoder().decode(macaroon);
    try {
      for (String caveat : caveats) {
        byte[] text = caveat.getBytes(StandardCharsets.UTF_8);
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(
            new SecretKeySpec(
                Arrays.copyOfRange(bytes, bytes.length - 33, bytes.length - 1), "HmacSHA256"));
        byte[] end = Arrays.copyOfRange(bytes, bytes.length - 47, bytes.length);
        System.arraycopy(mac.doFinal(text), 0, end, 14, 32);
        bytes =
            ByteBuffer.allocate(bytes.length + text.length + 9)
                .put(bytes, 0, bytes.length - 47)
                .put("%04xcid ".formatted(text.length + 9).getBytes(StandardCharsets.US_ASCII))
                .put(text)
                .put((byte) '\n')
                .put(end)
                .array();
      }
    } catch (java.security.GeneralSecurityException e) {
      throw new AssertionError(e);
    }
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  @Test
  void bearerOfAMacaroonMayWhatItsGiverMayBelowThePathThatItWasAskedAt() throws IOException {
    String all = macaroon("/data/ada");

    assertThat(get(all, "/data/ada/file").text()).isEqualTo("grain");
    assertThat(put(all, "/data/ada/new")).isEqualTo(201);
    assertThat(put(all, "/data/ada/new")).isEqualTo(204);
    assertThat(status(all, "DELETE", "/data/ada/new")).isEqualTo(204);
    assertThat(get(all, "/data/other").status()).isEqualTo(403);
    assertThat(get(all, "/data/adax").status()).isEqualTo(403);
    assertThat(storage.curl("/data/ada/file?authz=" + all).run().text()).isEqualTo("grain");

    // It says more than its giver may.
    String area = macaroon("/data");
    assertThat(get(area, "/data/other").text()).isEqualTo("rye");
    assertThat(put(area, "/data/new")).isEqualTo(403);
    assertThat(put(area, "/open/new")).isEqualTo(403);
  }

  @ParameterizedTest
  @CsvSource({
    "DOWNLOAD, 200 403 403 403 403",
    "'DOWNLOAD,LIST', 200 207 403 403 403",
    "UPLOAD, 403 403 201 403 403",
    "DELETE, 403 403 403 403 204",
    "'UPLOAD,DELETE', 403 403 201 204 204",
    "MANAGE, 403 403 403 403 403",
    "STAGE, 403 403 403 403 403"
  })
  void activitiesAllowWhatTheyName(String activities, String expected) throws IOException {
    String token = macaroon("/data/ada", "activity:" + activities);
    String seen =
        get(token, "/data/ada/file").status()
            + " "
            + storage
                .curl("/data/ada/")
                .token(token)
                .method("PROPFIND")
                .header("Depth", "1")
                .run()
                .status()
            + " "
            + put(token, "/data/ada/fresh")
            + " "
            + put(token, "/data/ada/file")
            + " "
            + status(token, "DELETE", "/data/ada/file");
    Files.deleteIfExists(storage.data().resolve("ada/fresh"));

    assertThat(seen).isEqualTo(expected);
    assertThat(storage.curl("/data/ada/sub/file").token(token).head().run().status())
        .isEqualTo(200);
  }

  @Test
  void holderAddsCaveatsAndNeverRights() throws IOException {
    String token = macaroon("/data", "activity:DOWNLOAD,LIST,UPLOAD");

    assertThat(get(narrowed(token, "path:/data/ada/sub"), "/data/ada/file").status())
        .isEqualTo(403);
    assertThat(get(narrowed(token, "path:/data/ada/sub"), "/data/ada/sub/file").status())
        .isEqualTo(200);
    assertThat(get(narrowed(token, "activity:LIST"), "/data/ada/file").status()).isEqualTo(403);
    assertThat(put(narrowed(token, "activity:DELETE", "activity:UPLOAD"), "/data/ada/z"))
        .isEqualTo(403);
    String other = narrowed(token, "path:/data/ada", "path:/data/other");
    assertThat(get(other, "/data/other").status()).isEqualTo(403);
    assertThat(get(narrowed(token, "ip:127.0.0.1"), "/data/other").status()).isEqualTo(200);
    Curl.Response elsewhere = get(narrowed(token, "ip:192.0.2.0/24"), "/data/other");
    assertThat(elsewhere.status()).isEqualTo(401);
    assertThat(elsewhere.text())
        .isEqualTo("the macaroon is for other addresses (ip) than 127.0.0.1\n");
    Curl.Response late = get(narrowed(token, "before:2026-01-01T00:00:00Z"), "/data/other");
    assertThat(late.status()).isEqualTo(401);
    assertThat(late.text()).isEqualTo("the macaroon expired at 2026-01-01T00:00:00Z\n");
    String longer = narrowed(token, "before:2099-01-01T00:00:00Z");
    assertThat(get(longer, "/data/other").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"user:ada", "activity:EVERYTHING", "path:relative", "before:soon", "ip:host", ""})
  void aCaveatThatIsNotKnownIsRefused(String caveat) {
    Curl.Response refused = get(narrowed(macaroon("/data"), caveat), "/data/other");

    assertThat(refused.status()).isEqualTo(401);
    assertThat(refused.text()).startsWith("the caveat " + caveat + " is not known here");
    assertThat(refused.header("WWW-Authenticate").orElseThrow()).contains("invalid_token");
    Trials.held();
  }

  @Test
  void forgedCutAndOverlongMacaroonsAreRefusedWithOneLine() {
    String token = macaroon("/data", "activity:LIST");
    byte[] whole = Base64.getUrlDecoder().decode(token);
    for (int i = 20; i < whole.length; i += 7) {
      byte[] forged = whole.clone();
      forged[i] ^= 2;
      Curl.Response answer =
          get(Base64.getUrlEncoder().withoutPadding().encodeToString(forged), "/data/other");
      assertThat(answer.status()).as(answer.text()).isEqualTo(401);
      assertThat(answer.text()).containsOnlyOnce("\n").doesNotContain(token);
      Trials.held();
    }
    for (int cut : new int[] {1, 2, 40, token.length() / 2, token.length() - 20}) {
      Curl.Response answer = get(token.substring(0, token.length() - cut), "/data/other");
      assertThat(answer.status()).isEqualTo(401);
      assertThat(answer.text()).containsOnlyOnce("\n");
      Trials.held();
    }
    String[] many = new String[70];
    Arrays.fill(many, "activity:LIST");
    assertThat(get(narrowed(token, many), "/data/other").status()).isEqualTo(401);
    assertThat(get("MDAxbG9jYXRpb24g" + "A".repeat(20_000), "/data/other").status())
        .isBetween(400, 431);
  }

  @Test
  void whoHasNothingAtAPathIsGivenNothingForIt() {
    Curl.Response denied = ask(bob, "/data/ada", "{}");
    assertThat(denied.status()).isEqualTo(403);
    assertThat(denied.text()).contains("what is granted to CN=Bob,O=Example,C=DE is nothing here");
    assertThat(ask(ada, "/data/other", "{\"caveats\":[\"activity:UPLOAD\"]}").status())
        .isEqualTo(403);
    Curl.Response anonymous =
        storage
            .curl("/data/ada")
            .header("Content-Type", "application/macaroon-request")
            .body("{}")
            .run();
    assertThat(anonymous.status()).isEqualTo(401);
    assertThat(anonymous.text()).contains("show a certificate, a VOMS proxy or a token");
    Curl.Response second =
        storage
            .curl("/data/ada")
            .token(macaroon("/data/ada"))
            .header("Content-Type", "application/macaroon-request")
            .body("{}")
            .run();
    assertThat(second.status()).isEqualTo(403);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "{",
        "{\"caveats\":\"activity:LIST\"}",
        "{\"caveats\":[1]}",
        "{\"caveats\":[\"user:ada\"]}",
        "{\"validity\":\"tomorrow\"}",
        "{\"validity\":\"PT0S\"}",
        "{\"caveats\":[\"path:/open\"]}",
        "{\"caveats\":[\"path:/data/../open\"]}"
      })
  void aRequestThatMakesNoSenseIsToldSo(String json) {
    Curl.Response refused = ask(ada, "/data/ada", json);

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text()).containsOnlyOnce("\n");
  }

  @Test
  void tokenThatWouldBeTooLongToBeTakenIsNotGiven() {
    String addresses = "\"ip:" + "192.0.2.7,".repeat(100) + "127.0.0.1\"";
    assertThat(ask(ada, "/data/ada", "{\"caveats\":[" + addresses + "]}").status()).isEqualTo(200);
    String many = String.join(",", Collections.nCopies(20, addresses));
    Curl.Response refused = ask(ada, "/data/ada", "{\"caveats\":[" + many + "]}");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text()).contains("ask for less").containsOnlyOnce("\n");
  }

  /** As dCache's clients ask, at the root with a path. */
  @Test
  void aMacaroonMayBeAskedForAtTheRoot() {
    assertThat(get(macaroon("/", "path:/data/ada/", "activity:DOWNLOAD"), "/data/ada/file").text())
        .isEqualTo("grain");
    assertThat(ask(ada, "/", "{}").status()).isEqualTo(400);
  }

  @Test
  void holderOfATokenIsGivenOneThatEndsNoLater() {
    String mine =
        storage
            .issuer()
            .token()
            .subject("ada")
            .scope("storage.read:/ada")
            .audience(RunningStorage.AUDIENCE)
            .lifetime(Duration.ofMinutes(2))
            .sign();
    Curl.Response answer =
        storage
            .curl("/data/ada")
            .token(mine)
            .header("Content-Type", "application/macaroon-request")
            .body("{\"validity\":\"P7D\"}")
            .run();

    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    assertThat(answer.text()).containsPattern("\"expires_in\":1[01][0-9]\\b");
    String token = string(answer.text(), "macaroon");
    assertThat(get(token, "/data/ada/file").text()).isEqualTo("grain");
    assertThat(get(token, "/data/other").status()).isEqualTo(403);
    assertThat(new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8))
        .doesNotContain(mine);
  }

  @Test
  void macaroonThatIsToEndEarlierIsToldToEndThen() {
    String soon = "{\"caveats\":[\"before:%s\"],\"validity\":\"PT10M\"}";
    Instant now = Clock.systemUTC().instant();

    Curl.Response answer = ask(ada, "/data", soon.formatted(now.plusSeconds(120)));
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    assertThat(answer.text()).containsPattern("\"expires_in\":1[01][0-9]\\b");
    assertThat(get(string(answer.text(), "macaroon"), "/data/other").status()).isEqualTo(200);
    Curl.Response over = ask(ada, "/data", soon.formatted(now.minusSeconds(1)));
    assertThat(over.status()).isEqualTo(400);
    assertThat(over.text()).contains("ended already").containsOnlyOnce("\n");
  }

  @Test
  void scopeThatEndsInASlashMeansACollectionAndNoFileOfThatName() throws IOException {
    String file = jwt("storage.modify:/data/ada/file/");
    assertThat(put(file, "/data/ada/file")).isEqualTo(403);
    assertThat(status(file, "DELETE", "/data/ada/file")).isEqualTo(403);
    assertThat(status(file, "PROPFIND", "/data/ada/file")).isEqualTo(207);
    assertThat(storage.data().resolve("ada/file")).hasContent("grain");

    String collection = jwt("storage.modify:/data/ada/sub/");
    assertThat(put(collection, "/data/ada/sub/file")).isEqualTo(204);
    assertThat(status(collection, "DELETE", "/data/ada/sub/")).isEqualTo(204);
    assertThat(get(jwt("storage.read:/data/"), "/data/other").text()).isEqualTo("rye");
  }

  private static String jwt(String scope) {
    Curl.Response answer =
        form(ada, "/.staithe/tokens", "grant_type=client_credentials&scope=" + scope);
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return string(answer.text(), "access_token");
  }

  @Test
  void tokenEndpointIsFoundAndGivesMacaroonsForActivities() {
    Curl.Response found = storage.curl("/.well-known/oauth-authorization-server/data/ada").run();
    String endpoint = string(found.text(), "token_endpoint");
    assertThat(string(found.text(), "issuer")).isEqualTo(storage.url(""));
    assertThat(endpoint).isEqualTo(storage.url("/.staithe/tokens"));

    Curl.Response answer =
        form(
            ada,
            "/.staithe/tokens",
            "grant_type=client_credentials&expire_in=600&scopes=LIST%3A%2Fdata%2Fada%20DOWNLOAD%3A%2Fdata%2Fada");
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    String token = string(answer.text(), "access_token");
    assertThat(get(token, "/data/ada/file").text()).isEqualTo("grain");
    assertThat(get(token, "/data/other").status()).isEqualTo(403);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/.staithe/tokens", "/.storm-webdav/oauth/token"})
  void tokenEndpointGivesJwtsForScopesOfWlcg(String endpoint) throws Exception {
    Curl.Response answer =
        form(
            ada,
            endpoint,
            "grant_type=client_credentials&lifetime=600&scope=storage.read:/data/ada+storage.modify:/data/ada/sub");
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    String token = string(answer.text(), "access_token");

    SignedJWT jwt = SignedJWT.parse(token);
    JWKSet keys = JWKSet.parse(storage.curl("/.staithe/tokens/keys").run().text());
    assertThat(keys.getKeyByKeyId(jwt.getHeader().getKeyID()).isPrivate()).isFalse();
    assertThat(
            jwt.verify(
                new ECDSAVerifier(
                    keys.getKeyByKeyId(jwt.getHeader().getKeyID()).toECKey().toPublicJWK())))
        .isTrue();
    assertThat(jwt.getJWTClaimsSet().getStringClaim("wlcg.ver")).isEqualTo("1.0");
    assertThat(get(token, "/data/ada/file").text()).isEqualTo("grain");
    assertThat(get(token, "/data/other").status()).isEqualTo(403);
    assertThat(put(token, "/data/ada/sub/new")).isEqualTo(201);
    assertThat(put(token, "/data/ada/new")).isEqualTo(403);
    String[] parts = token.split("\\.");
    Curl.Response forged =
        get(parts[0] + "." + parts[1] + "." + new StringBuilder(parts[2]).reverse(), "/data/other");
    assertThat(forged.status()).isEqualTo(401);
    assertThat(forged.text()).isEqualTo("the token's signature is wrong\n");
    Files.delete(storage.data().resolve("ada/sub/new"));
  }

  @ParameterizedTest
  @CsvSource({
    "'grant_type=password', unsupported_grant_type",
    "'grant_type=client_credentials', invalid_scope",
    "'grant_type=client_credentials&scope=storage.read:/nowhere', invalid_scope",
    "'grant_type=client_credentials&scope=storage.modify:/data/other', invalid_scope",
    "'grant_type=client_credentials&scope=storage.read', invalid_scope",
    "'grant_type=client_credentials&scope=DOWNLOAD:/a LIST:/b', invalid_scope",
    "'grant_type=client_credentials&scope=DOWNLOAD:/data&expire_in=-1', invalid_request",
    "'grant_type=client_credentials&grant_type=client_credentials', invalid_request"
  })
  void tokenEndpointRefusesInItsOwnWords(String form, String error) {
    Curl.Response refused = form(ada, "/.staithe/tokens", form);

    assertThat(refused.status()).isEqualTo(400);
    assertThat(string(refused.text(), "error")).isEqualTo(error);
    assertThat(string(refused.text(), "error_description")).isNotEmpty();
  }

  /**
   * On another node, and after the next start, as long as the key is there; not a second longer.
   */
  @Test
  void keysAreSharedByAFileAndATokenEndsWithItsKey() throws Exception {
    Path keys = folder.resolve("shared/keys");
    Map<String, Object> shared = new LinkedHashMap<>(settings);
    shared.put("staithe.tokens.key-file", keys);
    RunningStorage before = storage;
    try (RunningStorage one =
            RunningStorage.beside(RunningStorage.shared(), folder.resolve("one"), shared);
        RunningStorage other =
            RunningStorage.beside(RunningStorage.shared(), folder.resolve("two"), shared)) {
      storage = one;
      String macaroon;
      Files.createDirectories(one.data().resolve("ada"));
      Files.createDirectories(other.data().resolve("ada"));
      macaroon = macaroon("/data");
      String jwt =
          string(
              form(
                      ada,
                      "/.staithe/tokens",
                      "grant_type=client_credentials&scope=storage.read:/data")
                  .text(),
              "access_token");
      Files.writeString(other.data().resolve("file"), "wheat");
      storage = other;
      Eventually.holds("the key is seen", () -> get(macaroon, "/data/file").status() == 200);
      assertThat(get(jwt, "/data/file").text()).isEqualTo("wheat");
      assertThat(Files.readString(keys)).contains("macaroon ").contains("jwt ");
      assertThat(Files.getPosixFilePermissions(keys)).hasSize(2);

      Files.delete(keys);
      for (RunningStorage each : List.of(one, other)) {
        storage = each;
        Eventually.holds("it is withdrawn", () -> get(macaroon, "/data/file").status() == 401);
        assertThat(get(macaroon, "/data/file").text()).contains("ask for another macaroon");
        assertThat(get(jwt, "/data/file").status()).isEqualTo(401);
      }
    } finally {
      storage = before;
    }
  }

  @Test
  void whoCannotBeGivenATokenNowIsToldWhenToComeAgain() throws IOException {
    Path keys = Files.writeString(folder.resolve("readable"), "");
    Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-r--r--"));
    Map<String, Object> exposed = new LinkedHashMap<>(settings);
    exposed.put("staithe.tokens.key-file", keys);
    RunningStorage before = storage;
    try (RunningStorage refusing =
        RunningStorage.beside(RunningStorage.shared(), folder.resolve("refusing"), exposed)) {
      storage = refusing;
      Files.createDirectories(refusing.data().resolve("ada"));
      Curl.Response refused = ask(ada, "/data/ada", "{}");
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.header("Retry-After")).isPresent();
    } finally {
      storage = before;
    }
  }

  @Test
  void tokensAreInNoLog() throws IOException {
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    Map<String, Object> logging = new LinkedHashMap<>(settings);
    Path file = folder.resolve("access.log");
    logging.put("staithe.access-log.file", file);
    RunningStorage before = storage;
    String macaroon;
    try (RunningStorage logged =
        RunningStorage.beside(RunningStorage.shared(), folder.resolve("logged"), logging)) {
      storage = logged;
      log.start();
      root.addAppender(log);
      macaroon = macaroon("/data", "activity:LIST");
      logged.curl("/data/?authz=" + macaroon).run();
      logged.curl("/data/file?authz=" + macaroon + "AAAA").run();
    } finally {
      root.detachAppender(log);
      storage = before;
    }
    String end = macaroon.substring(macaroon.length() - 30);
    assertThat(log.list.stream().map(ILoggingEvent::getFormattedMessage))
        .anyMatch(line -> line.startsWith("macaroon ") && line.contains("CN=Ada"))
        .noneMatch(line -> line.contains(end));
    assertThat(Files.readString(file)).contains("/data/").doesNotContain(end);
  }

  /** What the giver loses, every bearer loses. */
  @Test
  void rightsAreThoseThatTheGiverHasNow() throws IOException {
    Path keys = folder.resolve("kept/keys");
    Map<String, Object> kept = new LinkedHashMap<>(settings);
    kept.put("staithe.tokens.key-file", keys);
    RunningStorage before = storage;
    String macaroon;
    try (RunningStorage generous =
        RunningStorage.beside(RunningStorage.shared(), folder.resolve("kept"), kept)) {
      storage = generous;
      Files.createDirectories(generous.data().resolve("ada"));
      macaroon = macaroon("/data/ada");
      assertThat(put(macaroon, "/data/ada/file")).isEqualTo(201);
    } finally {
      storage = before;
    }
    kept.put("staithe.areas[0].subjects[0].scopes", "storage.read:/");
    try (RunningStorage strict =
        RunningStorage.beside(RunningStorage.shared(), folder.resolve("kept"), kept)) {
      storage = strict;
      assertThat(put(macaroon, "/data/ada/file")).isEqualTo(403);
      assertThat(get(macaroon, "/data/ada/file").status()).isEqualTo(200);
    } finally {
      storage = before;
    }
  }
}
