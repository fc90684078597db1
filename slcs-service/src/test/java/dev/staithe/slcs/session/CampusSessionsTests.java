package dev.staithe.slcs.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.database.Migrations;
import dev.staithe.pki.Credential;
import dev.staithe.slcs.saml.TestIdp;
import dev.staithe.testkit.MutableClock;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** How long a session is good, and with what. */
class CampusSessionsTests {
  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");

  @TempDir Path folder;

  private final MutableClock clock = MutableClock.at(START);
  private CampusSessions sessions;
  private final JdbcDataSource source = new JdbcDataSource();
  private SessionRows rows;

  @BeforeEach
  void open() {
    source.setUrl("jdbc:h2:" + folder.resolve("sessions"));
    Migrations.run(source, "saml");
    rows = new SessionRows(source);
    sessions = new CampusSessions(rows, settings(Duration.ZERO), clock);
  }

  private static SessionSettings settings(Duration recheck) {
    return new SessionSettings(
        URI.create("https://slcs.example.org"),
        Duration.ofHours(1),
        Duration.ofHours(12),
        recheck,
        true);
  }

  private static CampusIdentity alice() {
    return new CampusIdentity(
        "https://idp.example.org",
        "example",
        "alice@example.org",
        Map.of("eduPersonPrincipalName", List.of("alice@example.org")),
        START,
        "");
  }

  private static HttpServletRequest request(
      String method, @Nullable String cookie, @Nullable String origin, @Nullable Credential key) {
    Map<String, Object> attributes = new HashMap<>();
    if (key != null) {
      attributes.put(
          "jakarta.servlet.request.X509Certificate", new X509Certificate[] {key.certificate()});
    }
    return (HttpServletRequest)
        Proxy.newProxyInstance(
            CampusSessionsTests.class.getClassLoader(),
            new Class<?>[] {HttpServletRequest.class},
            (proxy, called, arguments) ->
                switch (called.getName()) {
                  case "getMethod" -> method;
                  case "getHeader" -> arguments[0].equals("Origin") ? origin : null;
                  case "getCookies" ->
                      cookie == null
                          ? null
                          : new Cookie[] {new Cookie("__Host-staithe-slcs", cookie)};
                  case "getAttribute" -> attributes.get(arguments[0]);
                  case "setAttribute" -> attributes.put((String) arguments[0], arguments[1]);
                  default -> throw new UnsupportedOperationException(called.getName());
                });
  }

  private String begin(@Nullable Credential key, Duration atMost) {
    return beginBy(request("POST", null, null, key), atMost);
  }

  private String beginBy(HttpServletRequest request, Duration atMost) {
    List<String> headers = new ArrayList<>();
    var response =
        (HttpServletResponse)
            Proxy.newProxyInstance(
                CampusSessionsTests.class.getClassLoader(),
                new Class<?>[] {HttpServletResponse.class},
                (proxy, called, arguments) -> headers.add((String) arguments[1]));
    sessions.begin(alice(), atMost, new SessionRows.Link("name", "", "index"), request, response);
    assertThat(headers).hasSize(1);
    assertThat(headers.getFirst())
        .startsWith("__Host-staithe-slcs=")
        .contains("Path=/")
        .contains("Secure")
        .contains("HttpOnly")
        .contains("SameSite=Lax")
        .doesNotContain("Domain");
    return headers.getFirst().replaceFirst("[^=]*=([^;]*);.*", "$1");
  }

  private boolean good(String cookie, @Nullable Credential key) {
    return sessions.of(request("GET", cookie, null, key)).isPresent();
  }

  @Test
  void sessionEndsWithoutUseAndAtTheLatestAnyway() {
    String idle = begin(null, Duration.ofDays(365));
    clock.advance(Duration.ofMinutes(59));
    assertThat(good(idle, null)).isTrue();
    clock.advance(Duration.ofMinutes(59));
    assertThat(good(idle, null)).isTrue();
    clock.advance(Duration.ofMinutes(60));
    assertThat(good(idle, null)).isFalse();

    String used = begin(null, Duration.ofDays(365));
    for (int i = 0; i < 12 * 2 - 1; i++) {
      clock.advance(Duration.ofMinutes(30));
      assertThat(good(used, null)).isTrue();
    }
    clock.advance(Duration.ofMinutes(30));
    assertThat(good(used, null)).isFalse();
  }

  @Test
  void sessionEndsWhenTheProviderSaysSo() {
    String cookie = begin(null, Duration.ofMinutes(20));
    clock.advance(Duration.ofMinutes(19));
    assertThat(good(cookie, null)).isTrue();
    clock.advance(Duration.ofMinutes(1));
    assertThat(good(cookie, null)).isFalse();
  }

  @Test
  void sessionIsGoodWithTheClientKeyOnlyThatItBeganWith() {
    Credential key = TestIdp.credential();
    String cookie = begin(key, Duration.ofHours(1));

    assertThat(good(cookie, key)).isTrue();
    assertThat(good(cookie, null)).isFalse();
    assertThat(good(cookie, TestIdp.credential())).isFalse();
  }

  @Test
  void databaseHoldsNoCookie() {
    String cookie = begin(null, Duration.ofHours(1));

    assertThat(rows.find(cookie)).isEmpty();
    assertThat(rows.find(Digests.of(cookie))).isPresent();
  }

  @Test
  void changingRequestOfAnotherSitesPageHasNoSession() {
    String cookie = begin(null, Duration.ofHours(1));

    assertThat(sessions.of(request("POST", cookie, "https://slcs.example.org", null))).isPresent();
    assertThat(sessions.of(request("POST", cookie, "https://evil.example.org", null))).isEmpty();
    assertThat(sessions.of(request("POST", cookie, "null", null))).isEmpty();
  }

  @Test
  void changingRequestOfOurOwnPageHasItsSessionHoweverOurUrlIsWritten() {
    String cookie = begin(null, Duration.ofHours(1));
    var written =
        new CampusSessions(
            rows,
            new SessionSettings(
                URI.create("https://SLCS.Example.org:443"),
                Duration.ofHours(1),
                Duration.ofHours(12),
                Duration.ZERO,
                true),
            clock);

    assertThat(written.of(request("POST", cookie, "https://slcs.example.org", null))).isPresent();
  }

  /** The cookie comes along where the provider is of the same domain. */
  @Test
  void loginThatAPageOfTheProviderBringsEndsTheSessionBefore() {
    String before = begin(null, Duration.ofHours(1));

    String after =
        beginBy(request("POST", before, "https://idp.example.org", null), Duration.ofHours(1));

    assertThat(good(before, null)).isFalse();
    assertThat(good(after, null)).isTrue();
  }

  @Test
  void guessedCookieIsNoSession() {
    begin(null, Duration.ofHours(1));

    assertThat(good("", null)).isFalse();
    assertThat(good(Digests.random(), null)).isFalse();
  }

  @Test
  void sessionThatIsEndedWhileItIsReadEndsAtOnce() {
    String cookie = begin(null, Duration.ofHours(1));
    var whenRead = new AtomicReference<Runnable>(() -> {});
    sessions =
        new CampusSessions(
            new SessionRows(
                new DelegatingDataSource(source) {
                  @Override
                  public Connection getConnection() throws SQLException {
                    return telling(super.getConnection(), whenRead);
                  }
                }),
            settings(Duration.ofHours(1)),
            clock);
    whenRead.set(() -> sessions.end(Digests.of(cookie)));
    good(cookie, null);

    assertThat(good(cookie, null)).isFalse();
  }

  /** A connection that does something once when it is given back. */
  private static Connection telling(Connection connection, AtomicReference<Runnable> whenDone) {
    return (Connection)
        Proxy.newProxyInstance(
            CampusSessionsTests.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, called, arguments) -> {
              Object answer = called.invoke(connection, arguments);
              if (called.getName().equals("close")) {
                whenDone.getAndSet(() -> {}).run();
              }
              return answer;
            });
  }

  @Test
  void sweepForgetsWhatIsOver() {
    // The database has a clock of its own, by which what is to end has ended.
    clock.set(Instant.now().minus(Duration.ofHours(2)));
    begin(null, Duration.ofMinutes(20));
    begin(null, Duration.ofMinutes(90));
    clock.advance(Duration.ofMinutes(30));

    assertThat(sessions.sweep()).isEqualTo(1);
  }

  @Test
  void nodeWhoseClockIsAheadForgetsNothingThatIsGoodElsewhere() {
    clock.set(Instant.now());
    begin(null, Duration.ofMinutes(20));
    var ahead = MutableClock.at(Instant.now().plus(Duration.ofDays(1)));

    assertThat(new CampusSessions(rows, settings(Duration.ZERO), ahead).sweep()).isZero();
  }

  @Test
  void nodeWhoseClockIsAheadEndsNothingThatIsGoodElsewhere() {
    String cookie = begin(null, Duration.ofMinutes(20));
    var ahead = MutableClock.at(START.plus(Duration.ofDays(1)));
    var other = new CampusSessions(rows, settings(Duration.ZERO), ahead);

    assertThat(other.of(request("GET", cookie, null, null))).isEmpty();

    assertThat(good(cookie, null)).isTrue();
  }
}
