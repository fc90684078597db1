package dev.staithe.storage.issuers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.storage.authz.Admission;
import dev.staithe.storage.authz.AreaAccess;
import dev.staithe.storage.authz.Authorizer;
import dev.staithe.storage.authz.GroupRule;
import dev.staithe.storage.authz.Identification;
import dev.staithe.storage.authz.IssuerGrant;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.authz.Scopes;
import dev.staithe.storage.authz.TokenCaller;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.testkit.trust.TokenDraft;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Access tokens of OpenID providers that follow neither WLCG's profile nor SciTokens'. */
class PlainIssuerTests extends TokenDoorFixture {
  private static final String VO = "urn:mace:example.org:group:vo:data:role=member#aai.example.org";

  private static TokenProfile profile() {
    return new TokenProfile(true, TokenProfile.PLAIN_GROUP_CLAIMS, false, List.of(), List.of());
  }

  private TokenDoor plain(TokenProfile profile, String... audiences) {
    return door(
        Map.of(A.issuer(), A.keySet()),
        List.of(
            new TrustedIssuer(A.issuer(), Set.of(audiences), false, false, null, true, profile)));
  }

  private static Identification show(TokenDoor door, TokenDraft token) {
    return door.identify(List.of("Bearer " + token.sign()));
  }

  /** As EGI Check-in and Keycloak write them: neither version nor id. */
  private static TokenDraft token() {
    return A.token().without("wlcg.ver").without("jti").without("nbf").without("iat");
  }

  @Test
  void aPlainTokenCountsOnlyOfAPlainIssuer() {
    assertThat(rejection(show(door, token())))
        .isEqualTo("the token has neither wlcg.ver 1.x nor ver scitoken:2.0");

    TokenCaller caller =
        caller(show(plain(profile(), AUDIENCE), token().claim("entitlements", List.of(VO))));
    assertThat(caller.groups()).containsExactly(VO);
    assertThat(caller.scopes()).isEqualTo(Scopes.NONE);
  }

  @Test
  void aTokenOfWlcgsProfileIsJudgedByThatOfAPlainIssuerToo() {
    TokenDoor door = plain(profile(), AUDIENCE);

    assertThat(rejection(show(door, token().claim("wlcg.ver", "1.0"))))
        .contains("no time of issue");
    assertThat(rejection(show(door, token().claim("wlcg.ver", "2.0")))).contains("not supported");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          at_hash | x      | the token is an ID token, and no access token
          c_hash  | x      | the token is an ID token, and no access token
          events  | x      | the token tells of an event, and is no access token
          typ     | ID     | the token is of type ID, and no access token
          typ     | Refresh| the token is of type Refresh, and no access token
          cnf     | x      | the token is bound to a key (cnf), which is not asked for here; ask for one that is not
          """)
  void whatTheIssuerSignsBesidesIsNoAccessToken(String claim, String value, String reason) {
    TokenDoor door = plain(profile(), AUDIENCE);

    assertThat(rejection(show(door, token().claim(claim, value)))).isEqualTo(reason);
    caller(show(door, token().claim("typ", "Bearer")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"logout+jwt", "dpop+jwt", "entity-statement+jwt", "secevent+jwt"})
  void aJwtThatSaysItIsSomethingElseIsNone(String type) {
    TokenDoor door = plain(profile(), AUDIENCE);

    assertThat(rejection(show(door, token().header("typ", type))))
        .isEqualTo("the token is of type " + type + ", and no access token");
    caller(show(door, token().header("typ", "at+jwt")));
    caller(show(door, token().header("typ", "application/at+JWT")));
  }

  @Test
  void anAudienceIsDemandedUnlessItsAbsenceIsNamed() {
    assertThat(rejection(show(plain(profile(), AUDIENCE), token().without("aud"))))
        .isEqualTo("the token names no service that it is for (aud)");
    assertThat(rejection(show(plain(profile(), AUDIENCE), token().audience("account"))))
        .isEqualTo(
            "the token is not for this service: audience account, expected one of https://localhost");

    TokenDoor absent = plain(new TokenProfile(true, List.of("groups"), true, List.of(), List.of()));
    caller(show(absent, token().without("aud")));
    assertThat(rejection(show(absent, token())))
        .isEqualTo(
            "the token is not for this service: audience https://localhost,"
                + " and of its issuer only tokens without one are taken");
    assertThat(rejection(show(absent, token().claim("aud", List.of()))))
        .isEqualTo("the token names no service that it is for (aud)");
    assertThatThrownBy(() -> new TokenProfile(false, List.of("groups"), true, List.of(), List.of()))
        .hasMessage("WLCG's profile demands an audience");
  }

  @Test
  void assuranceAndTheWayOfTheLoginAreDemandedWhereASiteWantsThem() {
    String medium = "https://refeds.org/assurance/IAP/medium";
    TokenDoor door =
        plain(
            new TokenProfile(
                true, List.of("groups"), false, List.of(medium), List.of("mfa", "urn:mfa")),
            AUDIENCE);

    assertThat(rejection(show(door, token().claim("acr", "mfa"))))
        .isEqualTo("the token's eduperson_assurance is missing; wanted is " + medium);
    assertThat(
            rejection(
                show(
                    door,
                    token()
                        .claim("acr", "mfa")
                        .claim("eduperson_assurance", List.of(medium + "x", "low")))))
        .isEqualTo("the token's eduperson_assurance lacks " + medium);
    assertThat(rejection(show(door, token().claim("eduperson_assurance", medium))))
        .isEqualTo("the token's acr is missing; the login must have been by one of mfa urn:mfa");
    assertThat(
            rejection(show(door, token().claim("eduperson_assurance", medium).claim("acr", "pwd"))))
        .isEqualTo("the token's acr is pwd; the login must have been by one of mfa urn:mfa");
    caller(
        show(
            door,
            token().claim("eduperson_assurance", List.of("x", medium)).claim("acr", "urn:mfa")));
  }

  @Test
  void theFirstClaimOfThoseThatAreNamedCounts() {
    TokenDoor door =
        plain(
            new TokenProfile(
                true, List.of("roles", "eduperson_entitlement"), false, List.of(), List.of()),
            AUDIENCE);

    assertThat(caller(show(door, token().claim("groups", List.of("/a")))).groups()).isEmpty();
    assertThat(
            caller(
                    show(
                        door,
                        token()
                            .claim("eduperson_entitlement", List.of(VO))
                            .claim("roles", List.of("b"))))
                .groups())
        .containsExactly("b");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "urn:mace:example.org:group:vo:data#aai.example.org",
        "urn:mace:example.org:group:vo:data:role=member",
        "urn:mace:example.org:group:vo:data:role=member#other.example.org",
        "urn:mace:example.org:group:vo:data:role=admin#aai.example.org",
        "urn:mace:example.org:group:vo:role=member#aai.example.org",
        "urn:mace:example.org:group:vo:data:sub:role=member#aai.example.org",
        "urn:mace:example.org:group:vo:Data:role=member#aai.example.org",
        "urn:mace:other.org:group:vo:data:role=member#aai.example.org",
        "xurn:mace:example.org:group:vo:data:role=member#aai.example.org",
      })
  void anotherRoleAuthorityOrGroupIsAnotherUrn(String entitlement) {
    assertThat(mayRead(VO, entitlement)).isFalse();
  }

  @Test
  void aUrnIsTheSameInTheCaseThatItMayHave() {
    assertThat(mayRead(VO, VO)).isTrue();
    assertThat(mayRead(VO, VO.replace("urn:mace", "URN:Mace"))).isTrue();
    assertThat(mayRead("URN:geant:x:group:a%2fb#c", "urn:GEANT:x:group:a%2Fb#c")).isTrue();
    assertThat(mayRead("urn:geant:x:group:a%2fb#c", "urn:geant:x:group:a/b#c")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "urn:x",
        "urn:mace:example.org:group:",
        "urn:mace:example.org:group:vo::data",
        "urn:mace:example.org:group:vo:role=a:role=b#c",
        "urn:mace:example.org:group:role=a#c",
        "urn:mace:example.org:group:vo:role=a:data#c",
        "urn:mace:example.org:group:vo#",
      })
  void aRuleForWhatNoTokenCouldHaveIsRefused(String group) {
    assertThatThrownBy(() -> new GroupRule(group, Scopes.of("storage.read:/")))
        .hasMessageStartingWith("group \"" + group + "\" is no");
  }

  private boolean mayRead(String rule, String entitlement) {
    TokenCaller caller =
        caller(
            show(plain(profile(), AUDIENCE), token().claim("entitlements", List.of(entitlement))));
    IssuerGrant grant =
        new IssuerGrant(
            A.issuer(),
            List.of(StoragePath.root()),
            IssuerGrant.Strategy.GROUPS,
            List.of(new GroupRule(rule, Scopes.of("storage.read:/"))),
            List.of());
    AreaAccess access =
        new AreaAccess(List.of(grant), List.of(), List.of(), false, false, false, false);
    return Authorizer.decide(caller, access, StoragePath.of("/f"), Right.READ)
        instanceof Admission.Allowed;
  }
}
