package dev.staithe.slcs.saml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.peers.PostgresServer;
import dev.staithe.pki.Credential;
import dev.staithe.service.OneLineFailure;
import dev.staithe.slcs.RunningSlcs;
import dev.staithe.slcs.TestBrowser;
import dev.staithe.slcs.saml.metadata.ServiceProvider;
import dev.staithe.slcs.saml.response.Refusal;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.FreePort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes behind one name, on one PostgreSQL. */
class TwoNodesIT {
  @TempDir static Path folder;

  private static final TestIdp IDP = TestIdp.of("https://idp.test.example.org", "test.example.org");
  private static PostgresServer postgres;
  private static RunningSlcs one;
  private static RunningSlcs other;
  private static Map<String, Object> settings;

  @BeforeAll
  static void start() throws IOException {
    postgres = PostgresServer.start();
    Credential credential = TestIdp.credential();
    credential.write(folder.resolve("saml.pem"), folder.resolve("saml-key.pem"));
    int port = FreePort.next();
    settings = new HashMap<>();
    settings.put("staithe.url", "https://localhost:" + port);
    settings.put("staithe.database.url", postgres.url());
    settings.put("staithe.database.user", postgres.user());
    settings.put("staithe.database.password-file", postgres.passwordFile());
    settings.put("staithe.saml.certificate", folder.resolve("saml.pem"));
    settings.put("staithe.saml.key", folder.resolve("saml-key.pem"));
    settings.put("staithe.saml.providers[0].name", "test");
    settings.put(
        "staithe.saml.providers[0].metadata",
        Files.writeString(folder.resolve("test.xml"), IDP.metadata()));
    one = RunningSlcs.start(folder, port, settings);
    other = one.another(folder, settings);
  }

  @AfterAll
  static void stop() {
    other.close();
    one.close();
    postgres.close();
  }

  private static String request(TestBrowser browser) {
    return TestIdp.requestId(
        URI.create(
            browser
                .get("/saml2/authenticate/test")
                .headers()
                .firstValue("Location")
                .orElseThrow()));
  }

  private static HttpResponse<String> post(TestBrowser browser, RunningSlcs node, String xml) {
    return browser.post(
        new TestBrowser.Form(
            node.url().resolve(ServiceProvider.CONSUMER),
            Map.of(
                "SAMLResponse",
                Base64.getEncoder().encodeToString(xml.getBytes(StandardCharsets.UTF_8)))));
  }

  private static String good(String request) {
    return TestIdp.text(IDP.response(IDP.good(one.url().toString(), request)));
  }

  private static int session(TestBrowser browser, RunningSlcs node) {
    return browser.get(node.url() + "/session").statusCode();
  }

  @Test
  void anyNodeTakesTheAnswerToARequestOfAnother() {
    TestBrowser browser = one.browser();

    HttpResponse<String> answer = post(browser, other, good(request(browser)));

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(303);
    assertThat(session(browser, one)).isEqualTo(200);
    assertThat(session(browser, other)).isEqualTo(200);
  }

  @Test
  void replayOnAnotherNodeIsRefused() {
    TestBrowser browser = one.browser();
    String response = good(request(browser));
    assertThat(post(browser, one, response).statusCode()).isEqualTo(303);

    HttpResponse<String> replayed = post(browser, other, response);

    assertThat(replayed.statusCode()).isEqualTo(403);
    assertThat(replayed.body()).startsWith("not logged in: ");
  }

  @Test
  void assertionUsedForAnotherRequestOnAnotherNodeIsRefused() {
    TestBrowser browser = one.browser();
    String first = request(browser);
    TestIdp.Said said = IDP.good(one.url().toString(), first);
    assertThat(post(browser, one, TestIdp.text(IDP.response(said))).statusCode()).isEqualTo(303);
    // A provider that signs the same ID again is as good as a replay.
    TestIdp.Said again = IDP.good(one.url().toString(), request(browser));
    again.assertionId = said.assertionId;

    HttpResponse<String> replayed = post(browser, other, TestIdp.text(IDP.response(again)));

    assertThat(replayed.body()).isEqualTo("not logged in: " + Refusal.Reason.REPLAY.line() + "\n");
  }

  @Test
  void nodeThatWouldSignWithAKeyOfItsOwnDoesNotStart() {
    Map<String, Object> without = new HashMap<>(settings);
    without.remove("staithe.saml.certificate");
    without.remove("staithe.saml.key");

    assertThatThrownBy(() -> one.another(folder, without))
        .satisfies(
            failure ->
                assertThat(OneLineFailure.describe(failure))
                    .startsWith("staithe.saml.key: must be named")
                    .contains("the same on all nodes"));
  }

  @Test
  void logoutAtOneNodeHoldsAtTheOtherAfterTheRecheck() {
    TestBrowser browser = one.browser();
    post(browser, one, good(request(browser)));
    assertThat(session(browser, other)).isEqualTo(200);
    var cookies = browser.cookies().getCookieStore().getCookies();
    var kept =
        cookies.stream()
            .filter(each -> each.getName().equals("__Host-staithe-slcs"))
            .findFirst()
            .orElseThrow();

    browser.send(HttpRequest.newBuilder(one.url().resolve("/session")).DELETE());

    browser.cookies().getCookieStore().add(one.url(), kept);
    kept.setMaxAge(-1);
    assertThat(session(browser, one)).isEqualTo(401);
    Eventually.holds("the session ends at the other node", () -> session(browser, other) == 401);
  }
}
