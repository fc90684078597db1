package dev.staithe.delegation.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.delegation.RunningDelegation;
import dev.staithe.delegation.door.Commands;
import dev.staithe.delegation.door.Forger;
import dev.staithe.delegation.door.RestClient;
import dev.staithe.delegation.door.Somebody;
import dev.staithe.peers.NginxServer;
import dev.staithe.pki.Credential;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.clients.Browser;
import dev.staithe.testkit.trust.GridAuthority;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The page in a real Chromium. What shows a person's certificate is an nginx between the two, one
 * for each person: a browser without a window cannot be asked for one.
 */
final class DelegationsInBrowserIT {
  @TempDir static Path folder;

  private static RunningDelegation service;
  private static Somebody ada;
  private static Somebody bob;
  private static Credential adaOfTestvo;
  private static NginxServer adasBrowser;
  private static NginxServer bobsBrowser;
  private static NginxServer nobodysBrowser;
  private static Browser browser;

  @BeforeAll
  static void start() {
    GridAuthority grid = GridAuthority.in(folder.resolve("grid"), Clock.systemUTC());
    ThrowAwayAuthority web = ThrowAwayAuthority.in(folder.resolve("tls"), Clock.systemUTC());
    int port = FreePort.next();
    GridAuthority.Holder adasFiles = grid.person("/C=DE/O=Example/CN=Ada");
    GridAuthority.Holder bobsFiles = grid.person("/C=DE/O=Example/CN=Bob");
    adasBrowser = front(web, port, adasFiles);
    bobsBrowser = front(web, port, bobsFiles);
    nobodysBrowser = front(web, port, null);
    service =
        RunningDelegation.start(
            folder,
            grid.trust(),
            Map.of(
                "server.port",
                port,
                "staithe.url",
                url(adasBrowser),
                "staithe.keys.kind",
                "p-256"));
    ada = Somebody.of(service, adasFiles);
    bob = Somebody.of(service, bobsFiles);
    adaOfTestvo =
        new Commands(folder.resolve("commands"))
            .vomsProxy(adasFiles, grid.person("/C=DE/O=Example/CN=voms.example.org"), grid.trust());
    browser = Browser.in(folder.resolve("browser"));
  }

  @AfterAll
  static void stop() {
    browser.close();
    List.of(adasBrowser, bobsBrowser, nobodysBrowser).forEach(NginxServer::close);
    List.of(ada, bob).forEach(Somebody::close);
    service.close();
  }

  @AfterEach
  void forget() {
    for (JsonNode one : ada.client().get("/api/delegations").json().get("delegations")) {
      ada.client().send("DELETE", "/api/delegations/" + one.get("id").asString(), "");
    }
  }

  private static NginxServer front(
      ThrowAwayAuthority web, int port, GridAuthority.@Nullable Holder who) {
    ThrowAwayAuthority.Host host = web.host("front", "localhost");
    String own =
        who == null
            ? ""
            : "proxy_ssl_certificate %s; proxy_ssl_certificate_key %s;"
                .formatted(who.certificate(), who.key());
    return NginxServer.start(
        listen ->
            """
            server {
              listen 127.0.0.1:%d ssl;
              ssl_certificate %s;
              ssl_certificate_key %s;
              location / {
                proxy_pass https://127.0.0.1:%d;
                %s
                proxy_set_header Host $http_host;
              }
            }
            """
                .formatted(listen, host.certificate(), host.key(), port, own));
  }

  private static URI url(NginxServer front) {
    return URI.create("https://localhost:" + front.port());
  }

  private static void delegate(String id, Credential maker, String rules) {
    RestClient.Answer begun =
        ada.client()
            .json("POST", "/api/delegations", "{\"id\":\"" + id + "\",\"rules\":" + rules + "}");
    assertThat(begun.status()).as(begun.body()).isEqualTo(201);
    RestClient.Answer put =
        ada.client()
            .send(
                "PUT",
                "/api/delegations/" + id + "/credential",
                Forger.below(maker).forRequest(begun.json().get("request").asString()));
    assertThat(put.status()).as(put.body()).isEqualTo(200);
  }

  private static String rules(String acquirer, Integer uses) {
    var json = JsonMapper.shared().createObjectNode();
    json.putArray("acquirers").add(acquirer);
    json.put("uses", uses);
    return json.toString();
  }

  @Test
  void ownDelegationsAreShownWithWhoMayUseThemAndTheirAttributes() {
    delegate("night", adaOfTestvo, rules("CN=robot.example.org,O=Example,C=DE", 3));
    delegate("open", ada.credential(), "{\"acquirers\":[]}");

    browser.open(url(adasBrowser) + "/");

    browser.awaitTitle("Your delegations");
    assertThat(browser.text("#subject")).isEqualTo("/C=DE/O=Example/CN=Ada");
    assertThat(browser.texts(".id")).containsExactlyInAnyOrder("night", "open");
    assertThat(browser.texts(".acquirers"))
        .containsExactlyInAnyOrder("/C=DE/O=Example/CN=robot.example.org", "nobody yet");
    assertThat(browser.texts(".uses")).containsExactlyInAnyOrder("3 of 3", "no limit (0 so far)");
    assertThat(browser.texts(".attributes"))
        .anyMatch(text -> text.startsWith("/testvo/Role=production"))
        .contains("none");
    assertThat(
            browser.run(
                "const right = css => document.querySelector(css).getBoundingClientRect().right;"
                    + " return right('table') <= right('main')"))
        .as("long names stay inside the page")
        .isEqualTo(true);
    assertThat(
            browser.strings("return [...document.querySelectorAll('time')].map(t => t.dateTime)"))
        .contains(ada.client().get("/api/delegations/night").json().get("notAfter").asString());
    browser.assertNoScriptFailedAndNothingWasBlocked();
  }

  @Test
  void buttonTakesADelegationBack() {
    delegate("night", ada.credential(), "{}");
    delegate("day", ada.credential(), "{}");
    browser.open(url(adasBrowser) + "/");

    browser.click("button[aria-label='Revoke the delegation night']");

    assertThat(browser.text("#state")).startsWith("It is revoked.");
    assertThat(browser.texts(".id")).containsExactly("day");
    assertThat(ada.client().get("/api/delegations/night").status()).isEqualTo(404);
    assertThat(service.audit().toString()).contains("delegation.destroy");
    browser.assertNoScriptFailedAndNothingWasBlocked();
  }

  @Test
  void secondClickOnWhatIsGoneSaysSo() {
    delegate("night", ada.credential(), "{}");
    browser.open(url(adasBrowser) + "/");
    ada.client().send("DELETE", "/api/delegations/night", "");

    browser.click("button[aria-label='Revoke the delegation night']");

    assertThat(browser.text("#problem")).contains("no such delegation");
    browser.await("#none");
  }

  @Test
  void pageOfAnotherSiteRevokesNothing() {
    delegate("night", ada.credential(), "{}");
    NginxServer evil =
        NginxServer.start(
            listen ->
                """
                server {
                  listen 127.0.0.1:%d;
                  location / {
                    default_type text/html;
                    return 200 '<form method=post action="%s/revoke"><input name=id value=night><button id=go>a cat</button></form>';
                  }
                }
                """
                    .formatted(listen, url(adasBrowser)));
    try (evil) {
      browser.open("http://127.0.0.1:" + evil.port() + "/");

      browser.click("#go");

      browser.await("the refusal", () -> browser.text("body").contains("page of another site"));
      assertThat(ada.client().get("/api/delegations/night").status()).isEqualTo(200);
      assertThat(service.audit().getLast()).contains("cross-site");
    }
  }

  @Test
  void delegationsOfOthersAreNotShown() {
    delegate("night", ada.credential(), "{}");

    browser.open(url(bobsBrowser) + "/");

    assertThat(browser.text("#subject")).isEqualTo("/C=DE/O=Example/CN=Bob");
    browser.await("#none");
    assertThat(browser.has(".id")).isFalse();
  }

  @Test
  void whoShowsNoCertificateIsToldWhatIsNeeded() {
    browser.open(url(nobodysBrowser) + "/");

    browser.awaitTitle("A certificate is needed");
    assertThat(browser.text("#line")).contains("client certificate is needed");
    browser.assertNoScriptFailedAndNothingWasBlocked();
  }

  @Test
  void namesThatLookLikeMarkupAreText() {
    delegate(
        "night", ada.credential(), rules("CN=\\<img src\\=x onerror\\=alert(1)\\>,C=DE", null));

    browser.open(url(adasBrowser) + "/");

    assertThat(browser.texts(".acquirers"))
        .containsExactly("/C=DE/CN=<img src=x onerror=alert(1)>");
    assertThat(browser.has(".acquirers img")).isFalse();
    browser.assertNoScriptFailedAndNothingWasBlocked();
  }
}
