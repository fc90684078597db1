package dev.staithe.slcs.saml;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.staithe.slcs.RunningSlcs;
import dev.staithe.slcs.TestBrowser;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With what else than its cookie a session must come, over real TLS and to a real service. */
class BoundSessionTests {
  @TempDir static Path folder;

  private static final TestIdp IDP = TestIdp.of("https://idp.test.example.org", "example.org");
  private static final AtomicInteger REACHED = new AtomicInteger();
  private static ThrowAwayAuthority people;
  private static HttpServer behind;
  private static RunningSlcs slcs;

  @BeforeAll
  static void start() throws IOException {
    behind = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    behind.createContext(
        "/",
        exchange -> {
          REACHED.incrementAndGet();
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    behind.start();
    people = ThrowAwayAuthority.in(folder.resolve("people"), Clock.systemUTC());
    Map<String, Object> settings = new HashMap<>();
    settings.put("staithe.client-certificates.trust", people.certificateFile());
    settings.put("staithe.saml.providers[0].name", "test");
    settings.put(
        "staithe.saml.providers[0].metadata",
        Files.writeString(folder.resolve("test.xml"), IDP.metadata()));
    settings.put("staithe.services[0].path", "/back");
    settings.put("staithe.services[0].protection", "saml");
    settings.put(
        "staithe.services[0].upstream", "http://127.0.0.1:" + behind.getAddress().getPort());
    slcs = RunningSlcs.start(folder, settings);
  }

  @AfterAll
  static void stop() {
    slcs.close();
    behind.stop(0);
  }

  /** A browser that shows a client certificate in each handshake. */
  private static TestBrowser with(ThrowAwayAuthority.Host host) throws Exception {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    char[] password = {};
    store.setKeyEntry(
        "own",
        host.credential().key(),
        password,
        host.credential().chain().toArray(Certificate[]::new));
    var keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(store, password);
    var anchors = KeyStore.getInstance("PKCS12");
    anchors.load(null, null);
    anchors.setCertificateEntry("ca", slcs.authority().issuer().certificate());
    var trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(anchors);
    var context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return new TestBrowser(slcs.url(), context);
  }

  /** The same cookies in another's hands. */
  private static TestBrowser stolen(TestBrowser from, TestBrowser by) {
    from.cookies()
        .getCookieStore()
        .getCookies()
        .forEach(cookie -> by.cookies().getCookieStore().add(slcs.url(), cookie));
    return by;
  }

  private static int session(TestBrowser browser) {
    return browser.get("/session").statusCode();
  }

  @Test
  void cookieOfASessionBegunWithAClientKeyIsOfNoUseWithoutThatKey() throws Exception {
    TestBrowser alice = with(people.localhost());
    IDP.logIn(slcs, alice, "test", "alice@example.org");

    assertThat(alice.get("/session").body()).contains("\"bound\":true");
    assertThat(session(stolen(alice, slcs.browser()))).isEqualTo(401);
    assertThat(session(stolen(alice, with(people.host("mallory.example.org"))))).isEqualTo(401);
    assertThat(session(alice)).isEqualTo(200);
  }

  @Test
  void sessionBegunWithoutAKeyIsGoodWithAndWithoutOne() throws Exception {
    TestBrowser alice = slcs.browser();
    IDP.logIn(slcs, alice, "test", "alice@example.org");

    assertThat(alice.get("/session").body()).contains("\"bound\":false");
    assertThat(session(stolen(alice, with(people.localhost())))).isEqualTo(200);
  }

  private static HttpResponse<String> order(TestBrowser browser, String site) {
    return browser.post(
        slcs.url().resolve("/back/order"), "application/json", "{}", "Sec-Fetch-Site", site);
  }

  @ParameterizedTest
  @ValueSource(strings = {"same-site", "cross-site", "whatever"})
  void pageOfAnotherSiteCannotChangeAnythingAtAProtectedService(String site) {
    TestBrowser alice = slcs.browser();
    IDP.logIn(slcs, alice, "test", "alice@example.org");
    int before = REACHED.get();

    HttpResponse<String> answer = order(alice, site);

    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.body()).isEqualTo("a page of another site may not ask for this\n");
    assertThat(REACHED).hasValue(before);
    // A link may lead here.
    assertThat(alice.get("/back/x", "Sec-Fetch-Site", site).statusCode()).isEqualTo(204);
  }

  @ParameterizedTest
  @ValueSource(strings = {"same-origin", "none"})
  void ownPageReachesAProtectedService(String site) {
    TestBrowser alice = slcs.browser();
    IDP.logIn(slcs, alice, "test", "alice@example.org");

    assertThat(order(alice, site).statusCode()).isEqualTo(204);
  }
}
