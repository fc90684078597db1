package dev.staithe.authn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.PostgresServer;
import dev.staithe.peers.RedisServer;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Printed;
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
  private static final Map<String, RunningAuthn> NODES = new LinkedHashMap<>();
  private static final Map<String, String> SAID = new LinkedHashMap<>();

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
    try (Printed printed = Printed.listen()) {
      NODES.put(name, RunningAuthn.start(folder.resolve(name), properties).user("ada"));
      SAID.put(name, printed.text());
    }
  }

  @AfterAll
  static void stop() {
    NODES.values().forEach(RunningAuthn::close);
    replica.close();
    redis.close();
    standby.close();
    primary.close();
  }

  /** Begins a session, uses, lists and ends it. */
  private static void works(String name) {
    RunningAuthn node = NODES.get(name);
    String token = node.login("ada");
    assertThat(SAID.get(name))
        .contains("sessions in " + (name.equals("redis") ? "redis" : "database"));
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
    assertThat(SAID.get("off")).contains("sessions in database, off");
  }

  @Test
  void bestEffort() {
    works("best-effort");
    assertThat(SAID.get("best-effort")).contains("sessions in database, best-effort");
  }

  @Test
  void assuredRead() {
    works("assured-read");
    assertThat(SAID.get("assured-read")).contains("sessions in database, assured-read");
  }

  @Test
  void redisWithAReplica() {
    works("redis");
  }

  @Test
  void assuredWriteThatIsNotAcknowledgedGivesNoTokenAndHoldsTheLogoutAsPending() {
    works("assured-write");
    RunningAuthn node = NODES.get("assured-write");
    String token = node.login("ada");
    standby.pause();
    try {
      assertThat(node.rest().attempt("ada", RunningAuthn.PASSWORD).statusCode()).isEqualTo(503);
      assertThat(node.rest().logout(token).statusCode()).isEqualTo(202);
      assertThat(node.rest().isGood(token)).isFalse();
    } finally {
      standby.resume();
    }
    Eventually.holds(
        "logins again",
        () -> node.rest().attempt("ada", RunningAuthn.PASSWORD).statusCode() == 200);
  }
}
