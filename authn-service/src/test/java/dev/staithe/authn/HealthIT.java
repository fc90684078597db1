package dev.staithe.authn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.PostgresServer;
import dev.staithe.testkit.Eventually;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What supervisors and load balancers are told while the session store is away (ADR 0017). */
final class HealthIT {
  @TempDir private static Path folder;
  private static PostgresServer primary;
  private static PostgresServer standby;
  private static RunningAuthn bestEffort;
  private static RunningAuthn assured;
  private static RunningAuthn assuredButLocal;

  @BeforeAll
  static void start() {
    primary = PostgresServer.start("max_connections = 200");
    for (String name : new String[] {"best_effort", "assured", "assured_local"}) {
      primary.sql("create database " + name);
    }
    standby = primary.standby("one");
    primary.set("synchronous_standby_names", "'FIRST 1 (one)'");
    bestEffort = node("best_effort", "best-effort", "bounded");
    assured = node("assured", "assured-write", "bounded");
    assuredButLocal = node("assured_local", "assured-write", "local");
  }

  private static RunningAuthn node(String database, String model, String freshness) {
    Map<String, Object> properties = new LinkedHashMap<>(Cluster.of(primary));
    properties.put("staithe.database.url", primary.url().replaceFirst("/[^/]*$", "/" + database));
    properties.put("staithe.sessions.persistence", model);
    properties.put("staithe.sessions.freshness", freshness);
    properties.put("staithe.metrics.allow-from", "192.0.2.1"); // we are strangers
    return RunningAuthn.start(folder.resolve(database), properties).user("ada");
  }

  @AfterAll
  static void stop() {
    bestEffort.close();
    assured.close();
    assuredButLocal.close();
    standby.close();
    primary.close();
  }

  private static String says(RunningAuthn node, String probe) {
    HttpResponse<String> answer = node.rest().get(".staithe/health/" + probe);
    return answer.statusCode() + " " + answer.body();
  }

  private static void becomes(RunningAuthn node, String probe, String expected) {
    Eventually.holds(probe + " says " + expected, () -> says(node, probe).equals(expected));
  }

  @Test
  void storeThatHangsOrIsGoneMovesReadinessByTheModelAndLivenessNever() {
    String token = bestEffort.login("ada");
    withoutStore(token, primary::pause, primary::resume);
    withoutStore(token, primary::kill, primary::restart);
  }

  private static void withoutStore(String token, Runnable down, Runnable up) {
    for (RunningAuthn each : new RunningAuthn[] {bestEffort, assured, assuredButLocal}) {
      becomes(each, "readiness", "200 {\"status\":\"UP\"}");
    }
    down.run();
    try {
      becomes(bestEffort, "readiness", "200 {\"status\":\"DEGRADED\"}");
      becomes(assuredButLocal, "readiness", "200 {\"status\":\"DEGRADED\"}");
      becomes(assured, "readiness", "503 {\"status\":\"OUT_OF_SERVICE\"}");
      for (RunningAuthn each : new RunningAuthn[] {bestEffort, assured, assuredButLocal}) {
        assertThat(says(each, "liveness")).isEqualTo("200 {\"status\":\"UP\"}");
      }
      assertThat(bestEffort.rest().validate(token, "local").body())
          .as("what the node is kept for")
          .contains("\"valid\":true")
          .contains("\"stale\":true");
    } finally {
      up.run();
    }
    becomes(bestEffort, "readiness", "200 {\"status\":\"UP\"}");
    becomes(assured, "readiness", "200 {\"status\":\"UP\"}");
  }

  @Test
  void standbyThatIsMissingStopsLoginsAndTakesNoNodeAway() {
    String token = assured.login("ada");
    standby.pause();
    try {
      assertThat(assured.rest().attempt("ada", RunningAuthn.PASSWORD).statusCode()).isEqualTo(503);

      assertThat(says(assured, "readiness")).isEqualTo("200 {\"status\":\"UP\"}");
      assertThat(assured.isGood(token)).isTrue();
    } finally {
      standby.resume();
    }
    Eventually.holds(
        "logins again",
        () -> assured.rest().attempt("ada", RunningAuthn.PASSWORD).statusCode() == 200);
  }

  @Test
  void strangersSeeNoDetails() {
    assertThat(bestEffort.rest().get(".staithe/health").body()).doesNotContain("lagSeconds");
    assertThat(bestEffort.rest().get(".staithe/health/readiness/traffic").statusCode())
        .isEqualTo(403);
  }
}
