package dev.staithe.authn.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.clients.ScopeGrants;
import dev.staithe.authn.keys.KeySeal;
import dev.staithe.authn.keys.SigningKeys;
import dev.staithe.authn.oauth.OauthStore;
import dev.staithe.authn.persistence.Assurance;
import dev.staithe.authn.persistence.SessionId;
import dev.staithe.authn.session.SessionToken;
import dev.staithe.authn.users.Database;
import dev.staithe.authn.users.JdbcUsers;
import dev.staithe.authn.users.NewUser;
import dev.staithe.authn.users.SecondFactors;
import dev.staithe.authn.users.TestStore;
import dev.staithe.authn.users.UserAdministration;
import dev.staithe.testkit.MutableClock;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is said where a token cannot be issued for want of a store. */
final class SessionTokensTests {
  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);

  private final TestStore users = TestStore.h2();

  @AfterEach
  void close() {
    users.close();
  }

  /** Who asks is to try again; a failure of the request itself would not be worth that. */
  @Test
  void storeOfRulesThatIsAwayIsSaidToBeAway() {
    var clock = MutableClock.at(NOW);
    var settings = OauthSettings.of("https://authn.example.org");
    Database accounts = users.database();
    new UserAdministration(
            accounts,
            new JdbcUsers(accounts),
            new SecondFactors(accounts),
            TestStore.MARKED,
            clock,
            "")
        .create(
            new NewUser("ada", "Ada", null, Set.of(), true),
            "a long enough one".getBytes(StandardCharsets.UTF_8));
    var store = new OauthStore();
    var tokens =
        new SessionTokens(
            new ScopeGrants(List.of(), store.source()),
            new JdbcUsers(accounts),
            new SigningKeys(store.source(), settings.keys(), clock, KeySeal.none()),
            settings,
            HOUR,
            clock);
    var session =
        new SessionToken(
            SessionId.random(new SecureRandom()),
            1,
            "ada",
            Assurance.PASSWORD,
            NOW,
            NOW.plus(HOUR),
            HOUR);
    store.close();

    for (String scope : List.of("storage.read:/physics", "openid")) {
      assertThat(tokens.issue(session, scope, List.of(), null))
          .as(scope)
          .isInstanceOf(SessionTokens.Outcome.Unavailable.class);
    }
  }
}
