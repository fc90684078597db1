package dev.staithe.authn.oauth;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.staithe.authn.clients.GrantRule;
import dev.staithe.authn.keys.KeyAlgorithm;
import dev.staithe.authn.keys.KeyPlan;
import dev.staithe.authn.keys.KeySeal;
import dev.staithe.authn.login.GuardSettings;
import dev.staithe.authn.login.LoginGuard;
import dev.staithe.authn.login.LoginSettings;
import dev.staithe.authn.login.Logins;
import dev.staithe.authn.login.OneTimeCodes;
import dev.staithe.authn.login.SecretBox;
import dev.staithe.authn.pages.PagesConfiguration;
import dev.staithe.authn.password.HashPool;
import dev.staithe.authn.password.HashProfile;
import dev.staithe.authn.password.PasswordHash;
import dev.staithe.authn.password.PooledHashing;
import dev.staithe.authn.persistence.MemorySessions;
import dev.staithe.authn.seal.TokenKey;
import dev.staithe.authn.seal.TokenKeys;
import dev.staithe.authn.session.FaultyStore;
import dev.staithe.authn.session.SessionEvents;
import dev.staithe.authn.session.SessionPolicy;
import dev.staithe.authn.session.Sessions;
import dev.staithe.authn.tokens.OauthSettings;
import dev.staithe.authn.users.AdministrationOutcome;
import dev.staithe.authn.users.Database;
import dev.staithe.authn.users.JdbcUsers;
import dev.staithe.authn.users.NewUser;
import dev.staithe.authn.users.SecondFactors;
import dev.staithe.authn.users.UserAdministration;
import dev.staithe.authn.users.UserDirectory;
import dev.staithe.authn.users.UserEnds;
import dev.staithe.authn.users.UsersUnavailable;
import dev.staithe.service.http.HttpServer;
import dev.staithe.service.log.AccessLog;
import dev.staithe.service.log.AuditLog;
import dev.staithe.service.properties.LimitsProperties;
import dev.staithe.service.properties.MetricsProperties;
import dev.staithe.service.properties.SharedProperties;
import dev.staithe.service.properties.TlsProperties;
import dev.staithe.testkit.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import javax.crypto.spec.SecretKeySpec;
import javax.sql.DataSource;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;

/** The service with its pages on a port of its own, and as many nodes of it as a test wants. */
public final class RunningAuthn implements AutoCloseable {
  /** Of everybody. */
  public static final String PASSWORD = "correct horse battery";

  private static final SecureRandom RANDOM = new SecureRandom();
  private static volatile RunningAuthn shared;

  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableAutoConfiguration(
      excludeName = {
        "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration",
        "org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration",
        "org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration",
        "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration"
      })
  @Import({OauthConfiguration.class, PagesConfiguration.class})
  static class Application {}

  private final OauthStore store = new OauthStore();
  private final Clock clock;
  private final Path auditFile;
  private final FaultyStore kept;
  private final TokenKeys keys = new TokenKeys(List.of(TokenKey.generate(RANDOM)));
  private final HashPool pool = new HashPool(1, 30);
  private final List<Node> nodes = new ArrayList<>();
  private final OneTimeCodes codes;
  private final OauthSettings settings;
  private final JdbcUsers users;
  private final UserEnds ends;
  private final UserAdministration administration;
  private final Logins logins;

  /** A node. */
  public record Node(int port, Sessions sessions, ConfigurableApplicationContext context) {
    /** An address of it. */
    public String url(String path) {
      return "http://127.0.0.1:" + port + path;
    }

    /** A part of it. */
    public <T> T part(Class<T> type) {
      return context.getBean(type);
    }
  }

  private RunningAuthn(Clock clock) {
    this.clock = clock;
    this.kept = new FaultyStore(new MemorySessions(clock));
    try {
      this.auditFile = Files.createTempDirectory("audit").resolve("audit.log");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Database database = new Database(store.source(), Duration.ofSeconds(10));
    SecondFactors factors = new SecondFactors(database);
    PasswordHash passwords = new PasswordHash(HashProfile.PAPER, RANDOM);
    users = new JdbcUsers(database);
    ends = new UserEnds(database);
    administration =
        new UserAdministration(
            database, users, factors, new PooledHashing(pool, passwords), clock, "");
    codes =
        new OneTimeCodes(
            factors,
            new SecretBox(List.of(new SecretKeySpec(new byte[32], "AES")), RANDOM),
            "tests",
            clock,
            RANDOM);
    GuardSettings guard = GuardSettings.DEFAULT;
    logins =
        new Logins(
            new UserDirectory(users, null, "", List.of()),
            passwords,
            pool,
            new LoginGuard(
                new GuardSettings(guard.user(), guard.strangers(), guard.address(), 0, 1),
                database,
                clock),
            codes,
            LoginSettings.DEFAULT,
            event -> {});
    for (String name : List.of("alice", "bob", "carol")) {
      NewUser user =
          new NewUser(
              name,
              name.substring(0, 1).toUpperCase() + name.substring(1) + " Example",
              name + "@example.org",
              name.equals("alice")
                  ? Set.of("/physics", "/physics/analysis", "/physics/production")
                  : Set.of("/guests"),
              true);
      if (!(administration.create(user, PASSWORD.getBytes(UTF_8))
          instanceof AdministrationOutcome.Done)) {
        throw new AssertionError("no user " + name);
      }
    }
    int port = FreePort.next();
    OauthSettings defaults = OauthSettings.of("http://127.0.0.1:" + port);
    settings =
        new OauthSettings(
            defaults.issuer(),
            defaults.codeLifetime(),
            defaults.deviceLifetime(),
            new KeyPlan(
                Set.of(KeyAlgorithm.ES256),
                Duration.ofDays(90),
                Duration.ofDays(2),
                Duration.ofDays(2)),
            List.of(
                GrantRule.of("group:/physics storage.read:/physics"),
                GrantRule.of("group:/physics compute.create"),
                GrantRule.of("* storage.modify:/home/{user}")),
            List.of("storage.modify:/home/alice/vault"),
            defaults.wlcgVersion(),
            "https://storage.example.org",
            List.of("https://app.example.org"));
    addNode(port);
  }

  /** One that all tests of this virtual machine share; it ends with it. */
  public static synchronized RunningAuthn shared() {
    if (shared == null) {
      shared = new RunningAuthn(Clock.systemUTC());
    }
    return shared;
  }

  /** One for a test that breaks it. */
  public static RunningAuthn start() {
    return new RunningAuthn(Clock.systemUTC());
  }

  /** One that goes by that clock. */
  public static RunningAuthn start(Clock clock) {
    return new RunningAuthn(clock);
  }

  /** The audit log of the first node so far. */
  public String audit() {
    try {
      return Files.readString(auditFile);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Takes the stores of users and of grants away; that of sessions stays. */
  public void loseStores() {
    store.close();
  }

  /** The store of sessions, which does as a test says. */
  public FaultyStore kept() {
    return kept;
  }

  /** The first node. */
  public Node node() {
    return nodes.getFirst();
  }

  /** Starts one more on the same stores. */
  public Node anotherNode() {
    return addNode(FreePort.next());
  }

  /** Who that user is in tokens. */
  public String subject(String name) {
    try {
      return users.find(name).orElseThrow().subject();
    } catch (UsersUnavailable e) {
      throw new AssertionError(e);
    }
  }

  /** The second factors of the users. */
  public OneTimeCodes codes() {
    return codes;
  }

  /** What lies in the store. */
  public DataSource source() {
    return store.source();
  }

  /**
   * The services' own connector, for plain HTTP: Boot's closes a connection at once whose content
   * it refused, which takes the answer away from a client that is still sending.
   */
  private record Connector(LimitsProperties limits) implements SharedProperties {
    static HttpServer server() {
      Binder defaults = new Binder();
      return new HttpServer(
          new Connector(defaults.bindOrCreate("limits", LimitsProperties.class)),
          null,
          HttpServer.Front.of(UnaryOperator.identity()),
          (request, response) -> {});
    }

    @Override
    public TlsProperties tls() {
      throw new UnsupportedOperationException("plain HTTP");
    }

    @Override
    public AccessLog.Settings accessLog() {
      throw new UnsupportedOperationException("no access log");
    }

    @Override
    public MetricsProperties metrics() {
      throw new UnsupportedOperationException("no metrics");
    }
  }

  private Node addNode(int port) {
    Sessions sessions = new Sessions(kept, keys, SessionPolicy.DEFAULT, clock, SessionEvents.NONE);
    sessions.start();
    if (!sessions.catchUp(Duration.ofSeconds(10))) {
      throw new AssertionError("the sessions do not get ready");
    }
    ConfigurableApplicationContext context =
        new SpringApplicationBuilder(Application.class)
            .bannerMode(Banner.Mode.OFF)
            .registerShutdownHook(false)
            .initializers(
                start -> {
                  GenericApplicationContext beans = (GenericApplicationContext) start;
                  beans.registerBean("oauth", DataSource.class, store::source);
                  beans.registerBean(Clock.class, () -> clock);
                  beans.registerBean(KeySeal.class, KeySeal::none);
                  beans.registerBean(HttpServer.class, Connector::server);
                  // Of the first node alone: an application that starts forgets where others log
                  // to.
                  Path file = nodes.isEmpty() ? auditFile : null;
                  beans.registerBean(AuditLog.class, () -> auditLog(file, clock));
                  beans.registerBean(OauthSettings.class, () -> settings);
                  beans.registerBean(JdbcUsers.class, () -> users);
                  beans.registerBean(UserAdministration.class, () -> administration);
                  beans.registerBean(OneTimeCodes.class, () -> codes);
                  beans.registerBean(UserEnds.class, () -> ends);
                  beans.registerBean(Sessions.class, () -> sessions);
                  beans.registerBean(Logins.class, () -> logins);
                })
            .run(
                "--server.port=" + port,
                "--server.address=127.0.0.1",
                // Not all parts that have a say in health are here.
                "--management.endpoint.health.validate-group-membership=false");
    Node node = new Node(port, sessions, context);
    nodes.add(node);
    return node;
  }

  @Override
  public void close() {
    nodes.forEach(node -> node.context().close());
    pool.close();
    store.close();
  }

  private static AuditLog auditLog(Path file, Clock clock) {
    try {
      return new AuditLog(file, 1, clock);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
