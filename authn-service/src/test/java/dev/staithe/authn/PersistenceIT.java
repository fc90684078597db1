package dev.staithe.authn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.PostgresServer;
import dev.staithe.peers.RedisServer;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.FreePort;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The service with each of its stores, chosen by its settings alone. What each promises is proved
 * where the stores are tested.
 */
class PersistenceIT {
  @TempDir private static Path folder;
  private static PostgresServer primary;
  private static PostgresServer standby;
  private static RedisServer redis;
  private static RedisServer replica;
  private static final Map<String, AuthnProcess> NODES = new LinkedHashMap<>();

  @BeforeAll
  static void start() {
    primary = PostgresServer.start("max_connections = 200");
    for (String name : new String[] {"off", "best_effort", "assured_write", "assured_read"}) {
      primary.sql("create database " + name);
    }
    primary.sql("create database redis");
    standby = primary.standby("one");
    primary.set("synchronous_standby_names", "'FIRST 1 (one)'");
    redis = RedisServer.start("appendonly yes", "appendfsync everysec");
    replica = redis.replica("appendonly yes");
    begin("off", Map.of());
    begin("best-effort", Map.of());
    begin("assured-write", Map.of());
    begin("assured-read", Map.of("staithe.sessions.read-url", url(standby, "assured_read")));
    begin(
        "redis",
        Map.of(
            "staithe.sessions.store", "redis",
            "staithe.sessions.persistence", "assured-write",
            "staithe.sessions.redis.host", "127.0.0.1",
            "staithe.sessions.redis.port", redis.port(),
            "staithe.sessions.redis.password-file", redis.passwordFile()));
  }

  private static String url(PostgresServer server, String database) {
    return server.url().replaceFirst("/[^/]*$", "/" + database);
  }

  private static void begin(String name, Map<String, Object> extra) {
    Map<String, Object> properties = new HashMap<>(Cluster.of(primary));
    properties.put("staithe.database.url", url(primary, name.replace('-', '_')));
    properties.put("staithe.sessions.persistence", name);
    properties.putAll(extra);
    NODES.put(name, AuthnProcess.begin(folder.resolve(name), FreePort.next(), properties));
  }

  @AfterAll
  static void stop() {
    NODES.values().forEach(AuthnProcess::close);
    replica.close();
    redis.close();
    standby.close();
    primary.close();
  }

  private static String sessionOf(String name) {
    AuthnProcess node = NODES.get(name).awaitUp();
    return node.rest().login("admin", node.administratorPassword());
  }

  /** Begins a session, uses, lists and ends it. */
  private static void works(String name) {
    String token = sessionOf(name);
    AuthnProcess node = NODES.get(name);
    String said = node.log();
    assertThat(said).contains("sessions in " + (name.equals("redis") ? "redis" : "database"));
    assertThat(RestClient.json(node.rest().validate(token, "strict")).path("valid").asBoolean())
        .isTrue();
    // A record may be written a moment after its login was answered.
    Eventually.holds(
        "it is listed",
        () -> node.rest().as(token, "GET", "json/sessions", "").body().contains("\"level\":1"));
    assertThat(node.rest().logout(token).statusCode()).isEqualTo(200);
    assertThat(RestClient.json(node.rest().validate(token, "strict")).path("valid").asBoolean(true))
        .isFalse();
  }

  @Test
  void off() {
    works("off");
    assertThat(NODES.get("off").log()).contains("sessions in database, off");
  }

  @Test
  void bestEffort() {
    works("best-effort");
    assertThat(NODES.get("best-effort").log()).contains("sessions in database, best-effort");
  }

  @Test
  void assuredRead() {
    works("assured-read");
    assertThat(NODES.get("assured-read").log()).contains("sessions in database, assured-read");
  }

  @Test
  void redisWithAReplica() {
    works("redis");
  }

  @Test
  void assuredWriteThatIsNotAcknowledgedGivesNoTokenAndHoldsTheLogoutAsPending() {
    works("assured-write");
    AuthnProcess node = NODES.get("assured-write");
    String token = sessionOf("assured-write");
    standby.pause();
    try {
      assertThat(node.rest().attempt("admin", node.administratorPassword()).statusCode())
          .isEqualTo(503);
      assertThat(node.rest().logout(token).statusCode()).isEqualTo(202);
      assertThat(node.rest().isGood(token)).isFalse();
    } finally {
      standby.resume();
    }
    Eventually.holds(
        "logins again",
        () -> node.rest().attempt("admin", node.administratorPassword()).statusCode() == 200);
  }
}
