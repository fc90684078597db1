package dev.staithe.authn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.staithe.authn.AuthnProperties.Administration;
import dev.staithe.authn.SessionsProperties.Redis;
import dev.staithe.authn.keys.KeyAlgorithm;
import dev.staithe.authn.password.HashProfile;
import dev.staithe.authn.persistence.PersistenceModel;
import dev.staithe.authn.session.Freshness;
import dev.staithe.authn.users.LdapSettings;
import dev.staithe.database.DatabaseProperties;
import dev.staithe.service.OneLineFailure;
import dev.staithe.service.properties.AccessLogProperties;
import dev.staithe.service.properties.AuditLogProperties;
import dev.staithe.service.properties.LimitsProperties;
import dev.staithe.service.properties.MetricsProperties;
import dev.staithe.service.properties.ProxyProperties;
import dev.staithe.service.properties.TlsProperties;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.util.unit.DataSize;

/** Every default, every key mapped to its place, and every range. */
final class AuthnPropertiesTests {
  @TempDir private Path folder;

  @BeforeEach
  void makeFiles() throws IOException {
    for (String name : List.of("host.pem", "key.pem", "password", "ca.pem")) {
      Files.writeString(folder.resolve(name), "x");
    }
  }

  private static AuthnProperties bound(PropertySource<?> source) {
    return new Binder(ConfigurationPropertySources.from(source))
        .bind(
            "staithe",
            Bindable.of(AuthnProperties.class),
            new NoUnboundElementsBindHandler(BindHandler.DEFAULT))
        .get();
  }

  private AuthnProperties yaml(String text) throws IOException {
    return bound(
        new YamlPropertySourceLoader()
            .load(
                "test",
                new ByteArrayResource(
                    text.replace("~", folder.toString()).getBytes(StandardCharsets.UTF_8)))
            .getFirst());
  }

  /** What every configuration has to have. */
  private Map<String, Object> least() {
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put("staithe.issuer", "https://authn.example");
    properties.put("staithe.tls.certificate", folder.resolve("host.pem"));
    properties.put("staithe.tls.key", folder.resolve("key.pem"));
    return properties;
  }

  @Test
  void leastConfigurationHasTheseDefaults() {
    assertThat(bound(new MapPropertySource("test", least())))
        .isEqualTo(
            new AuthnProperties(
                URI.create("https://authn.example"),
                Path.of("authn-data"),
                new TlsProperties(
                    true,
                    TlsProperties.Provider.AUTO,
                    folder.resolve("host.pem"),
                    folder.resolve("key.pem"),
                    Duration.ofSeconds(30)),
                false,
                new LimitsProperties(
                    2000,
                    1000,
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(30),
                    DataSize.ofKilobytes(32),
                    DataSize.ofKilobytes(1),
                    DataSize.ofKilobytes(1),
                    Duration.ofSeconds(60)),
                new ProxyProperties(List.of()),
                new MetricsProperties(List.of("127.0.0.0/8", "::1/128")),
                new AccessLogProperties(true, null),
                new AuditLogProperties(null),
                new DatabaseProperties(null, "staithe", null, 10),
                new SessionsProperties(
                    SessionsProperties.Store.DATABASE,
                    PersistenceModel.BEST_EFFORT,
                    null,
                    null,
                    new Redis("localhost", 6379, null, false, null, null),
                    Duration.ofMinutes(30),
                    Duration.ofHours(2),
                    100,
                    SessionsProperties.WhenTooMany.END_OLDEST,
                    Freshness.BOUNDED,
                    Duration.ofSeconds(1),
                    Duration.ofMillis(200),
                    Duration.ofSeconds(3)),
                new UsersProperties(null, null),
                new LoginProperties(
                    HashProfile.OWASP,
                    0,
                    0,
                    Duration.ofSeconds(5),
                    true,
                    new LoginProperties.User(
                        5, Duration.ofSeconds(30), Duration.ofMinutes(15), Duration.ofHours(12)),
                    new LoginProperties.Strangers(
                        100, Duration.ofSeconds(30), Duration.ofMinutes(15), Duration.ofHours(12)),
                    new LoginProperties.Address(
                        50, Duration.ofSeconds(30), Duration.ofMinutes(15), Duration.ofMinutes(10)),
                    20,
                    100),
                new TokensProperties(
                    null,
                    List.of(),
                    Set.of(KeyAlgorithm.RS256),
                    Duration.ofDays(90),
                    Duration.ofDays(2),
                    List.of(),
                    List.of(),
                    "1.0",
                    Duration.ofHours(1),
                    List.of()),
                new Administration("/staithe/administrators", false, null)));
  }

  @Test
  void everyKeyIsMappedToItsPlace() throws IOException {
    AuthnProperties properties =
        yaml(
            """
            staithe:
              issuer: https://one.example/authn
              state: ~/state
              tls:
                enabled: false
                provider: jdk
                certificate: ~/host.pem
                key: ~/key.pem
                check-interval: 2m
              http2: true
              limits:
                connections: 23
                idle-timeout: 24s
                head-timeout: 26s
                header-size: 25KB
                min-upload-rate: 27KB
                min-download-rate: 28KB
                rate-window: 29s
              proxy:
                trusted: [192.0.2.7]
              metrics:
                allow-from: [192.0.2.0/24]
              access-log:
                enabled: false
                file: ~/access.log
              audit-log:
                file: ~/audit.log
              database:
                url: jdbc:postgresql://one/x
                user: u1
                password-file: ~/password
                connections: 3
              sessions:
                store: redis
                persistence: assured-read
                database: {url: "jdbc:postgresql://two/x", user: u2, connections: 4}
                read-url: jdbc:postgresql://three/x
                redis:
                  host: redis.example
                  port: 6380
                  user: u3
                  tls: true
                  trust: ~/ca.pem
                  password-file: ~/password
                idle: 31s
                absolute: 32s
                per-user: 33
                when-too-many: refuse
                freshness: strict
                freshness-bound: 3400ms
                poll: 35ms
                acknowledge-within: 36s
              users:
                database: {url: "jdbc:h2:file:/four", user: u4, connections: 5}
                ldap:
                  servers: ["a:1", "b:2"]
                  security: start-tls
                  trust: ~/ca.pem
                  reader-dn: cn=r
                  reader-password-file: ~/password
                  base: dc=x
                  filter: "(u={0})"
                  name-attribute: n
                  display-name-attribute: d
                  mail-attribute: m
                  id-attribute: id
                  group-base: ou=g
                  group-filter: "(g={0})"
                  group-name-attribute: gn
                  group-attribute: ga
                  group-prefix: /x/
                  administrator-groups: [/x/ops]
                  connections: 6
                  timeout: 37s
              login:
                hash: peers
                threads: 7
                queue: 8
                deadline: 9s
                ask-enrolled: false
                user: {failures: 10, first: 11s, longest: 12s, window: 13s}
                strangers: {failures: 24, first: 25s, longest: 26s, window: 27s}
                address: {failures: 14, first: 15s, longest: 16s, window: 17s}
                attempts-per-second: 18.5
                burst: 19
              tokens:
                database: {url: "jdbc:postgresql://five/x", user: u5, connections: 20}
                sealing-keys: [~/key.pem, ~/ca.pem]
                algorithms: [ES256]
                rotation: 40d
                overlap: 3d
                grants:
                  - to: user:jane
                    scopes: ["storage.read:/home/{user}", compute.read]
                  - to: "*"
                    scopes: [storage.read:/pub]
                second-factor-scopes: [storage.modify:/raw]
                wlcg-version: "1.2"
                access-lifetime: 21m
                allowed-origins: ["https://app.example.org:8443", "http://localhost:3000"]
              administration:
                group: /site/admins
                second-factor: true
                first-password-file: ~/ca.pem
            """);
    Path password = folder.resolve("password");
    assertThat(properties)
        .isEqualTo(
            new AuthnProperties(
                URI.create("https://one.example/authn"),
                folder.resolve("state"),
                new TlsProperties(
                    false,
                    TlsProperties.Provider.JDK,
                    folder.resolve("host.pem"),
                    folder.resolve("key.pem"),
                    Duration.ofMinutes(2)),
                true,
                new LimitsProperties(
                    23,
                    1000,
                    Duration.ofSeconds(24),
                    Duration.ofSeconds(26),
                    DataSize.ofKilobytes(25),
                    DataSize.ofKilobytes(27),
                    DataSize.ofKilobytes(28),
                    Duration.ofSeconds(29)),
                new ProxyProperties(List.of("192.0.2.7")),
                new MetricsProperties(List.of("192.0.2.0/24")),
                new AccessLogProperties(false, folder.resolve("access.log")),
                new AuditLogProperties(folder.resolve("audit.log")),
                new DatabaseProperties("jdbc:postgresql://one/x", "u1", password, 3),
                new SessionsProperties(
                    SessionsProperties.Store.REDIS,
                    PersistenceModel.ASSURED_READ,
                    new DatabaseProperties("jdbc:postgresql://two/x", "u2", null, 4),
                    "jdbc:postgresql://three/x",
                    new Redis(
                        "redis.example", 6380, "u3", true, folder.resolve("ca.pem"), password),
                    Duration.ofSeconds(31),
                    Duration.ofSeconds(32),
                    33,
                    SessionsProperties.WhenTooMany.REFUSE,
                    Freshness.STRICT,
                    Duration.ofMillis(3400),
                    Duration.ofMillis(35),
                    Duration.ofSeconds(36)),
                new UsersProperties(
                    new DatabaseProperties("jdbc:h2:file:/four", "u4", null, 5),
                    new UsersProperties.Ldap(
                        List.of("a:1", "b:2"),
                        LdapSettings.Security.START_TLS,
                        folder.resolve("ca.pem"),
                        "cn=r",
                        password,
                        "dc=x",
                        "(u={0})",
                        "n",
                        "d",
                        "m",
                        "id",
                        "ou=g",
                        "(g={0})",
                        "gn",
                        "ga",
                        "/x/",
                        List.of("/x/ops"),
                        6,
                        Duration.ofSeconds(37))),
                new LoginProperties(
                    HashProfile.PEERS,
                    7,
                    8,
                    Duration.ofSeconds(9),
                    false,
                    new LoginProperties.User(
                        10, Duration.ofSeconds(11), Duration.ofSeconds(12), Duration.ofSeconds(13)),
                    new LoginProperties.Strangers(
                        24, Duration.ofSeconds(25), Duration.ofSeconds(26), Duration.ofSeconds(27)),
                    new LoginProperties.Address(
                        14, Duration.ofSeconds(15), Duration.ofSeconds(16), Duration.ofSeconds(17)),
                    18.5,
                    19),
                new TokensProperties(
                    new DatabaseProperties("jdbc:postgresql://five/x", "u5", null, 20),
                    List.of(folder.resolve("key.pem"), folder.resolve("ca.pem")),
                    Set.of(KeyAlgorithm.ES256),
                    Duration.ofDays(40),
                    Duration.ofDays(3),
                    List.of(
                        new TokensProperties.Grant(
                            "user:jane", List.of("storage.read:/home/{user}", "compute.read")),
                        new TokensProperties.Grant("*", List.of("storage.read:/pub"))),
                    List.of("storage.modify:/raw"),
                    "1.2",
                    Duration.ofMinutes(21),
                    List.of("https://app.example.org:8443", "http://localhost:3000")),
                new Administration("/site/admins", true, folder.resolve("ca.pem"))));
  }

  @Test
  void pageThatExplainsAllSettingsIsAConfigurationThatBinds() throws IOException {
    String page =
        Files.readString(Path.of("../docs/authn-service.yml"))
            .replace("/etc/staithe/host.pem", folder.resolve("host.pem").toString())
            .replace("/etc/staithe/host-key.pem", folder.resolve("key.pem").toString());
    assertThat(yaml(page).issuer()).isEqualTo(URI.create("https://authn.example.org"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          issuer                          | https://a/     | the URL of this service without a slash at its end, as https://authn.example.org
          issuer                          | authn.example  | the URL of this service without a slash at its end, as https://authn.example.org
          issuer                          | https://a?b    | the URL of this service without a slash at its end, as https://authn.example.org
          tls.certificate                 | /none          | a file that this user can read
          tls.check-interval              | 0s             | 1s to 24h
          limits.connections              | 0              | 1 to 100000
          proxy.trusted                   | anybody        | networks such as 10.0.0.0/8 or fd00::/8
          metrics.allow-from              | 1.2.3          | networks such as 10.0.0.0/8 or fd00::/8
          database.url                    | jdbc:mysql://x | jdbc:postgresql://host:port/name or jdbc:h2:file:/path/name
          database.password-file          | /none          | a file that this user can read
          database.connections            | 2              | 3 to 200
          sessions.store                  | disk           | one of database, redis
          sessions.persistence            | perhaps        | one of off, best-effort, assured-write, assured-read
          sessions.redis.port             | 0              | 1 to 65535
          sessions.redis.password-file    | /none          | a file that this user can read
          sessions.idle                   | 9s             | 10s to 720h
          sessions.idle                   | 10500ms        | whole seconds
          sessions.absolute               | 29m            | 30m to 720h
          sessions.absolute               | 7200500ms      | whole seconds
          sessions.per-user               | 0              | 1 to 10000
          sessions.when-too-many          | panic          | one of end-oldest, refuse
          sessions.freshness              | fresh          | one of local, bounded, strict
          sessions.freshness-bound        | 399ms          | 400ms to 1m
          sessions.poll                   | 19ms           | 20ms to 10s
          sessions.acknowledge-within     | 99ms           | 100ms to 1m
          users.ldap.servers              | ldap           | one or more of host:port
          users.ldap.servers              | ldap:65536     | one or more of host:port
          login.hash                      | md5            | one of owasp, peers, paper
          login.threads                   | 257            | 0 to 256
          login.queue                     | -1             | 0 to 100000
          login.deadline                  | 60001ms           | 100ms to 1m
          login.user.failures             | 0              | 1 to 1000000
          login.user.longest              | 29s            | 30s to 24h
          login.strangers.failures        | 0              | 1 to 1000000
          login.address.first             | 0s             | 1s to 24h
          login.address.window            | 721h           | 1s to 720h
          login.attempts-per-second       | -1.0           | 0 to 1000000
          login.burst                     | 0              | 1 to 1000000
          tokens.sealing-keys             | /nowhere       | a file that this user can read
          tokens.algorithms               | HS256          | a list, each one of rs256, es256
          tokens.rotation                 | 48h            | 48h1m to 87840h
          tokens.overlap                  | 3s             | 4s to 720h
          tokens.wlcg-version             | 2.0            | 1.x
          tokens.access-lifetime          | 7h             | 1m to 6h
          tokens.allowed-origins          | "*"            | origins such as https://app.example.org
          tokens.second-factor-scopes     | storage.read   | scopes such as storage.modify:/production
          administration.group            | admins         | a group such as /site/admins
          administration.second-factor    | maybe          | true or false
          administration.first-password-file | gone         | a file that this user can read
          """)
  void valueThatIsNotAllowedIsRefusedInOneLine(String key, String value, String allowed) {
    Map<String, Object> properties = least();
    properties.put("staithe." + key, value);

    assertThat(refusal(properties))
        .contains("staithe." + key + " = \"")
        .contains(value)
        .endsWith("must be " + allowed);
  }

  @Test
  void grantsThatSayNothingOrNobodyAreRefused() {
    Map<String, Object> properties = least();
    properties.put("staithe.tokens.grants[0].to", "group:/x");
    assertThat(refusal(properties)).startsWith("staithe.tokens.grants[0].scopes = \"\": must be");

    properties.put("staithe.tokens.grants[0].scopes", "storage.read");
    assertThat(refusal(properties)).contains("user:NAME, group:/PATH or *, and a scope");

    properties.put("staithe.tokens.grants[0].scopes", "storage.read:/");
    properties.put("staithe.tokens.grants[0].to", "everybody");
    assertThat(refusal(properties)).contains("user:NAME, group:/PATH or *, and a scope");
  }

  @Test
  void directoryByTlsWithoutAuthoritiesIsRefused() {
    Map<String, Object> properties = least();
    properties.put("staithe.users.ldap.servers", "ldap.example:636");
    properties.put("staithe.users.ldap.base", "dc=example");
    assertThat(refusal(properties))
        .isEqualTo("staithe.users.ldap.trust = \"\": must be a file that this user can read");
  }

  @Test
  void readerOfADirectoryWithoutAPasswordIsRefused() {
    Map<String, Object> properties = least();
    properties.put("staithe.users.ldap.servers", "ldap.example:389");
    properties.put("staithe.users.ldap.security", "plain");
    properties.put("staithe.users.ldap.base", "dc=example");
    properties.put("staithe.users.ldap.reader-dn", "cn=reader,dc=example");
    assertThat(refusal(properties))
        .isEqualTo(
            "staithe.users.ldap.reader-password-file = \"\":"
                + " must be a file that this user can read");
  }

  @Test
  void keyThatDoesNotExistIsRefused() {
    Map<String, Object> properties = least();
    properties.put("staithe.sessions.timeout", "1h");
    assertThat(refusal(properties)).contains("staithe.sessions.timeout");
  }

  private static String refusal(Map<String, Object> properties) {
    Throwable failure =
        catchThrowable(() -> bound(new MapPropertySource("test", new LinkedHashMap<>(properties))));
    assertThat(failure).as("the binding of " + properties).isNotNull();
    String line = OneLineFailure.describe(failure);
    assertThat(line).as(failure.toString()).isNotNull().doesNotContain("\n", "Exception");
    return "" + line;
  }
}
