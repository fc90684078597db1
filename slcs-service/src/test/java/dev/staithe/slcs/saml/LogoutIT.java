package dev.staithe.slcs.saml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.SimpleSamlServer;
import dev.staithe.slcs.RunningSlcs;
import dev.staithe.slcs.TestBrowser;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Single logout with SimpleSAMLphp, begun at either end. */
class LogoutIT {
  @TempDir static Path folder;

  private static SimpleSamlServer idps;
  private static SimpleSamlServer.Idp north;
  private static RunningSlcs slcs;

  @BeforeAll
  static void start() {
    idps = SimpleSamlServer.start(folder.resolve("idp"));
    north = idps.idp("north", SimpleSamlServer.Options.of("north.example.org"));
    slcs =
        RunningSlcs.start(
            folder,
            Map.of(
                "staithe.saml.providers[0].name",
                "north",
                "staithe.saml.providers[0].metadata",
                idps.metadataFile(north)));
    idps.trust(slcs.browser().get("/saml2/metadata").body());
  }

  @AfterAll
  static void stop() {
    slcs.close();
    idps.close();
  }

  private static TestBrowser loggedIn() {
    TestBrowser browser = slcs.browser();
    browser.login("/login?to=/session", "alice", "alice pass");
    assertThat(browser.get("/session").statusCode()).isEqualTo(200);
    return browser;
  }

  private static HttpResponse<String> logout(TestBrowser browser, String origin) {
    return browser.send(
        HttpRequest.newBuilder(slcs.url().resolve("/logout"))
            .header("Origin", origin)
            .POST(BodyPublishers.noBody()));
  }

  @Test
  void logoutHereLogsOutAtTheProviderToo() {
    TestBrowser browser = loggedIn();

    HttpResponse<String> end = browser.follow(logout(browser, slcs.url().toString()));

    assertThat(end.body()).contains("You are logged out here");
    assertThat(browser.get("/session").statusCode()).isEqualTo(401);
    // The provider asks for the password again.
    assertThat(TestBrowser.form(browser.open("/login")).fields()).containsKey("password");
  }

  @Test
  void logoutAtTheProviderLogsOutHereToo() {
    TestBrowser browser = loggedIn();

    HttpResponse<String> end =
        browser.open(
            north.url()
                + "saml2/idp/SingleLogoutService.php?ReturnTo="
                + URI.create(slcs.url() + "/saml2/metadata"));

    assertThat(browser.get("/session").statusCode()).as(end + end.body()).isEqualTo(401);
    // The provider believed our answer.
    assertThat(end.uri()).isEqualTo(URI.create(slcs.url() + "/saml2/metadata"));
  }

  @Test
  void logoutBegunByAnotherSitesPageEndsNothing() {
    TestBrowser browser = loggedIn();

    logout(browser, "https://evil.example.org");

    assertThat(browser.get("/session").statusCode()).isEqualTo(200);
  }

  @Test
  void unsignedLogoutRequestEndsNothing() {
    TestBrowser browser = loggedIn();

    HttpResponse<String> answer =
        browser.get(
            "/saml2/logout?SAMLRequest="
                + java.net.URLEncoder.encode(
                    deflated(
                        """
                        <samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_x" Version="2.0" IssueInstant="%s"><saml:Issuer>%s</saml:Issuer><saml:NameID>x</saml:NameID></samlp:LogoutRequest>"""
                            .formatted(java.time.Instant.now(), north.entityId())),
                    java.nio.charset.StandardCharsets.UTF_8));

    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.body()).startsWith("not logged out: the signature");
    assertThat(browser.get("/session").statusCode()).isEqualTo(200);
  }

  private static String deflated(String xml) {
    var bytes = new java.io.ByteArrayOutputStream();
    try (var out =
        new java.util.zip.DeflaterOutputStream(
            bytes, new java.util.zip.Deflater(java.util.zip.Deflater.DEFAULT_COMPRESSION, true))) {
      out.write(xml.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return java.util.Base64.getEncoder().encodeToString(bytes.toByteArray());
  }
}
