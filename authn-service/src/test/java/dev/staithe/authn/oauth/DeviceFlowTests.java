package dev.staithe.authn.oauth;

import static dev.staithe.authn.oauth.FlowSteps.draft;
import static dev.staithe.authn.oauth.FlowSteps.login;
import static dev.staithe.authn.oauth.FlowSteps.publicDraft;
import static dev.staithe.authn.oauth.FlowSteps.register;
import static dev.staithe.authn.oauth.FlowSteps.verified;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.staithe.authn.clients.Digests;
import dev.staithe.authn.clients.Grant;
import dev.staithe.authn.oauth.FlowSteps.Registered;
import java.text.ParseException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The way of devices to a token (RFC 8628), over HTTP. */
final class DeviceFlowTests {
  private static final String DEVICE = Grant.DEVICE_CODE.parameter();

  private final RunningAuthn authn = RunningAuthn.shared();
  private final Web web = new Web(authn::node);
  private Registered client;

  @BeforeEach
  void start() {
    client = register(authn.node(), draft());
    login(web, "alice");
  }

  private Web.Answer poll(Registered cli, String deviceCode) {
    return new Web(authn::node)
        .post(
            "/oauth2/token",
            "grant_type",
            DEVICE,
            "client_id",
            cli.id(),
            "device_code",
            deviceCode);
  }

  private Web.Answer begin(Registered cli, String scope) {
    Web.Answer begun =
        new Web(authn::node)
            .post("/oauth2/device_authorization", "client_id", cli.id(), "scope", scope);
    assertThat(begun.status()).as(begun.body()).isEqualTo(200);
    return begun;
  }

  private Web.Answer question(String userCode) {
    return web.follow(web.post("/oauth2/device_verification", "user_code", userCode));
  }

  /** As one that reaches a node by a name of its own, which no browser may know. */
  @Test
  void deviceSendsItsUserToTheIssuerByWhateverNameItAsks() {
    Registered cli = register(authn.node(), publicDraft());

    Web.Answer begun =
        new Web(authn::node)
            .post(
                "http://localhost:" + authn.node().port() + "/oauth2/device_authorization",
                "client_id",
                cli.id(),
                "scope",
                "openid");

    String issuer = authn.node().url("");
    assertThat(begun.text("verification_uri")).isEqualTo(issuer + "/device");
    assertThat(begun.text("verification_uri_complete")).startsWith(issuer + "/device?user_code=");
  }

  @Test
  void deviceIsLetInByItsUser() throws ParseException {
    Registered cli = register(authn.node(), publicDraft());
    Web.Answer begun = begin(cli, "openid storage.read:/physics/x offline_access");
    assertThat(begun.text("verification_uri")).isEqualTo(authn.node().url("/device"));
    assertThat(poll(cli, begun.text("device_code")).text("error"))
        .isEqualTo("authorization_pending");

    Web.Answer page = question(begun.text("user_code").toLowerCase().replace("-", ""));
    assertThat(page.body()).contains("Test command").contains("Read files in /physics/x");
    Web.Answer done =
        web.post(
            "/oauth2/device_verification",
            "client_id",
            cli.id(),
            "state",
            page.field("state"),
            "user_code",
            page.field("user_code"),
            "scope",
            "openid",
            "scope",
            "storage.read:/physics/x",
            "scope",
            "offline_access");
    assertThat(done.location()).endsWith("/device/done");

    Web.Answer answer = poll(cli, begun.text("device_code"));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    JWTClaimsSet claims = verified(web, answer.text("access_token"));
    assertThat(claims.getSubject()).isEqualTo(authn.subject("alice"));
    assertThat(claims.getStringClaim("scope"))
        .isEqualTo("openid storage.read:/physics/x offline_access");
    assertThat(web.get("/userinfo", answer.text("access_token")).text("sub"))
        .isEqualTo(authn.subject("alice"));
    assertThat(verified(web, answer.text("id_token")).getAudience()).containsExactly(cli.id());
    Web.Answer next =
        new Web(authn::node)
            .post(
                "/oauth2/token",
                "grant_type",
                "refresh_token",
                "client_id",
                cli.id(),
                "refresh_token",
                answer.text("refresh_token"));
    assertThat(next.status()).as(next.body()).isEqualTo(200);
    assertThat(poll(cli, begun.text("device_code")).status()).isEqualTo(400);
  }

  /** Else a store that fails between two steps keeps a code that is spent, for nothing. */
  @Test
  void idTokenOfADeviceIsKeptInTheStepThatSpendsItsCode() {
    Registered cli = register(authn.node(), publicDraft());
    Web.Answer begun = begin(cli, "openid");
    Web.Answer page = question(begun.text("user_code"));
    web.post(
        "/oauth2/device_verification",
        "client_id",
        cli.id(),
        "state",
        page.field("state"),
        "user_code",
        page.field("user_code"),
        "scope",
        "openid");
    int before = timesWritten(begun.text("device_code"));

    Web.Answer answer = poll(cli, begun.text("device_code"));

    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.json()).containsKey("id_token");
    assertThat(timesWritten(begun.text("device_code"))).isEqualTo(before + 1);
  }

  private int timesWritten(String deviceCode) {
    return JdbcClient.create(authn.source())
        .sql(
            "SELECT g.version FROM oauth_grant g JOIN oauth_token t ON t.grant_id = g.id"
                + " WHERE t.digest = ?")
        .param(Digests.of(deviceCode))
        .query(Integer.class)
        .single();
  }

  @Test
  void deviceIsAskedForEachTimeEvenWhereTheUserAgreedBefore() {
    Registered cli = register(authn.node(), publicDraft());
    for (int i = 0; i < 2; i++) {
      Web.Answer begun = begin(cli, "openid");
      Web.Answer page = question(begun.text("user_code"));
      assertThat(page.body()).contains("Refuse if you have not begun this yourself");
      web.post(
          "/oauth2/device_verification",
          "client_id",
          cli.id(),
          "state",
          page.field("state"),
          "user_code",
          page.field("user_code"),
          "scope",
          "openid");
      assertThat(poll(cli, begun.text("device_code")).status()).isEqualTo(200);
    }
  }

  @Test
  void deviceThatIsRefusedIsTold() {
    Registered cli = register(authn.node(), publicDraft());
    Web.Answer begun = begin(cli, "openid");
    Web.Answer page = question(begun.text("user_code"));

    web.post(
        "/oauth2/device_verification",
        "client_id",
        cli.id(),
        "state",
        page.field("state"),
        "user_code",
        page.field("user_code"));

    assertThat(poll(cli, begun.text("device_code")).text("error")).isEqualTo("access_denied");
  }

  @Test
  void deviceAsksForNothingThatTheUserMayNotGive() {
    Registered cli = register(authn.node(), publicDraft());
    Web.Answer begun = begin(cli, "storage.modify:/home/bob");
    Web.Answer page = question(begun.text("user_code"));
    web.post(
        "/oauth2/device_verification",
        "client_id",
        cli.id(),
        "state",
        page.field("state"),
        "user_code",
        page.field("user_code"),
        "scope",
        "storage.modify:/home/bob");

    assertThat(poll(cli, begun.text("device_code")).text("error")).isEqualTo("invalid_scope");
  }

  @Test
  void wrongUserCodeIsToldInWords() {
    Web.Answer page = question("BBBB-BBBB");

    assertThat(page.status()).isEqualTo(400);
    assertThat(page.body()).contains("That code is not known");
  }
}
