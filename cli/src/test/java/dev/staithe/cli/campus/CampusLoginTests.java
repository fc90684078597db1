package dev.staithe.cli.campus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.cli.campus.PlayedHost.Answer;
import dev.staithe.cli.campus.PlayedHost.Asked;
import dev.staithe.cli.program.Cookies;
import dev.staithe.cli.program.Terminal;
import dev.staithe.testkit.MutableClock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Logins where a host does what it should not; those that work are in {@code SlcsLoginIT}. */
class CampusLoginTests {
  private static final String PASSWORD = "campus-password";
  private static final String FORM =
      "<form method=post action='%s'><input name=username><input type=password name=password>"
          + "</form>";

  private final PlayedHost service = new PlayedHost();
  private final PlayedHost campus = new PlayedHost();
  private final PlayedHost stranger = new PlayedHost();
  private final MutableClock clock = MutableClock.at(Instant.parse("2030-01-01T00:00:00Z"));
  private final Cookies cookies = new Cookies(clock);
  private final StringWriter notes = new StringWriter();

  @BeforeEach
  void begin() {
    service.plays(this::service);
  }

  @AfterEach
  void stop() {
    service.close();
    campus.close();
    stranger.close();
  }

  private Answer service(Asked asked) {
    if (asked.path().startsWith("/login/saml2/sso")) {
      return Answer.to(302, "/").setting("staithe-slcs=session");
    }
    return asked.paos() == null
        ? Answer.to(302, campus.url() + "/sso?SAMLRequest=x")
        : Answer.xml(request(service.url() + "/login/saml2/sso"));
  }

  private String request(String consumer) {
    return "<S:Envelope xmlns:S='http://schemas.xmlsoap.org/soap/envelope/'><S:Header>"
        + "<p:Request xmlns:p='urn:liberty:paos:2003-08' responseConsumerURL='"
        + consumer
        + "'/></S:Header><S:Body><q:AuthnRequest xmlns:q='urn:oasis:names:tc:SAML:2.0:protocol'"
        + " Destination='"
        + campus.url()
        + "/ecp'/></S:Body></S:Envelope>";
  }

  private static String answer(String consumer) {
    return "<S:Envelope xmlns:S='http://schemas.xmlsoap.org/soap/envelope/'><S:Header>"
        + "<e:Response xmlns:e='urn:oasis:names:tc:SAML:2.0:profiles:SSO:ecp'"
        + " AssertionConsumerServiceURL='"
        + consumer
        + "'/></S:Header><S:Body><q:Response xmlns:q='urn:oasis:names:tc:SAML:2.0:protocol'"
        + " ID='the-response'><q:Status><q:StatusCode"
        + " Value='urn:oasis:names:tc:SAML:2.0:status:Success'/></q:Status></q:Response>"
        + "</S:Body></S:Envelope>";
  }

  private void login(boolean pagesOnly, String knownHost) throws IOException {
    var terminal =
        new Terminal(
            null,
            new BufferedReader(new StringReader(PASSWORD + "\n")),
            new PrintWriter(notes, true),
            new PrintWriter(notes, true));
    URI url = URI.create(service.url() + "/");
    try (var browser = new Browser(url, "", cookies, clock)) {
      new CampusLogin(
              browser, url, "example", new Person(terminal, "alice", "", "-", knownHost), terminal)
          .run(pagesOnly);
    }
  }

  private void refused(boolean pagesOnly, String line) {
    assertThatThrownBy(() -> login(pagesOnly, ""))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(line)
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n").doesNotContain(PASSWORD));
  }

  private static List<Asked> withPassword(PlayedHost host) {
    return host.requests().stream()
        .filter(asked -> asked.authorization() != null || asked.body().contains(PASSWORD))
        .toList();
  }

  @Test
  void anAnswerMeantForAnotherServiceIsNotDeliveredAndTheServiceIsToldSo() {
    campus.plays(asked -> Answer.xml(answer(stranger.url() + "/login/saml2/sso")));
    refused(false, "for another service");
    assertThat(service.requests().getLast().body())
        .contains("Fault")
        .doesNotContain("the-response");
    assertThat(stranger.requests()).isEmpty();
  }

  @Test
  void anAnswerWithoutAddressIsNotDelivered() {
    campus.plays(asked -> Answer.xml(answer("").replaceAll("<S:Header>.*</S:Header>", "")));
    refused(false, "for another service");
    assertThat(service.requests().getLast().body()).contains("Fault");
  }

  @Test
  void aServiceThatWantsTheAnswerElsewhereGetsNoLogin() {
    service.plays(asked -> Answer.xml(request(stranger.url() + "/login/saml2/sso")));
    refused(false, "--url");
    assertThat(campus.requests()).isEmpty();
    assertThat(stranger.requests()).isEmpty();
  }

  @Test
  void withoutPagesTheAnswerIsDeliveredAndTheNextLoginNeedsNoPassword() throws IOException {
    String consumer = service.url() + "/login/saml2/sso";
    campus.plays(
        asked ->
            asked.authorization() == null && !asked.cookie().contains("campus=known")
                ? new Answer(401, "text/plain", "", "", "")
                : Answer.xml(answer(consumer)).setting("campus=known"));
    login(false, "");
    assertThat(withPassword(campus)).hasSize(1);
    assertThat(campus.requests().getFirst().body()).doesNotContain("responseConsumerURL");
    assertThat(service.requests().getLast().body()).contains("the-response");
    assertThat(notes.toString()).contains("the password goes to " + campus.host());
    login(false, "");
    assertThat(withPassword(campus)).hasSize(1);
  }

  @Test
  void aPasswordSentWithoutPagesDoesNotFollowARedirect() {
    campus.plays(asked -> Answer.to(307, stranger.url() + "/ecp"));
    assertThatThrownBy(() -> login(false, "")).isInstanceOf(IOException.class);
    assertThat(withPassword(stranger)).isEmpty();
  }

  @Test
  void aPasswordInAFormDoesNotFollowARedirectThatWouldSendItAgain() {
    campus.plays(
        asked ->
            asked.method().equals("POST")
                ? Answer.to(307, stranger.url() + "/take")
                : Answer.html(FORM.formatted("/check")));
    refused(true, "wants the password sent on to " + stranger.host());
    assertThat(stranger.requests()).isEmpty();
  }

  @Test
  void aFormThatSendsThePasswordOverPlainHttpIsNotFilledIn() {
    campus.plays(asked -> Answer.html(FORM.formatted("http://idp.example.org/check")));
    refused(true, "plain http");
  }

  @Test
  void aFormThatSendsThePasswordToAnotherHostIsSaidSo() throws IOException {
    campus.plays(asked -> Answer.html(FORM.formatted(stranger.url() + "/check")));
    stranger.plays(asked -> Answer.to(302, service.url() + "/login/saml2/sso"));
    login(true, "");
    assertThat(notes.toString())
        .contains("sends the password to " + stranger.host())
        .contains("the password goes to " + stranger.host());
  }

  @Test
  void whereNobodyIsAskedAnotherHostThanLastTimeGetsNoPassword() {
    campus.plays(asked -> Answer.html(FORM.formatted("/check")));
    assertThatThrownBy(() -> login(true, "idp.example.org"))
        .hasMessageContaining("until now it went to idp.example.org")
        .hasMessageContaining("--idp-host " + campus.host());
    assertThatThrownBy(() -> login(false, "idp.example.org")).hasMessageContaining("--idp-host");
    assertThat(withPassword(campus)).isEmpty();
  }

  @Test
  void aWrongPasswordIsSentOnce() {
    campus.plays(
        asked -> Answer.html("<p class=error>Wrong password</p>" + FORM.formatted("/check")));
    refused(true, "refuses this name and password: Wrong password");
    assertThat(withPassword(campus)).hasSize(1);
    campus.requests().clear();
    campus.plays(asked -> new Answer(401, "text/html", "", "", ""));
    refused(false, "refuses this name and password");
    assertThat(withPassword(campus)).hasSize(1);
  }

  @Test
  void aLoopOfRedirectsOrFormsEnds() {
    campus.plays(asked -> Answer.to(302, asked.path() + "x"));
    refused(true, "does not come to an end");
    campus.plays(
        asked ->
            Answer.html(
                "<form method=post action='/on'><input type=hidden name=SAMLRequest></form>"));
    refused(true, "does not come to an end");
  }

  @Test
  void aRedirectToPlainHttpIsNotFollowed() {
    campus.plays(asked -> Answer.to(302, "http://idp.example.org/sso"));
    refused(true, "not https");
  }

  @Test
  void aPageThatIsNotUnderstoodIsLeftToABrowser() {
    campus.plays(asked -> Answer.html("<title>Consent</title><form method=post></form>"));
    refused(true, "\"Consent\"");
    refused(true, "open this address in a browser");
  }

  @Test
  void anEndlessPageIsCutOff() {
    campus.plays(asked -> Answer.html("x".repeat(5 * 1024 * 1024)));
    refused(true, "cannot be reached");
  }

  @Test
  void whereAProviderHasNoLoginWithoutPagesItsPagesAreUsedWithThePasswordTypedOnce()
      throws IOException {
    campus.plays(
        asked -> {
          if (asked.path().equals("/ecp")) {
            return Answer.html("<h1>Not here</h1>");
          }
          return asked.method().equals("POST")
              ? Answer.html(
                  "<form method=post action='"
                      + service.url()
                      + "/login/saml2/sso'><input type=hidden name=SAMLResponse value=r></form>")
              : Answer.html(FORM.formatted("/check"));
        });
    login(false, "");
    assertThat(service.requests().getLast().body()).isEqualTo("SAMLResponse=r");
  }

  @Test
  void whereAProviderWantsSomethingElseFirstItsPagesAreUsedOrItsReasonIsTold() throws IOException {
    String denied =
        answer("x")
            .replace(
                "<q:StatusCode Value='urn:oasis:names:tc:SAML:2.0:status:Success'/>",
                "<q:StatusCode Value='urn:oasis:names:tc:SAML:2.0:status:Responder'/>");
    campus.plays(
        asked ->
            asked.path().equals("/ecp")
                ? Answer.xml(denied)
                : Answer.html("<title>Update password</title><form method=post></form>"));
    refused(false, "\"Update password\"");

    campus.plays(
        asked ->
            asked.path().equals("/ecp")
                ? Answer.xml(denied)
                : asked.method().equals("POST")
                    ? Answer.html(
                        "<form method=post action='"
                            + service.url()
                            + "/login/saml2/sso'><input type=hidden name=SAMLResponse value=r></form>")
                    : Answer.html(FORM.formatted("/check")));
    login(false, "");
    assertThat(service.requests().getLast().body()).isEqualTo("SAMLResponse=r");
  }
}
