package dev.staithe.authn.grants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.authn.clients.Client;
import dev.staithe.authn.clients.Clients;
import dev.staithe.authn.oauth.FlowSteps;
import dev.staithe.authn.oauth.OauthStore;
import dev.staithe.authn.oauth.RegisteredClients;
import dev.staithe.authn.persistence.Assurance;
import dev.staithe.authn.persistence.SessionId;
import dev.staithe.authn.session.SessionToken;
import dev.staithe.testkit.MutableClock;
import java.security.Principal;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2RefreshToken;
import org.springframework.security.oauth2.server.authorization.OAuth2Authorization;
import org.springframework.security.oauth2.server.authorization.OAuth2TokenType;

final class GrantsTests {
  private final OauthStore store = new OauthStore();
  private final Map<SessionToken, SessionStanding> sessions = new ConcurrentHashMap<>();
  // Of now, as the store has a clock of its own.
  private final MutableClock clock = MutableClock.at(Clock.systemUTC().instant());
  private Duration doubt = Duration.ZERO;
  private final Grants grants =
      new Grants(
          store.source(),
          session -> sessions.getOrDefault(session, SessionStanding.GOOD),
          name -> Instant.EPOCH,
          () -> clock.instant().minus(doubt),
          clock);
  private final SessionToken session =
      new SessionToken(
          SessionId.random(new SecureRandom()),
          3,
          "alice",
          Assurance.SECOND_FACTOR,
          clock.instant().truncatedTo(ChronoUnit.MILLIS),
          clock.instant().truncatedTo(ChronoUnit.SECONDS).plusSeconds(7200),
          Duration.ofMinutes(30));
  private final Clients clients = new Clients(store.source(), clock);
  private final Client client = FlowSteps.draft();

  @BeforeEach
  void register() {
    clients.register(client);
  }

  @AfterEach
  void stop() {
    store.close();
  }

  private OAuth2Authorization granted(String suffix, Set<String> scopes) {
    Instant now = clock.instant();
    return OAuth2Authorization.withRegisteredClient(
            new RegisteredClients(clients, Duration.ofMinutes(1), Duration.ofMinutes(1))
                .findById(client.id()))
        .principalName("alice")
        .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
        .authorizedScopes(scopes)
        .attribute(Principal.class.getName(), new SignedIn(session))
        .token(
            new OAuth2AccessToken(
                OAuth2AccessToken.TokenType.BEARER,
                "access" + suffix,
                now,
                now.plusSeconds(60),
                scopes))
        .token(new OAuth2RefreshToken("refresh" + suffix, now, now.plusSeconds(600)))
        .build();
  }

  @Test
  void grantIsReadAsItWasWrittenButForTokensThatWereNotShown() {
    grants.save(granted("1", Set.of("openid")));

    OAuth2Authorization read = grants.findByToken("access1", OAuth2TokenType.ACCESS_TOKEN);

    assertThat(read.getAccessToken().getToken().getTokenValue()).isEqualTo("access1");
    assertThat(read.getRefreshToken().getToken().getTokenValue()).isNotEqualTo("refresh1");
    assertThat(read.getAuthorizedScopes()).containsExactly("openid");
    assertThat(read.<SignedIn>getAttribute(Principal.class.getName()).session()).isEqualTo(session);
    assertThat(grants.findByToken("access1", OAuth2TokenType.REFRESH_TOKEN)).isNull();
    assertThat(grants.findByToken("refresh1", OAuth2TokenType.REFRESH_TOKEN)).isNotNull();
    assertThat(grants.findByToken(read.getRefreshToken().getToken().getTokenValue(), null))
        .isNull();
  }

  @Test
  void ofTwoThatUseTheSameGrantOneLoses() {
    grants.save(granted("1", Set.of("openid")));
    OAuth2Authorization one = grants.findByToken("refresh1", OAuth2TokenType.REFRESH_TOKEN);
    OAuth2Authorization two = grants.findByToken("refresh1", OAuth2TokenType.REFRESH_TOKEN);
    Instant now = clock.instant();
    grants.save(
        OAuth2Authorization.from(one)
            .refreshToken(new OAuth2RefreshToken("refresh2", now, now.plusSeconds(9)))
            .build());

    assertThatThrownBy(
            () ->
                grants.save(
                    OAuth2Authorization.from(two)
                        .refreshToken(new OAuth2RefreshToken("refresh3", now, now.plusSeconds(9)))
                        .build()))
        .isInstanceOf(OAuth2AuthenticationException.class);

    assertThat(grants.findByToken("refresh2", OAuth2TokenType.REFRESH_TOKEN)).isNotNull();
    assertThat(grants.findByToken("refresh3", OAuth2TokenType.REFRESH_TOKEN)).isNull();
  }

  @Test
  void introspectingAUsedRefreshTokenRevokesNothing() {
    grants.save(granted("1", Set.of("openid")));
    Instant now = clock.instant();
    for (String[] step : new String[][] {{"refresh1", "refresh0"}, {"refresh0", "refresh2"}}) {
      grants.save(
          OAuth2Authorization.from(grants.findByToken(step[0], OAuth2TokenType.REFRESH_TOKEN))
              .refreshToken(new OAuth2RefreshToken(step[1], now, now.plusSeconds(9)))
              .build());
    }

    assertThat(grants.findByToken("refresh1", null).getRefreshToken().isActive()).isFalse();
    assertThat(grants.findByToken("refresh2", null)).isNotNull();
    assertThat(grants.findByToken("refresh1", OAuth2TokenType.REFRESH_TOKEN)).isNull();
    assertThat(grants.findByToken("refresh2", null)).isNull();
  }

  @Test
  void grantEndsWithItsSession() {
    grants.save(granted("1", Set.of("openid")));
    grants.save(granted("2", Set.of("openid", "offline_access")));

    sessions.put(session, SessionStanding.OVER);
    assertThat(grants.findByToken("refresh1", OAuth2TokenType.REFRESH_TOKEN)).isNull();
    assertThat(grants.findByToken("refresh2", OAuth2TokenType.REFRESH_TOKEN)).isNotNull();

    sessions.put(session, SessionStanding.ENDED);
    assertThat(grants.findByToken("refresh2", OAuth2TokenType.REFRESH_TOKEN)).isNull();
  }

  @Test
  void offlineGrantOfASessionThatWasEndedDoesNotComeBackWhenTheLogForgetsIt() {
    grants.save(granted("1", Set.of("openid", "offline_access")));
    sessions.put(session, SessionStanding.ENDED);

    grants.sweep();

    sessions.put(session, SessionStanding.OVER);
    assertThat(grants.findByToken("refresh1", OAuth2TokenType.REFRESH_TOKEN)).isNull();
  }

  @Test
  void grantOfASessionThatHasNotBegunByThisNodesClockIsAnsweredByNobodyAndStays() {
    grants.save(granted("1", Set.of("openid")));
    sessions.put(session, SessionStanding.NOT_YET);

    grants.sweep();
    assertThatThrownBy(() -> grants.findByToken("refresh1", OAuth2TokenType.REFRESH_TOKEN))
        .isInstanceOf(Unavailable.class);

    sessions.put(session, SessionStanding.GOOD);
    assertThat(grants.findByToken("refresh1", OAuth2TokenType.REFRESH_TOKEN)).isNotNull();
  }

  @Test
  void clockThatIsDoubtedForgetsNothing() {
    clock.advance(Duration.ofHours(-3));
    OAuth2Authorization granted = granted("1", Set.of("openid"));
    grants.save(granted);
    clock.advance(Duration.ofHours(3));

    doubt = Duration.ofHours(3);
    grants.sweep();
    assertThat(grants.findById(granted.getId())).isNotNull();

    doubt = Duration.ZERO;
    grants.sweep();
    assertThat(grants.findById(granted.getId())).isNull();
  }

  @Test
  void nodeThatWasStartedWithAClockAheadForgetsNothingThatIsGoodElsewhere() {
    OAuth2Authorization granted = granted("1", Set.of("openid"));
    grants.save(granted);

    clock.advance(Duration.ofDays(1));
    grants.sweep();

    assertThat(grants.findById(granted.getId())).isNotNull();
  }

  private void refresh(String used, String next) {
    Instant now = clock.instant();
    grants.save(
        OAuth2Authorization.from(grants.findByToken(used, OAuth2TokenType.REFRESH_TOKEN))
            .refreshToken(new OAuth2RefreshToken(next, now, now.plusSeconds(600)))
            .build());
  }

  @Test
  void tokenThatIsRevokedWhileItsGrantIsRefreshedIsRevoked() {
    grants.save(granted("1", Set.of("openid")));
    OAuth2Authorization byAccess = grants.findByToken("access1", null);
    OAuth2Authorization byRefresh = grants.findByToken("refresh1", null);
    refresh("refresh1", "refresh2");

    grants.save(
        OAuth2Authorization.from(byAccess)
            .token(byAccess.getAccessToken().getToken(), GrantsTests::invalid)
            .build());
    assertThat(grants.findByToken("access1", OAuth2TokenType.ACCESS_TOKEN)).isNull();
    assertThat(grants.findByToken("refresh2", OAuth2TokenType.REFRESH_TOKEN)).isNotNull();

    grants.save(
        OAuth2Authorization.from(byRefresh)
            .token(byRefresh.getRefreshToken().getToken(), GrantsTests::invalid)
            .build());
    assertThat(grants.findByToken("refresh2", OAuth2TokenType.REFRESH_TOKEN)).isNull();
  }

  private static void invalid(Map<String, Object> metadata) {
    metadata.put(OAuth2Authorization.Token.INVALIDATED_METADATA_NAME, true);
  }

  @Test
  void usedRefreshTokenEndsItsGrantForAsLongAsOneLivesAndIsForgottenThen() {
    grants.save(granted("0", Set.of("openid", "offline_access")));
    for (int i = 0; i < 50; i++) {
      clock.advance(Duration.ofSeconds(300));
      refresh("refresh" + i, "refresh" + (i + 1));
    }
    int kept =
        JdbcClient.create(store.source())
            .sql("SELECT count(*) FROM oauth_token WHERE kind = 'used_refresh'")
            .query(Integer.class)
            .single();
    assertThat(kept).isEqualTo(3);
    assertThat(grants.findByToken("refresh1", OAuth2TokenType.REFRESH_TOKEN)).isNull();
    assertThat(grants.findByToken("refresh50", OAuth2TokenType.REFRESH_TOKEN)).isNotNull();

    assertThat(grants.findByToken("refresh47", OAuth2TokenType.REFRESH_TOKEN)).isNull();
    assertThat(grants.findByToken("refresh50", OAuth2TokenType.REFRESH_TOKEN)).isNull();
  }

  /** A thief who refreshes as often as can be hides nothing by that. */
  @Test
  void usedRefreshTokenIsKnownHoweverOftenItsGrantWasRefreshedSince() {
    grants.save(granted("0", Set.of("openid", "offline_access")));
    for (int i = 0; i < 3000; i++) {
      refresh("refresh" + i, "refresh" + (i + 1));
    }

    assertThat(grants.findByToken("refresh0", OAuth2TokenType.REFRESH_TOKEN)).isNull();
    assertThat(grants.findByToken("refresh3000", OAuth2TokenType.REFRESH_TOKEN)).isNull();
  }

  @Test
  void userWhoIsLoggedOutEverywhereHasNoGrants() {
    grants.save(granted("1", Set.of("openid", "offline_access")));

    grants.endUser("alice", Instant.MAX);

    assertThat(grants.findByToken("refresh1", OAuth2TokenType.REFRESH_TOKEN)).isNull();
  }

  @Test
  void grantsOfADeletedClientAreGone() {
    grants.save(granted("1", Set.of("openid")));

    clients.delete(client.id());

    assertThat(grants.findByToken("access1", OAuth2TokenType.ACCESS_TOKEN)).isNull();
  }
}
