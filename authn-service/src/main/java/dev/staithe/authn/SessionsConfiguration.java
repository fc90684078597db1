package dev.staithe.authn;

import static dev.staithe.service.OneLineFailure.started;

import dev.staithe.authn.keys.StoreSecrets;
import dev.staithe.authn.login.LoginGuard;
import dev.staithe.authn.persistence.MemorySessions;
import dev.staithe.authn.persistence.PersistenceModel;
import dev.staithe.authn.persistence.SessionStore;
import dev.staithe.authn.seal.TokenKeys;
import dev.staithe.authn.session.Freshness;
import dev.staithe.authn.session.SessionPolicy;
import dev.staithe.authn.session.Sessions;
import dev.staithe.authn.store.SessionStores;
import dev.staithe.authn.store.StoreSettings;
import dev.staithe.database.Databases;
import dev.staithe.service.certificates.ClientTrust;
import dev.staithe.service.log.AuditLog;
import dev.staithe.service.process.Chores;
import dev.staithe.tls.ClientTls;
import dev.staithe.tls.TlsProvider;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLSocketFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Sessions: their keys, their store, and how they are. */
@Configuration(proxyBeanMethods = false)
final class SessionsConfiguration {
  private static final Duration PAUSE = Duration.ofMinutes(10);

  @Bean
  ClusterKeys clusterKeys(StoreSecrets secrets, AuthnProperties properties, Clock clock) {
    return started(
        "staithe.database",
        () -> new ClusterKeys(secrets, properties.sessions().absolute(), clock));
  }

  @Bean
  TokenKeys tokenKeys(ClusterKeys keys) {
    return keys.keys();
  }

  @Bean
  Chores chores(ClusterKeys keys, LoginGuard guard) {
    var chores = new Chores("chores");
    chores.every(PAUSE, "reading the keys of session tokens", keys::refresh);
    chores.every(PAUSE, "deleting failures that are forgiven", guard::deleteOld);
    return chores;
  }

  @Bean
  SessionStore sessionStore(
      AuthnProperties properties, Databases databases, TlsProvider provider, Clock clock) {
    SessionsProperties sessions = properties.sessions();
    if (sessions.store() == SessionsProperties.Store.REDIS) {
      return started("staithe.sessions", () -> redis(sessions, provider, clock));
    }
    Databases.Place place = databases.place(sessions.database());
    if (sessions.persistence() == PersistenceModel.OFF && place.url().startsWith("jdbc:h2:")) {
      return new MemorySessions(clock);
    }
    return started(
        "staithe.sessions",
        () ->
            SessionStores.open(
                new StoreSettings.Relational(
                    sessions.persistence(),
                    place.url(),
                    place.user(),
                    Optional.ofNullable(place.passwordFile()),
                    Optional.ofNullable(sessions.readUrl())),
                clock));
  }

  private static SessionStore redis(
      SessionsProperties sessions, TlsProvider provider, Clock clock) {
    SessionsProperties.Redis redis = sessions.redis();
    Optional<SSLSocketFactory> tls = Optional.empty();
    if (redis.tls()) {
      ClientTls trust =
          ClientTrust.open(
              "staithe.sessions.redis.trust",
              redis.trust(),
              Duration.ofMinutes(1),
              provider,
              clock);
      tls = Optional.of(trust.context().getSocketFactory());
    }
    return SessionStores.open(
        new StoreSettings.Redis(
            sessions.persistence(),
            redis.host(),
            redis.port(),
            Optional.ofNullable(redis.user()),
            Optional.ofNullable(redis.passwordFile()),
            tls),
        clock);
  }

  @Bean
  Sessions sessions(
      SessionStore store, TokenKeys keys, AuthnProperties properties, AuditLog audit, Clock clock) {
    SessionsProperties p = properties.sessions();
    var policy =
        new SessionPolicy(
            p.idle(),
            p.absolute(),
            p.perUser(),
            SessionPolicy.OnLimit.valueOf(p.whenTooMany().name()),
            p.freshnessBound(),
            p.poll(),
            p.acknowledgeWithin());
    var sessions =
        new Sessions(
            store,
            keys,
            policy,
            clock,
            (event, subject, session, outcome) ->
                audit
                    .line(event, outcome)
                    .with("subject", subject)
                    .with("session", session)
                    .write());
    sessions.start();
    return sessions;
  }

  /**
   * Whether a load balancer should send requests here, which ADR 0017 decides. It asks no store, so
   * that a store that hangs does not hang the probe.
   */
  @Bean
  HealthIndicator trafficHealthIndicator(Sessions sessions, AuthnProperties properties) {
    SessionsProperties p = properties.sessions();
    double bound = p.freshnessBound().toMillis() / 1e3;
    boolean leaves = p.persistence().assured() && p.freshness() != Freshness.LOCAL;
    return () -> {
      boolean behind = sessions.lagSeconds() > bound;
      return (!sessions.ready() || behind && leaves
              ? Health.outOfService()
              : behind ? Health.status("DEGRADED") : Health.up())
          .build();
    };
  }

  /** Down until the log of ended sessions was read once; what is amiss later is a detail. */
  @Bean
  HealthIndicator sessionsHealthIndicator(
      Sessions sessions, SessionStore store, AuthnProperties properties) {
    return () -> {
      double bound = properties.sessions().freshnessBound().toMillis() / 1e3;
      double lag = sessions.lagSeconds();
      Optional<String> trouble = store.trouble();
      Health.Builder health =
          !sessions.ready()
              ? Health.outOfService()
              : trouble.isPresent() || lag > bound ? Health.status("DEGRADED") : Health.up();
      health.withDetail("lagSeconds", lag).withDetail("pendingEnds", sessions.pendingEnds());
      trouble.ifPresent(line -> health.withDetail("trouble", line));
      return health.build();
    };
  }
}
