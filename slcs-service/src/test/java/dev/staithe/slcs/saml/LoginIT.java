package dev.staithe.slcs.saml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.SimpleSamlServer;
import dev.staithe.slcs.RunningSlcs;
import dev.staithe.slcs.TestBrowser;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Logging in at SimpleSAMLphp. */
class LoginIT {
  @TempDir static Path folder;

  private static SimpleSamlServer idps;
  private static SimpleSamlServer.Idp north;
  private static SimpleSamlServer.Idp south;
  private static RunningSlcs slcs;

  @BeforeAll
  static void start() {
    idps = SimpleSamlServer.start(folder.resolve("idp"));
    north =
        idps.idp("north", SimpleSamlServer.Options.of("north.example.org").withSignedRequests());
    south = idps.idp("south", SimpleSamlServer.Options.of("south.example.org").withEncryption());
    slcs =
        RunningSlcs.start(
            folder,
            Map.of(
                "staithe.saml.providers[0].name",
                "north",
                "staithe.saml.providers[0].metadata",
                idps.metadataFile(north),
                "staithe.saml.providers[1].name",
                "south",
                "staithe.saml.providers[1].metadata",
                idps.metadataFile(south),
                // It knows AES in CBC only.
                "staithe.saml.providers[1].encryption",
                "legacy"));
    idps.trust(slcs.browser().get("/saml2/metadata").body());
  }

  @AfterAll
  static void stop() {
    slcs.close();
    idps.close();
  }

  private static JsonNode whoAmI(TestBrowser browser) {
    HttpResponse<String> answer = browser.get("/session");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JsonMapper.shared().readTree(answer.body());
  }

  @Test
  void browserLogsInBySignedRequest() {
    TestBrowser browser = slcs.browser();

    HttpResponse<String> page =
        browser.login("/login?idp=north&to=/session?x=1", "alice", "alice pass");

    assertThat(page.uri()).isEqualTo(URI.create(slcs.url() + "/session?x=1"));
    JsonNode me = whoAmI(browser);
    assertThat(me.get("principalName").asString()).isEqualTo("alice@north.example.org");
    assertThat(me.get("provider").asString()).isEqualTo(north.entityId());
    assertThat(me.get("providerName").asString()).isEqualTo("north");
    assertThat(me.get("attributes").get("displayName").get(0).asString()).isEqualTo("Alice");
    assertThat(me.get("attributes").get("mail").get(0).asString())
        .isEqualTo("alice@north.example.org");
  }

  @Test
  void browserLogsInByEncryptedAssertion() {
    TestBrowser browser = slcs.browser();

    TestBrowser.Form response = browser.responseTo("/saml2/authenticate/south", "bob", "bob pass");
    assertThat(
            new String(
                java.util.Base64.getDecoder().decode(response.fields().get("SAMLResponse")),
                java.nio.charset.StandardCharsets.UTF_8))
        .contains("EncryptedAssertion")
        .doesNotContain("bob@");
    browser.follow(browser.post(response));

    assertThat(whoAmI(browser).get("principalName").asString()).isEqualTo("bob@south.example.org");
  }

  @Test
  void enhancedClientLogsInWithoutAnyPage() {
    TestBrowser client = slcs.browser();

    HttpResponse<String> answer =
        client.loginEnhanced(
            "/session?idp=north",
            north.url().resolve("saml2/idp/SSOService.php"),
            "bob",
            "bob pass");

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(303);
    assertThat(answer.headers().firstValue("Location")).hasValue(slcs.url() + "/session?idp=north");
    assertThat(whoAmI(client).get("principalName").asString()).isEqualTo("bob@north.example.org");
  }

  @Test
  void withoutSessionBrowserIsSentToLoginAndOthersAreTold() {
    HttpResponse<String> page = slcs.browser().get("/session", "Accept", "text/html");
    assertThat(page.statusCode()).isEqualTo(302);
    assertThat(page.headers().firstValue("Location")).hasValue(slcs.url() + "/login?to=%2Fsession");

    HttpResponse<String> line = slcs.browser().get("/session");
    assertThat(line.statusCode()).isEqualTo(401);
    assertThat(line.body()).isEqualTo("log in at " + slcs.url() + "/login\n");
    assertThat(line.headers().firstValue("WWW-Authenticate"))
        .hasValue("SAML login=\"" + slcs.url() + "/login\"");
  }

  @Test
  void responseIsGoodOnce() {
    TestBrowser browser = slcs.browser();
    TestBrowser.Form response = browser.responseTo("/login?idp=north", "alice", "alice pass");
    assertThat(browser.post(response).statusCode()).isEqualTo(303);

    HttpResponse<String> again = browser.post(response);

    assertThat(again.statusCode()).isEqualTo(403);
    assertThat(again.body()).isEqualTo("not logged in: this login was used already\n");
  }

  @Test
  void responseInAnotherBrowserThanTheRequestLogsNobodyIn() {
    TestBrowser.Form response =
        slcs.browser().responseTo("/login?idp=north", "alice", "alice pass");
    TestBrowser victim = slcs.browser();

    HttpResponse<String> answer = victim.post(response);

    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.body()).isEqualTo("not logged in: this login was begun in another browser\n");
    assertThat(victim.get("/session").statusCode()).isEqualTo(401);
  }

  @Test
  void sessionEndsWhereItIsDeleted() {
    TestBrowser browser = slcs.browser();
    browser.login("/login?idp=north", "alice", "alice pass");
    whoAmI(browser);

    HttpResponse<String> answer =
        browser.send(java.net.http.HttpRequest.newBuilder(slcs.url().resolve("/session")).DELETE());

    assertThat(answer.statusCode()).isEqualTo(204);
    assertThat(browser.get("/session").statusCode()).isEqualTo(401);
  }
}
