package dev.staithe.authn;

import static dev.staithe.service.OneLineFailure.started;

import dev.staithe.authn.grants.SessionLink;
import dev.staithe.authn.keys.StoreSecrets;
import dev.staithe.authn.login.GuardSettings;
import dev.staithe.authn.login.LoginGuard;
import dev.staithe.authn.login.LoginSettings;
import dev.staithe.authn.login.Logins;
import dev.staithe.authn.login.OneTimeCodes;
import dev.staithe.authn.login.SecretBox;
import dev.staithe.authn.password.HashPool;
import dev.staithe.authn.password.PasswordHash;
import dev.staithe.authn.password.PooledHashing;
import dev.staithe.authn.users.Database;
import dev.staithe.authn.users.DirectorySubjects;
import dev.staithe.authn.users.JdbcUsers;
import dev.staithe.authn.users.LdapSettings;
import dev.staithe.authn.users.LdapUsers;
import dev.staithe.authn.users.SecondFactors;
import dev.staithe.authn.users.UserAdministration;
import dev.staithe.authn.users.UserDirectory;
import dev.staithe.authn.users.UserEnds;
import dev.staithe.database.Databases;
import dev.staithe.service.PasswordFile;
import dev.staithe.service.log.AuditLog;
import dev.staithe.service.process.Chores;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.crypto.spec.SecretKeySpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Users, passwords, codes. */
@Configuration(proxyBeanMethods = false)
final class LoginConfiguration {
  private static final Logger log = LoggerFactory.getLogger(LoginConfiguration.class);
  private static final Duration STATEMENT = Duration.ofSeconds(5);

  private final SecureRandom random = new SecureRandom();

  @Bean
  Database usersDatabase(Databases databases, AuthnProperties properties) {
    return new Database(
        databases.migrated(
            "users", properties.users().database(), "staithe.users.database", "users"),
        STATEMENT);
  }

  @Bean
  JdbcUsers jdbcUsers(Database usersDatabase) {
    return new JdbcUsers(usersDatabase);
  }

  @Bean
  UserEnds userEnds(Database usersDatabase) {
    return new UserEnds(usersDatabase);
  }

  @Bean
  SecondFactors secondFactors(Database usersDatabase) {
    return new SecondFactors(usersDatabase);
  }

  @Bean
  UserDirectory users(
      JdbcUsers local,
      SecondFactors factors,
      Database usersDatabase,
      AuthnProperties properties,
      ObjectProvider<SessionLink> sessions,
      Clock clock) {
    UsersProperties.Ldap ldap = properties.users().ldap();
    // Later: what ends sessions stands on the users.
    var subjects =
        new DirectorySubjects(usersDatabase, clock, name -> sessions.getObject().endAllOf(name));
    return new UserDirectory(
        local,
        ldap == null ? null : started("staithe.users.ldap", () -> ldap(ldap, factors, subjects)),
        properties.administration().group(),
        ldap == null ? List.of() : ldap.administratorGroups());
  }

  private static LdapUsers ldap(
      UsersProperties.Ldap ldap, SecondFactors factors, DirectorySubjects subjects)
      throws IOException {
    LdapSettings.Reader reader =
        ldap.readerDn() == null
            ? null
            : new LdapSettings.Reader(
                ldap.readerDn(),
                PasswordFile.read(Optional.ofNullable(ldap.readerPasswordFile())).orElse(""));
    LdapSettings.Groups groups =
        ldap.groupBase() != null
            ? new LdapSettings.Groups.Search(
                ldap.groupBase(), ldap.groupFilter(), ldap.groupNameAttribute(), ldap.groupPrefix())
            : ldap.groupAttribute().isEmpty()
                ? new LdapSettings.Groups.None()
                : new LdapSettings.Groups.MemberOf(ldap.groupAttribute(), ldap.groupPrefix());
    return LdapUsers.open(
        new LdapSettings(
            ldap.servers(),
            ldap.security(),
            ldap.trust(),
            reader,
            new LdapSettings.People(
                ldap.base(),
                ldap.filter(),
                ldap.nameAttribute(),
                ldap.displayNameAttribute(),
                ldap.mailAttribute(),
                ldap.idAttribute()),
            groups,
            ldap.connections(),
            ldap.timeout()),
        factors,
        subjects);
  }

  @Bean
  PasswordHash passwordHash(AuthnProperties properties) {
    if (properties.login().hash().isForStudiesOnly()) {
      log.warn("staithe.login.hash = paper protects no password: for measurements only");
    }
    return new PasswordHash(properties.login().hash(), random);
  }

  @Bean
  HashPool hashPool(AuthnProperties properties, PasswordHash passwords) {
    LoginProperties login = properties.login();
    int threads =
        login.threads() > 0
            ? login.threads()
            : HashPool.defaultThreads(Runtime.getRuntime().availableProcessors());
    int queue = login.queue() > 0 ? login.queue() : threads * HashPool.DEFAULT_QUEUE_PER_THREAD;
    boolean lowered = passwords.isNative() && !passwords.profile().isForStudiesOnly();
    return new HashPool(threads, queue, lowered ? passwords::trial : null);
  }

  @Bean
  LoginGuard loginGuard(AuthnProperties properties, Database usersDatabase, Clock clock) {
    LoginProperties login = properties.login();
    LoginProperties.User user = login.user();
    LoginProperties.Strangers strangers = login.strangers();
    LoginProperties.Address address = login.address();
    return new LoginGuard(
        new GuardSettings(
            new GuardSettings.Rule(user.failures(), user.first(), user.longest(), user.window()),
            new GuardSettings.Rule(
                strangers.failures(), strangers.first(), strangers.longest(), strangers.window()),
            new GuardSettings.Rule(
                address.failures(), address.first(), address.longest(), address.window()),
            login.attemptsPerSecond(),
            login.burst()),
        usersDatabase,
        clock);
  }

  @Bean
  OneTimeCodes oneTimeCodes(
      SecondFactors factors, StoreSecrets secrets, AuthnProperties properties, Clock clock) {
    var key = new SecretKeySpec(secrets.get("second-factors"), "AES");
    String issuer =
        String.valueOf(properties.issuer() == null ? "" : properties.issuer().getHost());
    return new OneTimeCodes(factors, new SecretBox(List.of(key), random), issuer, clock, random);
  }

  @Bean
  UserAdministration userAdministration(
      Database usersDatabase,
      JdbcUsers users,
      SecondFactors factors,
      HashPool pool,
      PasswordHash passwords,
      AuthnProperties properties,
      Clock clock) {
    return new UserAdministration(
        usersDatabase,
        users,
        factors,
        new PooledHashing(pool, passwords),
        clock,
        properties.administration().group());
  }

  @Bean
  Logins logins(
      UserDirectory users,
      PasswordHash passwords,
      HashPool pool,
      LoginGuard guard,
      OneTimeCodes codes,
      AuthnProperties properties,
      AuditLog audit) {
    return new Logins(
        users,
        passwords,
        pool,
        guard,
        codes,
        new LoginSettings(properties.login().deadline(), properties.login().askEnrolled()),
        event ->
            audit
                .line("login", event.outcome().name().toLowerCase(Locale.ROOT))
                .with("reason", event.reason().name().toLowerCase(Locale.ROOT))
                .with("subject", event.user())
                .with("address", event.address().getHostAddress())
                .with("ms", event.duration().toMillis())
                .write());
  }

  /** Whoever is asked for by name, or the first of all. */
  @Bean
  ApplicationListener<ApplicationReadyEvent> administratorAtStart(
      JdbcUsers users,
      UserAdministration administration,
      SessionLink sessions,
      PasswordHash passwords,
      AuthnProperties properties,
      Chores chores,
      Environment environment) {
    String named = environment.getProperty(NewAdministrator.OPTION);
    return named == null
        ? new FirstAdministrator(
            users, administration, passwords, properties.administration(), random, chores)
        : new NewAdministrator(
            named, users, administration, sessions, properties.administration().group(), random);
  }
}
