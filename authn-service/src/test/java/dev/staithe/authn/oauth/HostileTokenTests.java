package dev.staithe.authn.oauth;

import static dev.staithe.authn.oauth.FlowSteps.active;
import static dev.staithe.authn.oauth.FlowSteps.code;
import static dev.staithe.authn.oauth.FlowSteps.draft;
import static dev.staithe.authn.oauth.FlowSteps.login;
import static dev.staithe.authn.oauth.FlowSteps.publicDraft;
import static dev.staithe.authn.oauth.FlowSteps.redeem;
import static dev.staithe.authn.oauth.FlowSteps.refresh;
import static dev.staithe.authn.oauth.FlowSteps.register;
import static dev.staithe.authn.oauth.FlowSteps.tokens;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.staithe.authn.clients.Grant;
import dev.staithe.authn.oauth.FlowSteps.Registered;
import dev.staithe.testkit.MutableClock;
import dev.staithe.testkit.Trials;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tokens that an attacker shows to introspection, UserInfo and the token endpoint, over HTTP. */
final class HostileTokenTests {
  private static final MutableClock CLOCK = MutableClock.at(Instant.now());
  private static RunningAuthn authn;

  private final Web web = new Web(authn::node);
  private Registered client;

  @BeforeAll
  static void startAuthn() {
    authn = RunningAuthn.start(CLOCK);
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

  /** The authorization server dates codes by the machine's clock. */
  @AfterEach
  void now() {
    CLOCK.set(Instant.now());
  }

  /** Nobody takes it, wherever a token can be shown. */
  private void refusedEverywhere(String token) {
    assertThat(active(web, client, token)).as("introspection").isFalse();
    assertThat(new Web(authn::node).get("/userinfo", token).status()).as("UserInfo").isEqualTo(401);
    assertThat(exchange(token).status()).as("exchange").isEqualTo(400);
  }

  private Web.Answer exchange(String token, Object... more) {
    return FlowSteps.exchange(web, client, token, more);
  }

  @Test
  void accessTokenThatHasExpiredIsTakenNowhere() {
    String token = tokens(web, client, "openid").text("access_token");
    assertThat(active(web, client, token)).isTrue();

    CLOCK.advance(client.client().accessLifetime().plusSeconds(1));

    assertThat(active(web, client, token)).isFalse();
    assertThat(web.get("/userinfo", token).status()).isEqualTo(401);
    assertThat(exchange(token).text("error")).isEqualTo("invalid_grant");
  }

  @Test
  void authorizationCodeThatHasExpiredIsRefused() {
    String code = code(web, client, "openid");

    CLOCK.advance(Duration.ofMinutes(2));

    assertThat(redeem(web, client, code).text("error")).isEqualTo("invalid_grant");
  }

  @Test
  void authorizationCodeThatIsReplayedTakesItsTokensWithIt() {
    String code = code(web, client, "openid");
    Web.Answer first = redeem(web, client, code);

    assertThat(redeem(web, client, code).text("error")).isEqualTo("invalid_grant");

    refusedEverywhere(first.text("access_token"));
    assertThat(refresh(web, client, first.text("refresh_token")).text("error"))
        .isEqualTo("invalid_grant");
  }

  @Test
  void authorizationCodeThatIsReplayedAfterItsEndTakesItsTokensWithItToo() {
    String code = code(web, client, "openid");
    Web.Answer first = redeem(web, client, code);
    CLOCK.advance(Duration.ofMinutes(2));

    assertThat(redeem(web, client, code).text("error")).isEqualTo("invalid_grant");

    refusedEverywhere(first.text("access_token"));
  }

  @Test
  void refreshTokenThatIsReplayedRevokesItsFamily() {
    Web.Answer first = tokens(web, client, "openid");
    Web.Answer second = refresh(web, client, first.text("refresh_token"));
    // Longer than an answer that was lost is made up for.
    CLOCK.advance(Duration.ofSeconds(31));

    assertThat(refresh(web, client, first.text("refresh_token")).text("error"))
        .isEqualTo("invalid_grant");

    refusedEverywhere(second.text("access_token"));
    assertThat(refresh(web, client, second.text("refresh_token")).text("error"))
        .isEqualTo("invalid_grant");
  }

  @Test
  void refreshTokenThatHasExpiredIsRefused() {
    Web.Answer first = tokens(web, client, "openid offline_access");

    CLOCK.advance(client.client().refreshLifetime().plusSeconds(1));

    assertThat(refresh(web, client, first.text("refresh_token")).text("error"))
        .isEqualTo("invalid_grant");
  }

  @Test
  void clockThatJumpsBackMakesNoTokenGoodThatWasUsedOrRevoked() {
    Web.Answer first = tokens(web, client, "openid");
    refresh(web, client, first.text("refresh_token"));
    Web.Answer revoked = tokens(web, client, "openid");
    web.postAs(
        client.id(), client.secret(), "/oauth2/revoke", "token", revoked.text("refresh_token"));

    CLOCK.advance(Duration.ofMinutes(-5));
    try {
      // No session has begun by this clock: nobody is told anything until it is right again.
      assertThat(refresh(web, client, first.text("refresh_token")).status()).isEqualTo(503);
      assertThat(
              web.postAs(
                      client.id(),
                      client.secret(),
                      "/oauth2/introspect",
                      "token",
                      revoked.text("access_token"))
                  .status())
          .isEqualTo(503);
    } finally {
      // And a minute, after which nobody's answer may have been lost.
      CLOCK.advance(Duration.ofMinutes(6));
    }
    assertThat(refresh(web, client, first.text("refresh_token")).text("error"))
        .isEqualTo("invalid_grant");
    assertThat(active(web, client, revoked.text("access_token"))).isFalse();
  }

  @Test
  void clockThatJumpsForwardAndComesBackLeavesWhatWasGood() {
    String token = tokens(web, client, "openid").text("access_token");

    CLOCK.advance(Duration.ofHours(1));
    assertThat(active(web, client, token)).isFalse();
    CLOCK.advance(Duration.ofHours(-1));

    assertThat(active(web, client, token)).isTrue();
  }

  @Test
  void algorithmNoneIsTakenNowhere() throws ParseException {
    SignedJWT good = SignedJWT.parse(tokens(web, client, "openid").text("access_token"));

    refusedEverywhere(new PlainJWT(good.getJWTClaimsSet()).serialize());
    // With the signature of the good one, for whoever only looks whether there is some.
    refusedEverywhere(
        new PlainJWT(good.getJWTClaimsSet()).serialize() + good.getSignature().toString());
  }

  @Test
  void hmacWithThePublishedKeyAsItsSecretIsTakenNowhere() throws ParseException, JOSEException {
    SignedJWT good = SignedJWT.parse(tokens(web, client, "openid").text("access_token"));
    JWK published =
        JWKSet.parse(web.get("/oauth2/jwks").body()).getKeyByKeyId(good.getHeader().getKeyID());
    for (byte[] secret :
        List.of(
            published.toRSAKey().toPublicKey().getEncoded(),
            published.toJSONString().getBytes(UTF_8),
            published.toRSAKey().getModulus().decode())) {
      SignedJWT confused =
          new SignedJWT(
              new JWSHeader.Builder(JWSAlgorithm.HS256)
                  .type(JOSEObjectType.JWT)
                  .keyID(published.getKeyID())
                  .build(),
              good.getJWTClaimsSet());
      confused.sign(new MACSigner(secret));
      refusedEverywhere(confused.serialize());
      Trials.held();
    }
  }

  @Test
  void tokenThatIsWronglySignedIsTakenNowhere() throws ParseException {
    SignedJWT good = SignedJWT.parse(tokens(web, client, "openid").text("access_token"));
    String[] parts = good.serialize().split("\\.");
    String other = tokens(web, client, "openid email").text("access_token").split("\\.")[2];

    refusedEverywhere(parts[0] + "." + parts[1] + "." + other);
    String promoted =
        new PlainJWT(new JWTClaimsSet.Builder(good.getJWTClaimsSet()).subject("bob").build())
            .serialize()
            .split("\\.")[1];
    refusedEverywhere(parts[0] + "." + promoted + "." + parts[2]);
  }

  @Test
  void truncatedTokensAreTakenNowhere() {
    String token = tokens(web, client, "openid").text("access_token");
    for (int left : new int[] {1, token.indexOf('.'), token.lastIndexOf('.'), token.length() - 1}) {
      refusedEverywhere(token.substring(0, left));
    }
  }

  @Test
  void tokenWhoseAudienceIsAClientIsNoAccessToken() {
    // The ID token: signed by us, for the user, not expired, but for the client alone.
    refusedEverywhere(tokens(web, client, "openid").text("id_token"));
  }

  @Test
  void audienceThatTheClientMayNotAskForIsRefusedInEveryFlow() {
    String token = tokens(web, client, "openid storage.read:/physics").text("access_token");

    assertThat(exchange(token, "audience", "https://elsewhere.example.org").text("error"))
        .isEqualTo("invalid_target");
    assertThat(
            web.postAs(
                    client.id(),
                    client.secret(),
                    "/oauth2/token",
                    "grant_type",
                    "client_credentials",
                    "resource",
                    "https://elsewhere.example.org")
                .text("error"))
        .isEqualTo("invalid_target");
  }

  @Test
  void deviceThatPollsTooOftenIsToldToSlowDownAndMoreSoEachTime() {
    Registered cli = register(authn.node(), publicDraft());
    String device =
        web.post("/oauth2/device_authorization", "client_id", cli.id(), "scope", "openid")
            .text("device_code");

    assertThat(poll(cli, device)).isEqualTo("authorization_pending");
    assertThat(poll(cli, device)).isEqualTo("slow_down");
    CLOCK.advance(Duration.ofSeconds(6));
    assertThat(poll(cli, device)).as("10 s are wanted now").isEqualTo("slow_down");
    CLOCK.advance(Duration.ofSeconds(15));
    assertThat(poll(cli, device)).isEqualTo("authorization_pending");
    assertThat(poll(cli, "x".repeat(43))).as("a code that nobody has").isEqualTo("invalid_grant");
  }

  private String poll(Registered cli, String device) {
    return new Web(authn::node)
        .post(
            "/oauth2/token",
            "grant_type",
            Grant.DEVICE_CODE.parameter(),
            "client_id",
            cli.id(),
            "device_code",
            device)
        .text("error");
  }
}
