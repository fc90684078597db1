package dev.staithe.authn.oauth;

import static dev.staithe.authn.oauth.FlowSteps.CALLBACK;
import static dev.staithe.authn.oauth.FlowSteps.authorize;
import static dev.staithe.authn.oauth.FlowSteps.draft;
import static dev.staithe.authn.oauth.FlowSteps.login;
import static dev.staithe.authn.oauth.FlowSteps.redeem;
import static dev.staithe.authn.oauth.FlowSteps.register;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.clients.Client;
import dev.staithe.authn.clients.Grant;
import dev.staithe.authn.oauth.FlowSteps.Registered;
import dev.staithe.testkit.Trials;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients are told by way of the browser, and what users are asked before. */
final class AuthorizationAnswerTests {
  private final RunningAuthn authn = RunningAuthn.shared();
  private final Web web = new Web(authn::node);
  private final Registered client = register(authn.node(), draft());

  private void isSignedByTheIssuer(Web.Answer answer) {
    assertThat(answer.location()).startsWith(CALLBACK + "?");
    assertThat(answer.parameter("iss")).as(answer.location()).isEqualTo(authn.node().url(""));
    assertThat(answer.location().split("[?&]iss=", -1)).as("once").hasSize(2);
    assertThat(answer.parameter("state")).isEqualTo("st/ate");
  }

  /** RFC 9207: code or error, with a session or without. */
  @ParameterizedTest
  @CsvSource({
    "true,openid,,''",
    "true,openid,none,''",
    "true,openid,login none,invalid_request",
    "true,openid storage.read:/elsewhere,,invalid_scope",
    "true,nonsense,,invalid_scope",
    "false,openid,none,login_required",
  })
  void everyAnswerToAClientSaysWhoItIsFrom(
      boolean loggedIn, String scope, String prompt, String error) {
    if (loggedIn) {
      login(web, "alice");
    }
    Web.Answer answer =
        web.get(
            prompt == null
                ? authorize(client.id(), scope)
                : authorize(client.id(), scope, "prompt", prompt));

    isSignedByTheIssuer(answer);
    assertThat(answer.parameter("error")).isEqualTo(error);
    assertThat(answer.parameter("code").isEmpty()).isEqualTo(!error.isEmpty());
    if (error.isEmpty()) {
      assertThat(redeem(web, client, answer.parameter("code")).status()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"})
  void metadataSaysThatAnswersHaveTheirIssuer(String path) {
    assertThat(web.get(path).json())
        .containsEntry("authorization_response_iss_parameter_supported", true)
        .containsEntry("issuer", authn.node().url(""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://evil.example/cb", "https://app.example.org/cb/x"})
  void nothingIsSentToAnAddressThatIsNotRegistered(String redirect) {
    login(web, "alice");
    Web.Answer answer =
        web.get(
            authorize(client.id(), "openid").replace(Web.encode(CALLBACK), Web.encode(redirect)));

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.location()).isEmpty();
  }

  private static Client at(List<String> redirects, Set<Grant> grants) {
    Client d = draft();
    return new Client(
        d.id(),
        d.name(),
        true,
        redirects,
        redirects,
        grants,
        d.scopes(),
        d.audiences(),
        false,
        false,
        d.algorithm(),
        d.accessLifetime(),
        d.refreshLifetime(),
        true);
  }

  /** It has no address by which one could be checked. */
  @Test
  void clientThatMayHaveNoCodeSendsNobodyAnywhere() {
    Registered machine = register(authn.node(), at(List.of(), Set.of(Grant.CLIENT_CREDENTIALS)));
    String asked = authorize(machine.id(), "openid");
    String address = "redirect_uri=" + Web.encode(CALLBACK) + "&";

    for (String each :
        List.of(
            asked.replace(address, "redirect_uri=https%3A%2F%2Fevil.example%2F&"),
            asked.replace(address, ""))) {
      Web.Answer answer = web.get(each);

      assertThat(answer.status()).as(answer.location()).isEqualTo(400);
      assertThat(answer.location()).isEmpty();
      Trials.held();
    }
  }

  /** A query that the address has stays as it is (RFC 6749 section 3.1.2). */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://app.example.org/cb?to=%2Fhome",
        "https://app.example.org/cb?x=[1]",
        "org.example.app:cb"
      })
  void browserIsSentToTheAddressAsItIsRegistered(String redirect) {
    Registered to = register(authn.node(), at(List.of(redirect), draft().grants()));
    login(web, "alice");

    Web.Answer sent =
        web.get(authorize(to.id(), "openid").replace(Web.encode(CALLBACK), Web.encode(redirect)));
    assertThat(sent.location())
        .as(sent.body())
        .startsWith(redirect + (redirect.contains("?") ? "&" : "?") + "code=");
    Web.Answer tokens =
        web.postAs(
            to.id(),
            to.secret(),
            "/oauth2/token",
            "grant_type",
            "authorization_code",
            "code",
            sent.parameter("code"),
            "redirect_uri",
            redirect,
            "code_verifier",
            FlowSteps.VERIFIER);
    Web.Answer gone =
        web.get(
            "/connect/logout?"
                + Web.form(
                    "id_token_hint",
                    tokens.text("id_token"),
                    "post_logout_redirect_uri",
                    redirect));

    assertThat(gone.location()).isEqualTo(redirect);
  }

  // --- prompt=consent --------------------------------------------------------------------------

  private Web.Answer answered(Registered to, Web.Answer sent, String... scopes) {
    assertThat(sent.location()).contains("/consent?");
    Object[] form = new Object[4 + 2 * scopes.length];
    form[0] = "client_id";
    form[1] = to.id();
    form[2] = "state";
    form[3] = sent.parameter("state");
    for (int i = 0; i < scopes.length; i++) {
      form[4 + 2 * i] = "scope";
      form[5 + 2 * i] = scopes[i];
    }
    return web.post("/oauth2/authorize", form);
  }

  @Test
  void promptConsentAsksOfWhomItWouldNotAndWhoAgreedBefore() {
    login(web, "alice");
    Registered asking = register(authn.node(), FlowSteps.asking(draft()));
    for (Registered each : List.of(client, asking)) {
      for (String scope : List.of("openid", "openid profile")) {
        for (int i = 0; i < 2; i++) {
          Web.Answer sent = web.get(authorize(each.id(), scope, "prompt", "consent"));
          assertThat(web.follow(sent).body()).contains("Allow");
          Web.Answer allowed = answered(each, sent, scope.split(" "));
          isSignedByTheIssuer(allowed);
          assertThat(redeem(web, each, allowed.parameter("code")).status()).isEqualTo(200);
        }
      }
    }
    assertThat(web.get(authorize(asking.id(), "openid profile")).parameter("code"))
        .as("who agreed is not asked again otherwise")
        .isNotEmpty();
  }

  @Test
  void whoRefusesNowHasNotAgreedBecauseOfAnEarlierAnswer() {
    login(web, "alice");
    Registered asking = register(authn.node(), FlowSteps.asking(draft()));
    Web.Answer first = web.get(authorize(asking.id(), "openid profile"));
    assertThat(answered(asking, first, "openid", "profile").parameter("code")).isNotEmpty();

    Web.Answer again = web.get(authorize(asking.id(), "openid profile", "prompt", "consent"));
    Web.Answer refused = answered(asking, again);

    isSignedByTheIssuer(refused);
    assertThat(refused.parameter("error")).isEqualTo("access_denied");
    Web.Answer more = web.get(authorize(asking.id(), "openid profile email"));
    assertThat(answered(asking, more).parameter("error")).isEqualTo("access_denied");
  }

  @Test
  void promptLoginAndConsentLogsInAndThenAsks() {
    login(web, "alice");
    Web.Answer sent = web.get(authorize(client.id(), "openid", "prompt", "login consent"));

    assertThat(sent.location()).startsWith("/login?");
    assertThat(sent.parameter("continue")).contains("prompt=consent").doesNotContain("login");
  }
}
