package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.pki.Pem;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.GridAuthority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Tokens of ours where they were not meant to be, and who is given one by VOMS. */
class MisusedTokensTests {
  private static final String VOMS = "/C=DE/O=Example/CN=voms.test";

  @TempDir static Path folder;
  private static GridAuthority people;
  private static GridAuthority.Holder ada;
  private static GridAuthority.Holder bob;
  private static GridAuthority.Holder server;
  private static GridAuthority.Holder producer;
  private static GridAuthority.Holder member;
  private static RunningStorage storage;
  private static RunningStorage other;

  @BeforeAll
  static void start() throws IOException {
    people = GridAuthority.in(folder.resolve("grid"), Clock.systemUTC());
    ada = people.person("/C=DE/O=Example/CN=Ada");
    bob = people.person("/C=DE/O=Example/CN=Bob");
    server = people.person(VOMS);
    producer = people.attributed(bob, server, "atlas", "/atlas/Role=production", "/atlas");
    member = people.attributed(bob, server, "atlas", "/atlas");
    Path vomsdir = folder.resolve("vomsdir");
    Files.writeString(
        Files.createDirectories(vomsdir.resolve("atlas")).resolve("voms.test.lsc"),
        VOMS + "\n" + GridAuthority.NAMESPACE + "/CN=Grid authority\n");
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("staithe.client-certificates.trust", people.trust());
    settings.put("staithe.voms.trust", vomsdir);
    settings.put("staithe.areas[0].voms[0].fqan", "/atlas/Role=production");
    settings.put("staithe.areas[0].voms[0].scopes", "storage.read:/atlas storage.modify:/atlas");
    settings.put("staithe.areas[0].subjects[0].subject", "CN=Ada,O=Example,C=DE");
    settings.put("staithe.areas[0].subjects[0].scopes", "storage.read:/ storage.modify:/ada");
    settings.put("staithe.access-log.file", folder.resolve("access.log"));
    storage = RunningStorage.beside(RunningStorage.shared(), folder.resolve("storage"), settings);
    other = RunningStorage.beside(RunningStorage.shared(), folder.resolve("other"), settings);
    for (RunningStorage each : List.of(storage, other)) {
      Files.createDirectories(each.data().resolve("atlas"));
      Files.writeString(each.data().resolve("atlas/file"), "grain");
      Files.createDirectories(each.data().resolve("folder"));
    }
  }

  @AfterAll
  static void stop() {
    other.close();
    storage.close();
  }

  private static Curl by(GridAuthority.Holder who, String path) {
    return storage
        .curl(path)
        .option("cert", who.certificate().toString())
        .option("key", who.key().toString());
  }

  private static String member(String json, String name) {
    try {
      return JSONObjectUtils.getString(JSONObjectUtils.parse(json), name);
    } catch (ParseException e) {
      throw new AssertionError(json, e);
    }
  }

  private static Curl.Response ask(GridAuthority.Holder who, String path, String... caveats) {
    String list = caveats.length == 0 ? "" : "\"" + String.join("\",\"", caveats) + "\"";
    return by(who, path)
        .header("Content-Type", "application/macaroon-request")
        .body("{\"caveats\":[" + list + "]}")
        .run();
  }

  private static String macaroon(GridAuthority.Holder who, String path, String... caveats) {
    Curl.Response answer = ask(who, path, caveats);
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return member(answer.text(), "macaroon");
  }

  private static int put(String token, String path) throws IOException {
    Path file = Files.writeString(folder.resolve("upload"), "oats");
    return storage.curl(path).token(token).upload(file).run().status();
  }

  // ---- VOMS

  @ParameterizedTest
  @ValueSource(strings = {"/.staithe/tokens", "/.storm-webdav/oauth/token"})
  void proxyOfVomsIsGivenWhatItsRoleMayAndNoMore(String endpoint) throws IOException {
    String form =
        "grant_type=client_credentials&scope=storage.read:/data/atlas+storage.modify:/data/atlas";
    Curl.Response answer = by(producer, endpoint).body(form).run();
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    String token = member(answer.text(), "access_token");
    assertThat(put(token, "/data/atlas/new" + endpoint.length())).isEqualTo(201);
    assertThat(put(token, "/data/other")).isEqualTo(403);

    Curl.Response poor = by(member, endpoint).body(form).run();
    assertThat(poor.status()).isEqualTo(400);
    assertThat(member(poor.text(), "error")).isEqualTo("invalid_scope");
    assertThat(member(poor.text(), "error_description"))
        .contains("what is granted to CN=Bob,O=Example,C=DE is nothing here");
  }

  /** StoRM's clients name no scope there, and mean all that they have. */
  @Test
  void whoNamesNoScopeIsGivenWhatItMayAtStormsPath() throws IOException {
    Curl.Response all =
        by(ada, "/.storm-webdav/oauth/token").body("grant_type=client_credentials").run();
    assertThat(all.status()).as(all.text()).isEqualTo(200);
    assertThat(member(all.text(), "scope")).contains("storage.read:/");
  }

  @Test
  void macaroonEndsWithTheProxyThatItWasAskedForWith() throws IOException {
    GridAuthority.Holder brief = people.proxy(ada, "-valid", "0:10");
    Curl.Response answer =
        by(brief, "/data/ada")
            .header("Content-Type", "application/macaroon-request")
            .body("{\"validity\":\"PT12H\"}")
            .run();

    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    assertThat(answer.text()).containsPattern("\"expires_in\":[1-6][0-9]?[0-9]?\\b");
  }

  private static GridAuthority.Holder production(String... times) {
    return people.attributed(bob, server, List.of(times), "atlas", "/atlas/Role=production");
  }

  /** Its proxy, and a proxy of that, go on for hours in which nobody says that it has the role. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void tokenEndsWithTheAttributesThatItWasAskedForWith(boolean delegated) throws IOException {
    GridAuthority.Holder proxy = production("-hours", "10", "-vomslife", "1", "-pastac", "0:50");
    GridAuthority.Holder holder = delegated ? people.proxy(proxy, "-valid", "8:00") : proxy;
    Instant end = Instant.now().plus(Duration.ofMinutes(10));
    Curl.Response macaroon =
        by(holder, "/data/atlas")
            .header("Content-Type", "application/macaroon-request")
            .body("{\"validity\":\"PT9H\",\"caveats\":[\"before:2099-01-01T00:00:00Z\"]}")
            .run();
    Curl.Response jwt =
        by(holder, "/.staithe/tokens")
            .body("grant_type=client_credentials&expires_in=32400&scope=storage.read:/data/atlas")
            .run();

    for (Curl.Response answer : List.of(macaroon, jwt)) {
      assertThat(answer.status()).as(answer.text()).isEqualTo(200);
      assertThat(answer.text()).containsPattern("\"expires_in\":[1-6][0-9]?[0-9]?\\b");
    }
    String token = member(macaroon.text(), "macaroon");
    assertThat(storage.curl("/data/atlas/file").token(token).run().status()).isEqualTo(200);
    String text = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.ISO_8859_1);
    assertThat(
            Pattern.compile("before:(2[0-9T:-]+Z)")
                .matcher(text)
                .results()
                .map(each -> Instant.parse(each.group(1)))
                .min(Comparator.naturalOrder()))
        .hasValueSatisfying(before -> assertThat(before).isBefore(end.plusSeconds(60)));
  }

  /**
   * Attributes for longer, which nobody believes, stand in a proxy that has no part in the chain.
   */
  @Test
  void tokenEndsWithTheAttributesThatCountAndNotWithOthersThatAreSentBesideThem()
      throws IOException {
    GridAuthority.Holder proxy = production("-hours", "10", "-vomslife", "1", "-pastac", "0:50");
    GridAuthority.Holder below = people.proxy(proxy, "-valid", "8:00");
    GridAuthority.Holder selfMade =
        people.attributed(
            bob, bob, List.of("-hours", "10", "-vomslife", "9"), "atlas", "/atlas/Role=production");
    List<X509Certificate> chain = new ArrayList<>(Pem.readCertificates(below.certificate()));
    chain.add(1, Pem.readCertificates(selfMade.certificate()).getFirst());
    Path sent = folder.resolve("beside.pem");
    Pem.writeCertificates(sent, chain);

    Curl.Response jwt =
        by(new GridAuthority.Holder(sent, below.key()), "/.staithe/tokens")
            .body("grant_type=client_credentials&expires_in=32400&scope=storage.read:/data/atlas")
            .run();

    assertThat(jwt.status()).as(jwt.text()).isEqualTo(200);
    assertThat(jwt.text()).containsPattern("\"expires_in\":[1-6][0-9]?[0-9]?\\b");
    Trials.held();
  }

  @Test
  void attributesThatHaveEndedAreGivenNoToken() {
    GridAuthority.Holder late = production("-hours", "10", "-vomslife", "1", "-pastac", "2:00");

    Curl.Response refused = ask(late, "/data/atlas");

    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.text())
        .contains("what is granted to CN=Bob,O=Example,C=DE is nothing here")
        .containsOnlyOnce("\n");
    Trials.held();
  }

  @Test
  void attributesThatHaveEndedShortenNoTokenOfWhoMayWithoutThem() {
    GridAuthority.Holder late =
        people.attributed(
            ada,
            server,
            List.of("-hours", "10", "-vomslife", "1", "-pastac", "2:00"),
            "atlas",
            "/atlas");

    Curl.Response jwt =
        by(late, "/.staithe/tokens")
            .body("grant_type=client_credentials&expires_in=7200&scope=storage.read:/data/atlas")
            .run();

    assertThat(jwt.status()).as(jwt.text()).isEqualTo(200);
    assertThat(jwt.text()).containsPattern("\"expires_in\":7[12][0-9]{2}\\b");
    String token = member(jwt.text(), "access_token");
    assertThat(storage.curl("/data/atlas/file").token(token).run().status()).isEqualTo(200);
  }

  // ---- replayed

  @Test
  void macaroonOfOneServerIsWorthNothingAtAnotherThatKnowsTheSamePeople() {
    String token = macaroon(ada, "/data");
    assertThat(storage.curl("/data/atlas/file").token(token).run().status()).isEqualTo(200);

    Curl.Response replayed = other.curl("/data/atlas/file").token(token).run();
    assertThat(replayed.status()).isEqualTo(401);
    assertThat(replayed.text())
        .isEqualTo(
            "the macaroon's key is not, or no longer, one of this server: ask for another macaroon\n");
    Trials.held();
  }

  @Test
  void macaroonThatIsShownAgainAfterItsEndOrFromElsewhereIsRefused() {
    Instant soon = Instant.now();
    Curl.Response made = null;
    // One that has ended already is not made.
    for (int seconds = 5; made == null || made.status() == 400 && seconds < 600; seconds *= 3) {
      soon = Instant.now().plusSeconds(seconds).truncatedTo(ChronoUnit.SECONDS);
      made = ask(ada, "/data", "before:" + soon);
    }
    Instant end = soon;
    Curl late = storage.curl("/data/atlas/file").token(member(made.text(), "macaroon"));
    Eventually.holds("it has ended", () -> !Instant.now().isBefore(end));
    Curl.Response ended = late.run();
    assertThat(ended.status()).isEqualTo(401);
    assertThat(ended.text()).isEqualTo("the macaroon expired at " + end + "\n");
    Trials.held();

    String elsewhere = macaroon(ada, "/data", "ip:192.0.2.7,2001:db8::/32");
    for (String claimed : List.of("X-Forwarded-For: 192.0.2.7", "Forwarded: for=192.0.2.7")) {
      String[] header = claimed.split(": ");
      Curl.Response refused =
          storage.curl("/data/atlas/file").token(elsewhere).header(header[0], header[1]).run();
      assertThat(refused.status()).isEqualTo(401);
      assertThat(refused.text())
          .isEqualTo("the macaroon is for other addresses (ip) than 127.0.0.1\n");
      Trials.held();
    }
  }

  // ---- contradictions

  @Test
  void caveatsThatContradictEachOtherLeaveNothing() throws IOException {
    assertThat(ask(ada, "/data/ada", "path:/data/atlas").status()).isEqualTo(400);
    for (String[] caveats :
        new String[][] {
          {"activity:LIST", "activity:UPLOAD"},
          {"ip:127.0.0.1", "ip:192.0.2.1"},
          {"before:2099-01-01T00:00:00Z", "before:2026-01-01T00:00:00Z"}
        }) {
      Curl.Response answer = ask(ada, "/data", caveats);
      if (answer.status() == 200) {
        String token = member(answer.text(), "macaroon");
        assertThat(storage.curl("/data/atlas/file").token(token).run().status())
            .as(String.join(" ", caveats))
            .isIn(401, 403);
        assertThat(put(token, "/data/ada-new")).isIn(401, 403);
      } else {
        assertThat(answer.status()).isIn(400, 403);
      }
      Trials.held();
    }
  }

  // ---- in URLs

  private static List<Curl> asked(String query) {
    List<Curl> all = new ArrayList<>();
    for (String path :
        List.of(
            "/data/",
            "/data/folder",
            "/data/atlas/file",
            "/data/none",
            "/nowhere",
            "/",
            "/data/%zz")) {
      for (String accept : List.of("text/html", "*/*")) {
        all.add(storage.curl(path + query).header("Accept", accept));
      }
    }
    all.add(storage.curl("/data/made" + query).method("MKCOL"));
    all.add(storage.curl("/data/folder" + query).method("PROPFIND").header("Depth", "1"));
    all.add(storage.curl("/data/folder" + query).method("DELETE"));
    all.add(storage.curl("/data/atlas/file" + query).method("BREW"));
    all.add(storage.curl("/.staithe/transfers" + query));
    all.add(storage.curl("/.staithe/explain" + query + "&method=GET&path=/data/x"));
    return all;
  }

  private static String logged() {
    try {
      return Files.readString(folder.resolve("access.log"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Good ones, those of nobody, and half of one. */
  @ParameterizedTest
  @ValueSource(strings = {"macaroon", "jwt", "cut", "garbage"})
  void tokenInAUrlIsInNoAnswerLogMetricOrReferrer(String kind) throws IOException {
    String token =
        switch (kind) {
          case "macaroon" -> macaroon(ada, "/data");
          case "cut" -> macaroon(ada, "/data").substring(0, 150);
          case "jwt" ->
              RunningStorage.shared()
                  .issuer()
                  .token()
                  .subject("ada")
                  .scope("storage.read:/")
                  .audience(RunningStorage.AUDIENCE)
                  .lifetime(Duration.ofMinutes(5))
                  .sign();
          default -> "a-secret-that-is-no-token-at-all-0123456789";
        };
    String end = token.substring(token.length() - 24);
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    log.start();
    root.addAppender(log);
    try {
      for (Curl each : asked("?authz=" + token)) {
        Curl.Response answer = each.run();
        assertThat(answer.text()).doesNotContain(end);
        assertThat(answer.headers().toString()).doesNotContain(end);
        if (answer.header("Content-Type").orElse("").startsWith("text/html")) {
          assertThat(answer.header("Referrer-Policy")).contains("no-referrer");
        }
        Trials.held();
      }
    } finally {
      root.detachAppender(log);
    }
    assertThat(log.list.stream().map(ILoggingEvent::getFormattedMessage))
        .noneMatch(line -> line.contains(end));
    Eventually.holds("the last is logged", () -> logged().contains("/.staithe/explain"));
    assertThat(logged()).contains("/data/atlas/file").doesNotContain(end);
    assertThat(storage.curl("/.staithe/metrics").run().text()).doesNotContain(end);
    assertThat(storage.curl("/.staithe/health").run().text()).doesNotContain(end);
  }
}
