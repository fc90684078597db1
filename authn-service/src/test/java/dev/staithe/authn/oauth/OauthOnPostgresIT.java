package dev.staithe.authn.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import dev.staithe.authn.clients.Client;
import dev.staithe.authn.clients.ClientOutcome;
import dev.staithe.authn.clients.ClientSecrets;
import dev.staithe.authn.clients.Clients;
import dev.staithe.authn.clients.GrantRule;
import dev.staithe.authn.clients.ScopeGrants;
import dev.staithe.authn.grants.Consents;
import dev.staithe.authn.grants.GrantText;
import dev.staithe.authn.grants.Grants;
import dev.staithe.authn.grants.SessionStanding;
import dev.staithe.authn.grants.SignedIn;
import dev.staithe.authn.keys.KeyAlgorithm;
import dev.staithe.authn.keys.KeyPlan;
import dev.staithe.authn.keys.KeySeal;
import dev.staithe.authn.keys.KeySealTests;
import dev.staithe.authn.keys.SigningKeys;
import dev.staithe.authn.keys.StoreSecrets;
import dev.staithe.authn.persistence.Assurance;
import dev.staithe.authn.persistence.SessionId;
import dev.staithe.authn.session.SessionToken;
import dev.staithe.database.Migrations;
import dev.staithe.peers.PostgresServer;
import dev.staithe.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Principal;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2RefreshToken;
import org.springframework.security.oauth2.server.authorization.OAuth2Authorization;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationConsent;
import org.springframework.security.oauth2.server.authorization.OAuth2TokenType;

/** The oauth store on a real PostgreSQL, as several nodes use it at once. */
final class OauthOnPostgresIT {
  private static PostgresServer server;
  private static PGSimpleDataSource source;

  private final Clock clock = Clock.systemUTC();
  private final Clients clients = new Clients(source, clock);
  private final Grants grants =
      new Grants(
          source, session -> SessionStanding.GOOD, name -> Instant.EPOCH, clock::instant, clock);

  @BeforeAll
  static void start() throws IOException {
    server = PostgresServer.start();
    source = new PGSimpleDataSource();
    source.setUrl(server.url());
    source.setUser(server.user());
    source.setPassword(Files.readString(server.passwordFile()).strip());
    Migrations.run(source, "oauth");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void nobodyIsFoundByAnIdThatTheStoreCannotEvenCompare() {
    assertThat(clients.find("robot\0")).isEmpty();
  }

  /** A node that changes the tables may take longer than connections wait for an answer. */
  @Test
  void nodeThatWaitsForAnotherToMigrateIsNotShutOutByItsSocketTimeout() throws Exception {
    PGSimpleDataSource impatient = impatient();
    try (Connection other = source.getConnection();
        Statement statement = other.createStatement();
        ExecutorService thread = Executors.newSingleThreadExecutor()) {
      statement.execute("select pg_advisory_lock(" + 0x5374616974686502L + ")");
      Future<?> waiting = thread.submit(() -> Migrations.run(impatient, "oauth"));
      Eventually.holds(
          "two seconds of waiting", () -> waiting.isDone() || waitsForTwoSeconds(statement));
      statement.execute("select pg_advisory_unlock(" + 0x5374616974686502L + ")");
      waiting.get();
    }
  }

  @Test
  void changeThatTakesLongerThanTheSocketTimeoutIsMade() throws SQLException {
    Migrations.run(impatient(), "lengthy");

    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      assertThat(statement.executeQuery("select count(*) from lengthy").next()).isTrue();
    }
  }

  /** Whoever reads the table meanwhile is not kept waiting behind a change that waits. */
  @Test
  void changeOfATableInUseWaitsForItAndLetsOthersPass() throws Exception {
    try (Connection user = source.getConnection();
        Statement using = user.createStatement();
        Connection other = source.getConnection();
        Statement reading = other.createStatement();
        ExecutorService thread = Executors.newSingleThreadExecutor()) {
      using.execute("create table busy (id integer primary key)");
      user.setAutoCommit(false);
      using.executeQuery("select * from busy").close();

      Future<?> change = thread.submit(() -> Migrations.run(source, "busy"));
      Eventually.holds("the change waits", () -> change.isDone() || waitsForTable(reading));
      assertThat(change.isDone()).isFalse();
      reading.execute("set statement_timeout = '60s'");
      assertThat(reading.executeQuery("select count(*) from busy").next()).isTrue();
      assertThat(change.isDone()).isFalse();
      user.commit();

      change.get();
      assertThat(reading.executeQuery("select more from busy").next()).isFalse();
    }
  }

  private static boolean waitsForTable(Statement statement) {
    try (ResultSet found =
        statement.executeQuery(
            "select 1 from pg_stat_activity where query like '%ALTER TABLE busy%'"
                + " and wait_event_type = 'Lock'")) {
      return found.next();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static PGSimpleDataSource impatient() {
    PGSimpleDataSource impatient = new PGSimpleDataSource();
    impatient.setUrl(server.url());
    impatient.setUser(source.getUser());
    impatient.setPassword(source.getPassword());
    impatient.setSocketTimeout(1);
    return impatient;
  }

  private static boolean waitsForTwoSeconds(Statement statement) {
    try (ResultSet found =
        statement.executeQuery(
            "select 1 from pg_stat_activity where query like 'select pg_advisory_lock%'"
                + " and wait_event_type = 'Lock' and now() - query_start > '2s'")) {
      return found.next();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private interface Work {
    boolean done() throws Exception;
  }

  /** How many of eight at once did it. */
  private static int atOnce(Work work) throws Exception {
    int done = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      List<Future<Boolean>> all = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        all.add(threads.submit(work::done));
      }
      for (Future<Boolean> each : all) {
        done += each.get() ? 1 : 0;
      }
    }
    return done;
  }

  @Test
  void refreshTokenThatIsUsedByManyNodesAtOnceIsGoodForOne() throws Exception {
    Client client = FlowSteps.draft();
    clients.register(client);
    Instant now = clock.instant();
    grants.save(
        OAuth2Authorization.withRegisteredClient(
                new RegisteredClients(clients, Duration.ofMinutes(1), Duration.ofMinutes(1))
                    .findById(client.id()))
            .principalName("alice")
            .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
            .authorizedScopes(Set.of("openid"))
            .attribute(
                Principal.class.getName(),
                new SignedIn(
                    new SessionToken(
                        SessionId.random(new SecureRandom()),
                        1,
                        "alice",
                        Assurance.PASSWORD,
                        now.truncatedTo(ChronoUnit.MILLIS),
                        now.truncatedTo(ChronoUnit.SECONDS).plusSeconds(3600),
                        Duration.ofMinutes(30))))
            .token(new OAuth2RefreshToken("first", now, now.plusSeconds(600)))
            .build());

    int good =
        atOnce(
            () -> {
              OAuth2Authorization found =
                  grants.findByToken("first", OAuth2TokenType.REFRESH_TOKEN);
              // Who comes later is one whose answer was lost, or a thief: see RefreshAndScopeTests.
              if (found == null || found.getAttribute(GrantText.RETRIED) != null) {
                return false;
              }
              try {
                grants.save(
                    OAuth2Authorization.from(found)
                        .refreshToken(
                            new OAuth2RefreshToken(
                                ClientSecrets.create(), now, now.plusSeconds(600)))
                        .build());
                return true;
              } catch (OAuth2AuthenticationException e) {
                return false;
              }
            });

    assertThat(good).isLessThanOrEqualTo(1);
    grants.sweep();
    clients.delete(client.id());
    assertThat(server.sql("SELECT count(*) FROM oauth_token").strip()).isEqualTo("0");
  }

  @Test
  void nodesThatStartAtOnceAgreeOnTheirKeysAndSecrets() throws Exception {
    int same =
        atOnce(
            () -> {
              var keys = new SigningKeys(source, KeyPlan.DEFAULT, clock, KeySeal.none());
              String one = keys.signing(KeyAlgorithm.RS256).getKeyID();
              List<String> published =
                  keys.get(new JWKSelector(new JWKMatcher.Builder().build()), null).stream()
                      .map(JWK::getKeyID)
                      .toList();
              byte[] secret = new StoreSecrets(source, KeySeal.none()).get("test");
              return published.equals(List.of(one))
                  && one.equals(
                      new SigningKeys(source, KeyPlan.DEFAULT, clock, KeySeal.none())
                          .signing(KeyAlgorithm.RS256)
                          .getKeyID())
                  && java.util.Arrays.equals(
                      secret, new StoreSecrets(source, KeySeal.none()).get("test"));
            });

    assertThat(same).isEqualTo(8);
  }

  @Test
  void sealedStoreTellsNoKeyAndNodesShareItByTheFile(@TempDir Path folder) throws Exception {
    Path file = KeySealTests.key(folder);
    String before =
        new SigningKeys(source, KeyPlan.DEFAULT, clock, KeySeal.none())
            .signing(KeyAlgorithm.RS256)
            .getKeyID();

    int same =
        atOnce(
            () -> {
              KeySeal seal = KeySeal.of(List.of(file));
              seal.adopt(source);
              byte[] secret = new StoreSecrets(source, seal).get("sealed");
              return before.equals(
                      new SigningKeys(source, KeyPlan.DEFAULT, clock, seal)
                          .signing(KeyAlgorithm.RS256)
                          .getKeyID())
                  && java.util.Arrays.equals(
                      secret, new StoreSecrets(source, KeySeal.of(List.of(file))).get("sealed"));
            });

    assertThat(same).isEqualTo(8);
    assertThat(
            server.sql(
                "SELECT count(*) FROM (SELECT jwk AS kept FROM oauth_key UNION ALL SELECT content"
                    + " FROM oauth_secret) AS all_keys WHERE kept NOT LIKE 'sealed1:%'"))
        .isEqualTo("0");
    assertThatThrownBy(() -> KeySeal.none().adopt(source)).isInstanceOf(KeySeal.Unreadable.class);
    // For the other tests of this database, in whichever order.
    server.sql("DELETE FROM oauth_key; DELETE FROM oauth_secret");
  }

  @Test
  void clientsRulesAndConsentsAreKept() {
    Client client = FlowSteps.draft();
    clients.register(client);
    assertThat(clients.find(client.id())).contains(client);
    assertThat(clients.register(client)).isInstanceOf(ClientOutcome.Exists.class);
    ScopeGrants scopes = new ScopeGrants(List.of(), source);
    GrantRule rule = GrantRule.of("group:/physics storage.read:/x");
    assertThat(scopes.add(rule)).isTrue();
    assertThat(scopes.add(rule)).isFalse();
    assertThat(scopes.stored()).containsExactly(rule);
    assertThat(scopes.remove(rule)).isTrue();
    Consents consents = new Consents(source, name -> Instant.EPOCH, clock);
    consents.save(OAuth2AuthorizationConsent.withId(client.id(), "alice").scope("openid").build());
    consents.save(
        OAuth2AuthorizationConsent.withId(client.id(), "alice")
            .scope("openid")
            .scope("email")
            .build());

    assertThat(consents.findById(client.id(), "alice").getScopes())
        .containsExactlyInAnyOrder("openid", "email");
  }
}
