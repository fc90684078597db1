package dev.staithe.slcs.issue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.SimpleSamlServer;
import dev.staithe.slcs.RunningSlcs;
import dev.staithe.slcs.TestBrowser;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** From a campus password to a certificate, by each of the three ways; openssl judges. */
class CertificatesIT {
  @TempDir static Path folder;

  private static SimpleSamlServer idps;
  private static RunningSlcs slcs;
  private static OpenSsl openssl;

  @BeforeAll
  static void start() {
    idps = SimpleSamlServer.start(folder.resolve("idp"));
    SimpleSamlServer.Idp campus =
        idps.idp(
            "campus",
            SimpleSamlServer.Options.of("campus.example.org")
                .withUsers(
                    List.of(
                        SimpleSamlServer.User.of("alice", "campus.example.org"),
                        SimpleSamlServer.User.of("bob", "campus.example.org"),
                        mallory())));
    slcs =
        RunningSlcs.start(
            folder,
            Map.of(
                "staithe.saml.providers[0].name",
                "campus",
                "staithe.saml.providers[0].metadata",
                idps.metadataFile(campus),
                "staithe.issue.access[0].allow",
                "false",
                "staithe.issue.access[0].attribute",
                "eduPersonEntitlement",
                "staithe.issue.access[0].values[0]",
                "urn:example:blocked",
                "staithe.issue.access[1].provider",
                "campus"));
    idps.trust(slcs.browser().get("/saml2/metadata").body());
    openssl = new OpenSsl(folder);
    openssl.file("ca.pem", slcs.browser().get("/ca.pem").body());
  }

  private static SimpleSamlServer.User mallory() {
    return new SimpleSamlServer.User(
        "mallory",
        "mallory pass",
        Map.of(
            "eduPersonPrincipalName", List.of("mallory@campus.example.org"),
            "displayName", List.of("Mal/CN=alice@campus.example.org, O=Ünfug"),
            "mail", List.of("president@elsewhere.example.com"),
            "schacHomeOrganization", List.of("elsewhere.example.com")));
  }

  @AfterAll
  static void stop() {
    slcs.close();
    idps.close();
  }

  private static TestBrowser loggedIn(String user) {
    TestBrowser browser = slcs.browser();
    HttpResponse<String> page = browser.login("/login?to=/session", user, user + " pass");
    assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
    return browser;
  }

  private static HttpResponse<String> ask(TestBrowser browser, String query, String... headers) {
    return browser.post(
        slcs.url().resolve("/certificates" + query),
        "application/pkcs10",
        OpenSsl.text(openssl.request()),
        headers);
  }

  private static String judged(String name, String pem) {
    Path file = openssl.file(name, pem);
    OpenSsl.Said verdict =
        openssl.run("verify", "-purpose", "sslclient", "-CAfile", "ca.pem", file.toString());
    assertThat(verdict.exit()).as(verdict.text()).isZero();
    return openssl
        .run("x509", "-in", file.toString(), "-noout", "-text", "-nameopt", "RFC2253")
        .text();
  }

  @Test
  void certificateByHttpAloneIsGoodForOpenssl() {
    TestBrowser alice = loggedIn("alice");

    HttpResponse<String> answer = ask(alice, "?lifetime=2h");

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    String text = judged("alice.pem", answer.body());
    assertThat(text)
        .contains("CN=Alice alice@campus.example.org,O=campus.example.org,DC=staithe,DC=org")
        .contains("email:alice@campus.example.org")
        .contains("1.3.6.1.4.1.3536.1.1.1.12")
        .contains("TLS Web Client Authentication")
        .contains("CA:FALSE");
    assertThat(openssl.run("x509", "-in", "alice.pem", "-noout", "-checkend", "7300").exit())
        .as("ends within two hours")
        .isEqualTo(1);
    assertThat(openssl.run("x509", "-in", "alice.pem", "-noout", "-checkend", "6600").exit())
        .isZero();
  }

  @Test
  void curlSendsItsFormTypeAndGetsACertificateAllTheSame() {
    HttpResponse<String> answer =
        loggedIn("alice")
            .post(
                slcs.url().resolve("/certificates"),
                "application/x-www-form-urlencoded",
                OpenSsl.text(openssl.request()));

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
  }

  @Test
  void nameIsTheSameAtEachLoginAndAnotherForAnotherPerson() {
    String first = subject(ask(loggedIn("alice"), ""));

    assertThat(subject(ask(loggedIn("alice"), ""))).isEqualTo(first);
    assertThat(subject(ask(loggedIn("bob"), ""))).isNotEqualTo(first);
  }

  private static String subject(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    openssl.file("some.pem", answer.body());
    return openssl.run("x509", "-in", "some.pem", "-noout", "-subject").text();
  }

  @Test
  void callingNameThatLooksLikePartsOfANameStaysOneValueAndForeignMailStaysOut() {
    HttpResponse<String> answer = ask(loggedIn("mallory"), "");

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    assertThat(judged("mallory.pem", answer.body()))
        .contains(
            "CN=MalCNalicecampus.example.org OUnfug mallory@campus.example.org,"
                + "O=campus.example.org,DC=staithe,DC=org")
        .doesNotContain("email:")
        .doesNotContain("elsewhere");
  }

  @Test
  void withoutLoginNothingIsIssued() {
    HttpResponse<String> answer = ask(slcs.browser(), "");

    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(answer.body()).contains("/login").doesNotContain("BEGIN");
  }

  @Test
  void pageOfAnotherSiteCannotAskForACertificateWithTheBrowsersCookie() {
    TestBrowser alice = loggedIn("alice");

    assertThat(ask(alice, "", "Origin", "https://evil.example.com").statusCode()).isIn(401, 403);
    assertThat(ask(alice, "", "Origin", "null").statusCode()).isIn(401, 403);
    assertThat(ask(alice, "", "Sec-Fetch-Site", "cross-site").statusCode()).isEqualTo(403);
    assertThat(ask(alice, "", "Sec-Fetch-Site", "same-site").statusCode()).isEqualTo(403);
    assertThat(
            ask(alice, "", "Origin", slcs.url().toString(), "Sec-Fetch-Site", "same-origin")
                .statusCode())
        .isEqualTo(201);
  }

  @Test
  void ownCertificatesAreListedAndWithdrawnAndThoseOfOthersAreNeither() {
    TestBrowser bob = loggedIn("bob");
    HttpResponse<String> issued = ask(bob, "", "Accept", "application/json");
    assertThat(issued.statusCode()).as(issued.body()).isEqualTo(201);
    String serial = JsonMapper.shared().readTree(issued.body()).get("serial").asString();
    TestBrowser alice = loggedIn("alice");
    assertThat(alice.get("/certificates").body()).doesNotContain(serial);

    assertThat(delete(alice, serial).statusCode()).isEqualTo(404);
    HttpRequest.Builder foreign =
        HttpRequest.newBuilder(slcs.url().resolve("/certificates/" + serial))
            .header("Sec-Fetch-Site", "cross-site")
            .DELETE();
    assertThat(bob.send(foreign).statusCode()).isEqualTo(403);
    assertThat(delete(bob, serial + "?reason=nothing").statusCode()).isEqualTo(400);
    assertThat(delete(bob, serial + "?reason=superseded").statusCode()).isEqualTo(204);

    JsonNode list = JsonMapper.shared().readTree(bob.get("/certificates").body());
    assertThat(list.get("certificates").toString()).contains(serial).contains("\"revoked\":\"2");
    openssl.file("crl.pem", slcs.browser().get("/crl.pem").body());
    assertThat(openssl.run("crl", "-in", "crl.pem", "-noout", "-text").text())
        .containsIgnoringCase(serial)
        .contains("Superseded");
  }

  private static HttpResponse<String> delete(TestBrowser browser, String serial) {
    return browser.send(
        HttpRequest.newBuilder(slcs.url().resolve("/certificates/" + serial)).DELETE());
  }

  @Test
  void certificateBySoapIsGoodForOpenssl() {
    for (String type : List.of("text/xml; charset=utf-8", "application/soap+xml")) {
      HttpResponse<String> answer =
          soap(
              loggedIn("alice"),
              type,
              "<slcs:GetSLCSCertificateRequest"
                  + " xmlns:slcs=\"http://www.nordugrid.org/schemas/slcs\"><slcs:X509Request>"
                  + OpenSsl.text(openssl.request())
                  + "</slcs:X509Request><slcs:LifeTime>3600</slcs:LifeTime>"
                  + "</slcs:GetSLCSCertificateRequest>");

      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      assertThat(judged("soap.pem", element(answer.body(), "X509Certificate")))
          .contains("CN=Alice alice@campus.example.org");
      assertThat(openssl.run("x509", "-in", "soap.pem", "-noout", "-checkend", "3700").exit())
          .isEqualTo(1);
      assertThat(element(answer.body(), "CACertificate").strip())
          .isEqualTo(OpenSsl.text(folder.resolve("ca.pem")).strip());
    }
  }

  @Test
  void requestOfArcsOwnClientWithUnqualifiedNamesIsServed() {
    HttpResponse<String> answer =
        soap(
            loggedIn("alice"),
            "text/xml",
            "<soap-env:GetSLCSCertificateRequest><soap-env:X509Request>"
                + OpenSsl.text(openssl.request())
                + "</soap-env:X509Request></soap-env:GetSLCSCertificateRequest>");

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  @Test
  void soapCallerWithoutLoginGetsAFault() {
    HttpResponse<String> answer =
        soap(slcs.browser(), "text/xml", "<a xmlns=\"http://www.nordugrid.org/schemas/slcs\"/>");

    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(element(answer.body(), "faultstring")).contains("a login is needed");
    assertThat(answer.headers().firstValue("Content-Type").orElse("")).startsWith("text/xml");
  }

  @Test
  void weakKeyLongLifetimeAndRubbishAreRefusedBySoapFaults() {
    TestBrowser alice = loggedIn("alice");

    assertThat(fault(alice, OpenSsl.text(openssl.request("rsa", "rsa_keygen_bits:1024")), ""))
        .contains("1024 bits");
    assertThat(fault(alice, "rubbish", "")).contains("cannot be read");
    assertThat(
            fault(alice, OpenSsl.text(openssl.request()), "<slcs:LifeTime>1000001</slcs:LifeTime>"))
        .contains("at most");
    assertThat(fault(alice, OpenSsl.text(openssl.request()), "<slcs:LifeTime>-1</slcs:LifeTime>"))
        .contains("LifeTime");
    assertThat(OpenSsl.text(folder.resolve("state-audit.log")))
        .contains("\"outcome\":\"bad-request\"")
        .contains("1024 bits");
  }

  private static String fault(TestBrowser browser, String request, String more) {
    HttpResponse<String> answer =
        soap(
            browser,
            "text/xml",
            "<slcs:GetSLCSCertificateRequest"
                + " xmlns:slcs=\"http://www.nordugrid.org/schemas/slcs\"><slcs:X509Request>"
                + request
                + "</slcs:X509Request>"
                + more
                + "</slcs:GetSLCSCertificateRequest>");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(500);
    assertThat(element(answer.body(), "faultcode")).isEqualTo("soap:Client");
    return element(answer.body(), "faultstring");
  }

  private static HttpResponse<String> soap(TestBrowser browser, String type, String payload) {
    String namespace =
        type.startsWith("text/xml")
            ? "http://schemas.xmlsoap.org/soap/envelope/"
            : "http://www.w3.org/2003/05/soap-envelope";
    return browser.post(
        slcs.url().resolve("/soap/slcs"),
        type,
        "<soap-env:Envelope xmlns:soap-env=\""
            + namespace
            + "\"><soap-env:Body>"
            + payload
            + "</soap-env:Body></soap-env:Envelope>",
        "SOAPAction",
        "\"GetSLCSCertificate\"");
  }

  private static String element(String xml, String name) {
    Matcher matcher = Pattern.compile("<(?:\\w+:)?" + name + "(?: [^>]*)?>([^<]*)<").matcher(xml);
    assertThat(matcher.find()).as(xml).isTrue();
    return matcher.group(1);
  }

  @Test
  void certificateByTheFormsOfSwitchIsGoodForOpensslAndTheTokenOnce() {
    HttpResponse<String> login = loggedIn("alice").get("/SLCS/login");
    assertThat(element(login.body(), "Status")).isEqualTo("Success");
    String token = element(login.body(), "AuthorizationToken");
    assertThat(token).matches("[0-9A-F]{64}");
    assertThat(element(login.body(), "Subject"))
        .isEqualTo("CN=Alice alice@campus.example.org,O=campus.example.org,DC=staithe,DC=org");
    Matcher place = Pattern.compile("url=\"([^\"]+)\"").matcher(login.body());
    assertThat(place.find()).isTrue();

    // Its client sends the form without the cookie.
    HttpResponse<String> answer = form(place.group(1), token);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(element(answer.body(), "Status")).as(answer.body()).isEqualTo("Success");
    assertThat(judged("switch.pem", element(answer.body(), "Certificate")))
        .contains("CN=Alice alice@campus.example.org");

    HttpResponse<String> again = form(place.group(1), token);
    assertThat(element(again.body(), "Status")).isEqualTo("Error");
    assertThat(again.body()).contains("was used before").doesNotContain("BEGIN");
  }

  private static HttpResponse<String> form(String place, String token) {
    return slcs.browser()
        .post(
            URI.create(place),
            "application/x-www-form-urlencoded",
            "AuthorizationToken="
                + token
                + "&CertificateSigningRequest="
                + URLEncoder.encode(OpenSsl.text(openssl.request()), StandardCharsets.UTF_8));
  }

  @Test
  void echoAnswersWhoLoggedInAndRefusesOthersByAFault() {
    String envelope =
        "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body><e:echoString"
            + " xmlns:e=\"http://www.nordugrid.org/schemas/echo\"><e:say>5 &lt; 6 ü</e:say>"
            + "</e:echoString></s:Body></s:Envelope>";

    HttpResponse<String> refused =
        slcs.browser().post(slcs.url().resolve("/echo"), "text/xml", envelope);
    HttpResponse<String> answer =
        loggedIn("bob").post(slcs.url().resolve("/echo"), "text/xml", envelope);

    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(element(refused.body(), "faultcode")).isEqualTo("soap:Client");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(element(answer.body(), "hear")).isEqualTo("5 &lt; 6 ü");
    assertThat(answer.body()).contains("echoStringResponse");
  }
}
