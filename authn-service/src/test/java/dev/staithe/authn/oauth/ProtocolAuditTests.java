package dev.staithe.authn.oauth;

import static dev.staithe.authn.oauth.FlowSteps.code;
import static dev.staithe.authn.oauth.FlowSteps.draft;
import static dev.staithe.authn.oauth.FlowSteps.login;
import static dev.staithe.authn.oauth.FlowSteps.redeem;
import static dev.staithe.authn.oauth.FlowSteps.register;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.authn.oauth.FlowSteps.Registered;
import dev.staithe.testkit.Trials;
import java.text.ParseException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the audit log says of the protocol's endpoints, over HTTP. */
final class ProtocolAuditTests {
  private static RunningAuthn authn;

  private final Web web = new Web(authn::node);
  private Registered client;

  @BeforeAll
  static void startAuthn() {
    authn = RunningAuthn.start();
  }

  @AfterAll
  static void stop() {
    authn.close();
  }

  @BeforeEach
  void start() {
    client = register(authn.node(), draft());
    login(web, "alice");
  }

  /** The lines about our client, which no other test has. */
  private List<Map<String, Object>> lines(String event) {
    return authn
        .audit()
        .lines()
        .map(ProtocolAuditTests::parsed)
        .filter(line -> event.equals(line.get("event")) && client.id().equals(line.get("client")))
        .toList();
  }

  private static Map<String, Object> parsed(String line) {
    try {
      return JSONObjectUtils.parse(line);
    } catch (ParseException e) {
      throw new AssertionError(line, e);
    }
  }

  @Test
  void tokenThatIsIssuedIsToldWithGrantUserScopeAndAudienceAndWithoutItself() {
    String code = code(web, client, "openid storage.read:/physics");
    Web.Answer answer = redeem(web, client, code);

    assertThat(lines("oauth.token"))
        .singleElement()
        .satisfies(
            line ->
                assertThat(line)
                    .containsEntry("outcome", "issued")
                    .containsEntry("grant", "authorization_code")
                    .containsEntry("subject", authn.subject("alice"))
                    .containsEntry("scope", "openid storage.read:/physics")
                    .containsEntry("audience", FlowSteps.ONE)
                    .containsKey("session"));
    assertThat(authn.audit())
        .doesNotContain(code)
        .doesNotContain(answer.text("access_token"))
        .doesNotContain(answer.text("refresh_token"))
        .doesNotContain(client.secret());
  }

  @Test
  void replayedCodeAndScopeThatIsNotGivenAreRefusals() {
    String code = code(web, client, "openid");
    redeem(web, client, code);
    redeem(web, client, code);
    web.postAs(
        client.id(),
        client.secret(),
        "/oauth2/token",
        "grant_type",
        "client_credentials",
        "scope",
        "storage.read:/elsewhere");

    assertThat(lines("oauth.token"))
        .extracting(
            line -> line.get("outcome") + " " + line.get("grant") + " " + line.get("reason"))
        .containsExactly(
            "issued authorization_code null",
            "refused authorization_code invalid_grant",
            "refused client_credentials invalid_scope");
  }

  @Test
  void wrongSecretIsToldWithoutIt() {
    web.postAs(client.id(), "a-wrong-secret", "/oauth2/token", "grant_type", "client_credentials");

    assertThat(lines("oauth.client"))
        .singleElement()
        .satisfies(
            line ->
                assertThat(line)
                    .containsEntry("outcome", "refused")
                    .containsEntry("reason", "invalid_client"));
    assertThat(authn.audit()).doesNotContain("a-wrong-secret");
  }

  @Test
  void revocationIsToldAndOneOfAnotherClientsTokenIsARefusal() {
    Registered other = register(authn.node(), draft());
    String foreign = redeem(web, other, code(web, other, "openid")).text("access_token");
    String own = redeem(web, client, code(web, client, "openid")).text("access_token");

    for (String token : List.of(foreign, "nonsense", own)) {
      web.postAs(client.id(), client.secret(), "/oauth2/revoke", "token", token);
    }

    assertThat(lines("oauth.revoke"))
        .extracting(line -> line.get("outcome"))
        .containsExactly("refused", "unknown", "done");
  }

  @Test
  void whoIsToldOfAnotherClientsTokenIsNamedAndWhoAsksOfItsOwnIsNot() {
    Registered other = register(authn.node(), draft());
    String foreign = redeem(web, other, code(web, other, "openid")).text("access_token");
    String own = redeem(web, client, code(web, client, "openid")).text("access_token");

    for (String token : List.of(own, foreign, "nonsense")) {
      web.postAs(client.id(), client.secret(), "/oauth2/introspect", "token", token);
      Trials.held();
    }

    assertThat(lines("oauth.introspect"))
        .singleElement()
        .satisfies(
            line ->
                assertThat(line)
                    .containsEntry("outcome", "active")
                    .containsEntry("owner", other.id())
                    .containsEntry("subject", authn.subject("alice")));
  }
}
