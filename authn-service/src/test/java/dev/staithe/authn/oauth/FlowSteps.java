package dev.staithe.authn.oauth;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.staithe.authn.clients.Client;
import dev.staithe.authn.clients.ClientOutcome;
import dev.staithe.authn.clients.Clients;
import dev.staithe.authn.clients.Digests;
import dev.staithe.authn.clients.Grant;
import dev.staithe.authn.keys.KeyAlgorithm;
import java.text.ParseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** What the tests of the flows do again and again. */
public final class FlowSteps {
  static final String CALLBACK = "https://app.example.org/cb";
  static final String VERIFIER = "a-verifier-of-more-than-forty-three-characters";
  static final String ONE = "https://storage.example.org";
  static final String OTHER = "https://other.example.org";

  private FlowSteps() {}

  /** A client with its secret. */
  record Registered(Client client, String secret) {
    String id() {
      return client.id();
    }
  }

  /** One that may do nearly everything. */
  public static Client draft() {
    return new Client(
        "app-" + UUID.randomUUID(),
        "Test app",
        true,
        List.of(CALLBACK),
        List.of("https://app.example.org/bye"),
        EnumSet.allOf(Grant.class),
        List.of(
            "openid",
            "profile",
            "email",
            "offline_access",
            "wlcg",
            "wlcg.groups",
            "storage.read:/physics",
            "storage.modify:/home",
            "compute.create"),
        List.of(ONE, OTHER),
        false,
        false,
        KeyAlgorithm.RS256,
        Duration.ofMinutes(20),
        Duration.ofDays(1),
        true);
  }

  public static Client publicDraft() {
    Client draft = draft();
    return new Client(
        "cli-" + UUID.randomUUID(),
        "Test command",
        false,
        draft.redirectUris(),
        List.of(),
        Set.of(Grant.AUTHORIZATION_CODE, Grant.DEVICE_CODE, Grant.REFRESH_TOKEN),
        draft.scopes(),
        draft.audiences(),
        false,
        false,
        KeyAlgorithm.RS256,
        draft.accessLifetime(),
        draft.refreshLifetime(),
        true);
  }

  static Client asking(Client draft) {
    return changed(draft, true, false, draft.algorithm());
  }

  static Client changed(Client d, boolean consent, boolean secondFactor, KeyAlgorithm algorithm) {
    return new Client(
        d.id(),
        d.name(),
        d.confidential(),
        d.redirectUris(),
        d.logoutUris(),
        d.grants(),
        d.scopes(),
        d.audiences(),
        consent,
        secondFactor,
        algorithm,
        d.accessLifetime(),
        d.refreshLifetime(),
        d.proofKey());
  }

  static Registered register(RunningAuthn.Node node, Client client) {
    if (node.part(Clients.class).register(client) instanceof ClientOutcome.Done done) {
      return new Registered(done.client(), done.secret() == null ? "" : done.secret());
    }
    throw new AssertionError("not registered");
  }

  static void login(Web web, String user) {
    Web.Answer page = web.get("/login");
    Web.Answer in =
        web.post(
            "/login",
            "_csrf",
            page.field("_csrf"),
            "continue",
            "/sessions",
            "username",
            user,
            "password",
            RunningAuthn.PASSWORD);
    assertThat(in.status()).as(in.body()).isEqualTo(303);
  }

  /** Asks for a token by another (RFC 8693). */
  static Web.Answer exchange(Web web, Registered client, String token, Object... more) {
    List<Object> form =
        new ArrayList<>(
            List.of(
                "grant_type",
                Grant.TOKEN_EXCHANGE.parameter(),
                "subject_token",
                token,
                "subject_token_type",
                "urn:ietf:params:oauth:token-type:access_token"));
    form.addAll(List.of(more));
    return web.postAs(client.id(), client.secret(), "/oauth2/token", form.toArray());
  }

  static String authorize(String client, String scope, String... more) {
    return "/oauth2/authorize?"
        + Web.form(
            "response_type",
            "code",
            "client_id",
            client,
            "redirect_uri",
            CALLBACK,
            "scope",
            scope,
            "state",
            "st/ate",
            "nonce",
            "n1",
            "code_challenge",
            Digests.of(VERIFIER),
            "code_challenge_method",
            "S256")
        + (more.length == 0 ? "" : "&" + Web.form((Object[]) more));
  }

  static String code(Web web, Registered client, String scope, String... more) {
    Web.Answer answer = web.get(authorize(client.id(), scope, more));
    assertThat(answer.location()).startsWith(CALLBACK + "?code=");
    assertThat(answer.parameter("state")).isEqualTo("st/ate");
    return answer.parameter("code");
  }

  static Web.Answer redeem(Web web, Registered client, String code, String... more) {
    Object[] form = new Object[8 + more.length];
    System.arraycopy(
        new Object[] {
          "grant_type", "authorization_code",
          "code", code,
          "redirect_uri", CALLBACK,
          "code_verifier", VERIFIER
        },
        0,
        form,
        0,
        8);
    System.arraycopy(more, 0, form, 8, more.length);
    return web.postAs(client.id(), client.secret(), "/oauth2/token", form);
  }

  static Web.Answer tokens(Web web, Registered client, String scope, String... more) {
    Web.Answer answer = redeem(web, client, code(web, client, scope, more));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer;
  }

  static Web.Answer refresh(Web web, Registered client, String token, String... more) {
    Object[] form = new Object[4 + more.length];
    System.arraycopy(
        new Object[] {"grant_type", "refresh_token", "refresh_token", token}, 0, form, 0, 4);
    System.arraycopy(more, 0, form, 4, more.length);
    return web.postAs(client.id(), client.secret(), "/oauth2/token", form);
  }

  static boolean active(Web web, Registered client, String token) {
    Web.Answer answer =
        web.postAs(client.id(), client.secret(), "/oauth2/introspect", "token", token);
    assertThat(answer.status()).isEqualTo(200);
    return Boolean.TRUE.equals(answer.json().get("active"));
  }

  /** Verifies a token with the published keys. */
  static JWTClaimsSet verified(Web web, String token) {
    try {
      SignedJWT jwt = SignedJWT.parse(token);
      JWK key =
          JWKSet.parse(web.get("/oauth2/jwks").body()).getKeyByKeyId(jwt.getHeader().getKeyID());
      assertThat(key).as("the key is published").isNotNull();
      assertThat(key.isPrivate()).isFalse();
      boolean good =
          switch (jwt.getHeader().getAlgorithm().getName()) {
            case "RS256" -> jwt.verify(new RSASSAVerifier(key.toRSAKey()));
            case "ES256" -> jwt.verify(new ECDSAVerifier(key.toECKey()));
            default -> false;
          };
      assertThat(good).as("the signature is good").isTrue();
      return jwt.getJWTClaimsSet();
    } catch (ParseException | JOSEException e) {
      throw new AssertionError(e);
    }
  }
}
