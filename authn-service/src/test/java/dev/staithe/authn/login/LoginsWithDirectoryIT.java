package dev.staithe.authn.login;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.password.HashPool;
import dev.staithe.authn.password.HashProfile;
import dev.staithe.authn.password.PasswordHash;
import dev.staithe.authn.password.PooledHashing;
import dev.staithe.authn.users.Database;
import dev.staithe.authn.users.JdbcUsers;
import dev.staithe.authn.users.LdapSettings;
import dev.staithe.authn.users.LdapUsers;
import dev.staithe.authn.users.NewUser;
import dev.staithe.authn.users.SecondFactors;
import dev.staithe.authn.users.TestStore;
import dev.staithe.authn.users.UserAdministration;
import dev.staithe.authn.users.UserDirectory;
import dev.staithe.peers.SlapdServer;
import dev.staithe.testkit.MutableClock;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users of OpenLDAP beside relational ones. */
class LoginsWithDirectoryIT {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String ENTRIES =
      """
      dn: uid=ida,dc=example,dc=org
      objectClass: inetOrgPerson
      uid: ida
      cn: Ida
      sn: I.
      userPassword: ida's own password

      dn: uid=admin,dc=example,dc=org
      objectClass: inetOrgPerson
      uid: admin
      cn: A namesake
      sn: A.
      mail: namesake@example.org
      userPassword: the namesake's password
      """;

  @TempDir Path folder;

  private final TestStore store = TestStore.h2();
  private final MutableClock clock = MutableClock.at(Instant.parse("2026-11-21T10:00:00Z"));
  private final HashPool pool = new HashPool(1, 30);
  private SlapdServer server;
  private LdapUsers ldap;
  private Logins logins;

  @BeforeEach
  void start() throws IOException {
    server =
        SlapdServer.start(
            ThrowAwayAuthority.in(folder.resolve("ca"), Clock.systemUTC()).rsaServer(), ENTRIES);
    Database database = store.database();
    SecondFactors factors = new SecondFactors(database);
    PasswordHash passwords = new PasswordHash(HashProfile.PAPER, RANDOM);
    ldap =
        LdapUsers.open(
            new LdapSettings(
                List.of("localhost:" + server.tlsPort()),
                LdapSettings.Security.LDAPS,
                folder.resolve("ca/ca.pem"),
                null,
                new LdapSettings.People(
                    SlapdServer.SUFFIX, "(|(uid={0})(mail={0}))", "uid", "cn", "mail", "entryUUID"),
                new LdapSettings.Groups.None(),
                2,
                Duration.ofMinutes(1)),
            factors,
            store.subjects());
    JdbcUsers local = new JdbcUsers(database);
    new UserAdministration(database, local, factors, new PooledHashing(pool, passwords), clock, "")
        .create(
            new NewUser("admin", "", null, Set.of(), true),
            "the administrator's own".getBytes(UTF_8));
    logins =
        new Logins(
            new UserDirectory(local, ldap, "", List.of()),
            passwords,
            pool,
            new LoginGuard(GuardSettings.DEFAULT, database, clock),
            new OneTimeCodes(
                factors,
                new SecretBox(List.of(new SecretKeySpec(new byte[32], "AES")), RANDOM),
                "tests",
                clock,
                RANDOM),
            LoginSettings.DEFAULT,
            event -> {});
  }

  @AfterEach
  void stop() {
    ldap.close();
    pool.close();
    server.close();
    store.close();
  }

  private LoginResult login(String user, String password) {
    try (Secret secret = Secret.of(password)) {
      return logins.login(new Attempt(user, secret, null, InetAddress.getLoopbackAddress(), false));
    }
  }

  @Test
  void usersOfBothStoresLogInAndARelationalOneHidesANamesake() {
    assertThat(login("ida", "ida's own password")).isInstanceOf(LoginResult.Accepted.class);
    assertThat(login("admin", "the administrator's own")).isInstanceOf(LoginResult.Accepted.class);
    assertThat(login("admin", "the namesake's password")).isEqualTo(new LoginResult.Refused());
    assertThat(login("namesake@example.org", "the namesake's password"))
        .as("by another name than the one that is hidden")
        .isEqualTo(new LoginResult.Refused());
    assertThat(login("nobody", "ida's own password")).isEqualTo(new LoginResult.Refused());
    assertThat(login("ida", "")).isEqualTo(new LoginResult.Refused());
  }

  @Test
  void aLockedUserIsNotAskedOfTheDirectoryAnyMore() {
    for (int i = 0; i < 5; i++) {
      assertThat(login("ida", "guess " + i)).isEqualTo(new LoginResult.Refused());
    }
    long before = asked();
    assertThat(before).isPositive();
    assertThat(login("IDA", "ida's own password")).isInstanceOf(LoginResult.Locked.class);
    assertThat(asked()).isEqualTo(before);
  }

  @Test
  void ofManyGuessesThatWaitForTheEndOfALockTheDirectoryIsAskedOne() throws Exception {
    for (int i = 0; i < 5; i++) {
      assertThat(login("ida", "guess " + i)).isEqualTo(new LoginResult.Refused());
    }
    clock.advance(Duration.ofSeconds(31));
    List<Future<LoginResult>> answers = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 20; i++) {
        String guess = "more " + i;
        answers.add(threads.submit(() -> login("ida", guess)));
      }
    }
    int locked = 0;
    for (Future<LoginResult> answer : answers) {
      locked += answer.get() instanceof LoginResult.Locked ? 1 : 0;
    }
    assertThat(locked).isEqualTo(19);
  }

  /** What the server began to do; how it ended it may tell later. */
  private long asked() {
    return server.log().lines().filter(line -> line.matches(".* (BIND|SRCH) .*")).count();
  }

  @Test
  void whenTheDirectoryIsDownThenTheAdministratorStillLogsIn() {
    server.kill();
    assertThat(login("ida", "ida's own password")).isInstanceOf(LoginResult.Unavailable.class);
    assertThat(login("admin", "the administrator's own")).isInstanceOf(LoginResult.Accepted.class);
  }
}
