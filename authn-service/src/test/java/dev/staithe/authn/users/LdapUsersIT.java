package dev.staithe.authn.users;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.staithe.peers.SlapdServer;
import dev.staithe.pki.KeyKind;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Against OpenLDAP. */
class LdapUsersIT {
  private static final byte[] PASSWORD = "alice's pässword".getBytes(UTF_8);
  private static final byte[] WRONG = "alice's password".getBytes(UTF_8);

  /** Not of UNBIND, which a server may tell of after the next test has begun. */
  private static final String BIND = " BIND dn=";

  private static final LdapSettings.Groups MEMBER_OF =
      new LdapSettings.Groups.MemberOf("memberOf", "/");

  @TempDir static Path folder;

  private static ThrowAwayAuthority authority;
  private static SlapdServer server;
  private static TestStore store;

  @BeforeAll
  static void start() {
    authority = ThrowAwayAuthority.in(folder.resolve("ca"), Clock.systemUTC());
    server = SlapdServer.start(authority.rsaServer(), entries());
    store = TestStore.h2();
  }

  @AfterAll
  static void stop() {
    server.close();
    store.close();
  }

  private static String salted(byte[] password) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-1");
      digest.update(password);
      byte[] salt = {1, 2, 3, 4, 5, 6, 7, 8};
      byte[] hash = digest.digest(salt);
      byte[] all = new byte[hash.length + salt.length];
      System.arraycopy(hash, 0, all, 0, hash.length);
      System.arraycopy(salt, 0, all, hash.length, salt.length);
      return "{SSHA}" + Base64.getEncoder().encodeToString(all);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String entries() {
    return """
    dn: ou=people,dc=example,dc=org
    objectClass: organizationalUnit
    ou: people

    dn: ou=groups,dc=example,dc=org
    objectClass: organizationalUnit
    ou: groups

    dn: uid=alice,ou=people,dc=example,dc=org
    objectClass: inetOrgPerson
    uid: alice
    cn: Alice A.
    sn: A.
    mail: alice@example.org
    userPassword: %1$s
    memberOf: cn=physics,ou=groups,dc=example,dc=org
    memberOf: cn=with space,ou=groups,dc=example,dc=org

    dn: uid=argon,ou=people,dc=example,dc=org
    objectClass: inetOrgPerson
    uid: argon
    cn: Argon
    sn: A.
    userPassword: {ARGON2}$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4

    dn: uid=locked,ou=people,dc=example,dc=org
    objectClass: inetOrgPerson
    uid: locked
    cn: No password
    sn: L.

    dn: uid=twin,ou=people,dc=example,dc=org
    objectClass: inetOrgPerson
    uid: twin
    cn: One
    sn: T.
    userPassword: %1$s

    dn: cn=Two,ou=people,dc=example,dc=org
    objectClass: inetOrgPerson
    uid: twin
    cn: Two
    sn: T.
    userPassword: %1$s

    dn: cn=Odd (one)\\, *,ou=people,dc=example,dc=org
    objectClass: inetOrgPerson
    uid: odd
    cn: Odd (one), *
    sn: O.
    userPassword: %1$s

    dn: cn=physics,ou=groups,dc=example,dc=org
    objectClass: groupOfNames
    cn: physics
    member: uid=alice,ou=people,dc=example,dc=org

    dn: cn=analysis,ou=groups,dc=example,dc=org
    objectClass: groupOfNames
    cn: analysis
    member: cn=Odd (one)\\, *,ou=people,dc=example,dc=org

    dn: cn=with space,ou=groups,dc=example,dc=org
    objectClass: groupOfNames
    cn: with space
    member: uid=alice,ou=people,dc=example,dc=org
    """
        .formatted(salted(PASSWORD));
  }

  private static LdapSettings settings(
      LdapSettings.Security security, @Nullable Path trust, LdapSettings.Groups groups) {
    int port = security == LdapSettings.Security.LDAPS ? server.tlsPort() : server.port();
    return new LdapSettings(
        List.of("localhost:" + port),
        security,
        trust,
        new LdapSettings.Reader(SlapdServer.ADMIN, SlapdServer.ADMIN_PASSWORD),
        LdapSettings.People.below("ou=people," + SlapdServer.SUFFIX),
        groups,
        4,
        Duration.ofMinutes(1));
  }

  private static LdapUsers open(LdapSettings.Groups groups) throws IOException {
    return LdapUsers.open(
        settings(LdapSettings.Security.PLAIN, null, groups),
        new SecondFactors(store.database()),
        store.subjects());
  }

  /** Whoever is seen for the first time is nobody to those who asked before. */
  private static Account found(LdapUsers users, String name) throws UsersUnavailable {
    users.find(name);
    return users.find(name).orElseThrow();
  }

  @ParameterizedTest
  @EnumSource(LdapSettings.Security.class)
  void theRightPasswordMatchesOverEachKindOfConnection(LdapSettings.Security security)
      throws IOException {
    try (LdapUsers users =
        LdapUsers.open(
            settings(security, authority.certificateFile(), MEMBER_OF),
            new SecondFactors(store.database()),
            store.subjects())) {
      String subject = found(users, "alice").subject();
      Account alice =
          new Account(
              "alice",
              "Alice A.",
              "alice@example.org",
              Account.sorted(Set.of("/physics")),
              true,
              false,
              subject);
      assertThat(users.check("Alice", PASSWORD)).isEqualTo(new LdapAnswer.Matched(alice));
      assertThat(users.check("alice", WRONG)).isEqualTo(new LdapAnswer.Refused());
      assertThat(users.check("alice", PASSWORD)).isInstanceOf(LdapAnswer.Matched.class);
      assertThat(users.find("alice")).contains(alice);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = LdapSettings.Security.class,
      names = {"LDAPS", "START_TLS"})
  void toAServerOfAnotherAuthorityNoPasswordIsSent(LdapSettings.Security security)
      throws IOException {
    ThrowAwayAuthority stranger =
        ThrowAwayAuthority.in(folder.resolve("stranger-" + security), Clock.systemUTC());
    String before = server.log();
    try (LdapUsers users =
        LdapUsers.open(
            settings(security, stranger.certificateFile(), MEMBER_OF),
            new SecondFactors(store.database()),
            store.subjects())) {
      assertThatExceptionOfType(UsersUnavailable.class)
          .isThrownBy(() -> users.check("alice", PASSWORD));
    }
    assertThat(server.log().substring(before.length())).doesNotContain(BIND);
  }

  @ParameterizedTest
  @EnumSource(
      value = LdapSettings.Security.class,
      names = {"LDAPS", "START_TLS"})
  void toAServerWithACertificateForAnotherNameNoPasswordIsSent(LdapSettings.Security security)
      throws IOException {
    try (SlapdServer misnamed =
        SlapdServer.start(authority.server(KeyKind.RSA_2048, "elsewhere.example.org"), entries())) {
      LdapSettings there = settings(security, authority.certificateFile(), MEMBER_OF);
      int port = security == LdapSettings.Security.LDAPS ? misnamed.tlsPort() : misnamed.port();
      LdapSettings toMisnamed =
          new LdapSettings(
              List.of("localhost:" + port),
              there.security(),
              there.trust(),
              there.reader(),
              there.people(),
              there.groups(),
              1,
              Duration.ofMinutes(1));
      try (LdapUsers users =
          LdapUsers.open(toMisnamed, new SecondFactors(store.database()), store.subjects())) {
        assertThatExceptionOfType(UsersUnavailable.class)
            .isThrownBy(() -> users.check("alice", PASSWORD));
      }
      assertThat(misnamed.log()).contains("ACCEPT").doesNotContain(BIND);
    }
  }

  @Test
  void anEmptyPasswordNeverBinds() throws IOException {
    try (LdapUsers users = open(MEMBER_OF)) {
      String before = server.log();
      assertThat(users.check("alice", new byte[0])).isEqualTo(new LdapAnswer.Refused());
      assertThat(users.check("locked", new byte[0])).isEqualTo(new LdapAnswer.Refused());
      assertThat(users.check("alice", new byte[] {0})).isEqualTo(new LdapAnswer.Refused());
      assertThat(server.log().substring(before.length())).doesNotContain(BIND);
      assertThat(users.check("locked", PASSWORD)).isEqualTo(new LdapAnswer.Refused());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*",
        "a*",
        "alice)(uid=*",
        "*)(|(uid=*",
        "alice\0",
        "alice ",
        " alice",
        "ali\\63e",
        "",
        "alice,ou=people,dc=example,dc=org",
        "uid=alice",
        "nobody",
        "twin"
      })
  void namesThatAreNoneOrNotOneFindNobody(String name) throws IOException {
    try (LdapUsers users = open(MEMBER_OF)) {
      assertThat(users.check(name, PASSWORD)).isEqualTo(new LdapAnswer.Unknown());
      assertThat(users.find(name)).isEmpty();
    }
  }

  @Test
  void groupsAreSearchedByAnyDn() throws IOException {
    LdapSettings.Groups search =
        new LdapSettings.Groups.Search(
            "ou=groups," + SlapdServer.SUFFIX, "(member={0})", "cn", "/site/");
    try (LdapUsers users = open(search)) {
      assertThat(found(users, "odd").groups()).containsExactly("/site/analysis");
      assertThat(found(users, "alice").groups())
          .as("without the one that is no path")
          .containsExactly("/site/physics");
      assertThat(users.check("odd", PASSWORD)).isInstanceOf(LdapAnswer.Matched.class);
    }
    try (LdapUsers users = open(new LdapSettings.Groups.None())) {
      assertThat(found(users, "alice").groups()).isEmpty();
    }
  }

  @Test
  void hashesThatTheServerKnowsAreItsOwnAffair() throws IOException {
    try (LdapUsers users = open(MEMBER_OF)) {
      assertThat(users.check("argon", "password".getBytes(UTF_8)))
          .isInstanceOf(LdapAnswer.Matched.class);
    }
  }

  @Test
  void secondFactorsAreKeptBesideTheDirectory() throws IOException {
    SecondFactors factors = new SecondFactors(store.database());
    try (LdapUsers users = open(MEMBER_OF)) {
      assertThat(found(users, "odd").hasSecondFactor()).isFalse();
      factors.begin("odd", new byte[] {1});
      factors.confirm("odd", new byte[] {1}, 1, List.of());
      assertThat(found(users, "odd").hasSecondFactor()).isTrue();
      assertThat(found(users, "alice").hasSecondFactor()).isFalse();
    }
  }

  @Test
  void aDirectoryThatDiesIsToldAndUsedAgainWhenItIsBack() throws IOException {
    try (SlapdServer mortal = SlapdServer.start(authority.rsaServer(), entries())) {
      LdapSettings there = settings(LdapSettings.Security.PLAIN, null, MEMBER_OF);
      LdapSettings toMortal =
          new LdapSettings(
              List.of("127.0.0.1:" + mortal.port()),
              there.security(),
              null,
              there.reader(),
              there.people(),
              there.groups(),
              2,
              Duration.ofMinutes(1));
      try (LdapUsers users =
          LdapUsers.open(toMortal, new SecondFactors(store.database()), store.subjects())) {
        assertThat(users.check("alice", PASSWORD)).isInstanceOf(LdapAnswer.Matched.class);
        mortal.kill();
        assertThatExceptionOfType(UsersUnavailable.class)
            .isThrownBy(() -> users.check("alice", PASSWORD));
        mortal.restart();
        assertThat(users.check("alice", PASSWORD)).isInstanceOf(LdapAnswer.Matched.class);
        assertThat(users.check("alice", WRONG)).isEqualTo(new LdapAnswer.Refused());
      }
    }
  }
}
