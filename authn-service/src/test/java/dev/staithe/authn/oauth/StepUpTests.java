package dev.staithe.authn.oauth;

import static dev.staithe.authn.oauth.FlowSteps.authorize;
import static dev.staithe.authn.oauth.FlowSteps.draft;
import static dev.staithe.authn.oauth.FlowSteps.login;
import static dev.staithe.authn.oauth.FlowSteps.redeem;
import static dev.staithe.authn.oauth.FlowSteps.register;
import static dev.staithe.authn.oauth.FlowSteps.tokens;
import static dev.staithe.authn.oauth.FlowSteps.verified;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.staithe.authn.keys.KeyAlgorithm;
import dev.staithe.authn.login.Confirmation;
import dev.staithe.authn.login.Enrolment;
import dev.staithe.authn.oauth.FlowSteps.Registered;
import dev.staithe.authn.users.UsersUnavailable;
import java.text.ParseException;
import java.time.Clock;
import org.junit.jupiter.api.Test;

/** A second factor where the client or a scope wants one, over HTTP. */
final class StepUpTests {
  private final RunningAuthn authn = RunningAuthn.shared();
  private final Web web = new Web(authn::node);

  private Registered strict() {
    return register(authn.node(), FlowSteps.changed(draft(), false, true, KeyAlgorithm.RS256));
  }

  @Test
  void clientThatWantsASecondFactorGetsNoTokenWithoutOne() {
    login(web, "alice");

    Web.Answer sent = web.get(authorize(strict().id(), "openid"));

    assertThat(sent.location()).startsWith("/login?continue=");
    assertThat(web.get(sent.location()).body()).contains("One-time code");
    assertThat(web.get(authorize(strict().id(), "openid", "prompt", "none")).parameter("error"))
        .isEqualTo("login_required");
  }

  @Test
  void hintOfAnotherUserAsksForThatOnesLogin() {
    Registered client = register(authn.node(), draft());
    Web expected = new Web(authn::node);
    login(expected, "alice");
    String hint = tokens(expected, client, "openid").text("id_token");
    login(web, "bob");

    assertThat(web.get(authorize(client.id(), "openid", "id_token_hint", hint)).location())
        .startsWith("/login?continue=");
    assertThat(
            web.get(authorize(client.id(), "openid", "id_token_hint", hint, "prompt", "none"))
                .parameter("error"))
        .isEqualTo("login_required");
    assertThat(expected.get(authorize(client.id(), "openid", "id_token_hint", hint)).location())
        .startsWith(FlowSteps.CALLBACK + "?code=");
    assertThat(web.get(authorize(client.id(), "openid", "id_token_hint", "no.ours.x")).location())
        .startsWith(FlowSteps.CALLBACK + "?code=");
  }

  @Test
  void clientIsToldWhereTheLoginIsNotOfWhomItsHintNames() {
    Registered client = register(authn.node(), draft());
    Web expected = new Web(authn::node);
    login(expected, "alice");
    String hint = tokens(expected, client, "openid").text("id_token");

    Web.Answer sent = web.get(authorize(client.id(), "openid", "id_token_hint", hint));
    Web.Answer in =
        web.post(
            "/login",
            "_csrf",
            web.get(sent.location()).field("_csrf"),
            "continue",
            sent.parameter("continue"),
            "username",
            "bob",
            "password",
            RunningAuthn.PASSWORD);

    assertThat(in.status()).as(in.body()).isEqualTo(303);
    assertThat(web.get(in.location()).location())
        .startsWith(FlowSteps.CALLBACK + "?error=login_required&");
  }

  @Test
  void scopeThatWantsASecondFactorIsNotGivenWithoutOne() {
    login(web, "alice");
    Registered client = register(authn.node(), draft());

    assertThat(web.get(authorize(client.id(), "storage.modify:/home/alice/vault/x")).location())
        .startsWith("/login?continue=");
    assertThat(web.get(authorize(client.id(), "storage.modify:/home/alice")).location())
        .startsWith("/login?continue=");
    assertThat(web.get(authorize(client.id(), "storage.modify:/home/alice/vaults")).location())
        .startsWith(FlowSteps.CALLBACK);
  }

  @Test
  void deviceThatAsksForAFolderAboveIsNotLetInWithoutOne() {
    login(web, "alice");
    Registered device = register(authn.node(), FlowSteps.publicDraft());
    Web.Answer begun =
        new Web(authn::node)
            .post(
                "/oauth2/device_authorization",
                "client_id",
                device.id(),
                "scope",
                "storage.modify:/home/alice");

    Web.Answer sent =
        web.get("/oauth2/device_verification?" + Web.form("user_code", begun.text("user_code")));

    assertThat(sent.location()).startsWith("/login?continue=");
  }

  @Test
  void userWithoutASecondFactorIsToldSo() {
    Web.Answer sent = web.get(authorize(strict().id(), "openid"));
    Web.Answer page = web.get(sent.location());

    Web.Answer answer =
        web.post(
            "/login",
            "_csrf",
            page.field("_csrf"),
            "continue",
            page.field("continue"),
            "username",
            "bob",
            "password",
            RunningAuthn.PASSWORD,
            "code",
            "123456");

    assertThat(answer.status()).isEqualTo(401);
    assertThat(web.cookies()).doesNotContainKey("staithe_session");
  }

  @Test
  void tokenSaysThatThereWasASecondFactor() throws UsersUnavailable, ParseException {
    Enrolment enrolment = authn.codes().begin("carol");
    Confirmation.Confirmed confirmed =
        (Confirmation.Confirmed)
            authn.codes().confirm("carol", Codes.now(enrolment.secret(), Clock.systemUTC()));
    Registered client = strict();
    Web.Answer page = web.get(web.get(authorize(client.id(), "openid")).location());

    // Without the code it says that one is needed, with a wrong one no more than that.
    Web.Answer asked =
        web.post(
            "/login",
            "_csrf",
            page.field("_csrf"),
            "continue",
            page.field("continue"),
            "username",
            "carol",
            "password",
            RunningAuthn.PASSWORD);
    assertThat(asked.status()).isEqualTo(401);
    assertThat(asked.body()).contains("One-time code").contains("Enter the code");
    Web.Answer in =
        web.post(
            "/login",
            "_csrf",
            page.field("_csrf"),
            "continue",
            page.field("continue"),
            "username",
            "carol",
            "password",
            RunningAuthn.PASSWORD,
            "code",
            confirmed.recoveryCodes().getFirst());
    Web.Answer done = web.follow(in);

    Web.Answer tokens = redeem(web, client, done.parameter("code"));
    JWTClaimsSet claims = verified(web, tokens.text("access_token"));
    assertThat(claims.getStringClaim("acr")).isEqualTo("https://refeds.org/profile/mfa");
    assertThat(claims.getStringListClaim("amr")).containsExactly("pwd", "otp", "mfa");
  }
}
