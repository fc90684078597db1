package dev.staithe.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.ProcessTree;
import dev.staithe.peers.process.Until;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresServerIT {
  @Test
  void aStandbyFollowsAndTakesOverWhenItsPrimaryIsKilled() {
    try (PostgresServer primary = PostgresServer.start();
        PostgresServer standby = primary.standby("one")) {
      primary.sql("create table cargo (name text); insert into cargo values ('tin')");
      // Asked of a table that is always there: what follows has no other yet.
      Until.holds(
          "the standby has it",
          () ->
              standby.sql("select count(*) from pg_class where relname = 'cargo'").equals("1")
                  && standby.sql("table cargo").equals("tin"));

      primary.kill();
      standby.promote();

      standby.sql("insert into cargo values ('salt')");
      assertThat(standby.sql("select name from cargo order by name")).isEqualTo("salt\ntin");

      primary.restart();

      assertThat(primary.sql("table cargo")).isEqualTo("tin");
    }
  }

  @Test
  void aPausedStandbyGetsNothingUntilItGoesOn() {
    try (PostgresServer primary = PostgresServer.start();
        PostgresServer standby = primary.standby("one")) {
      primary.set("synchronous_standby_names", "'one'");
      standby.pause();
      primary.sql("set synchronous_commit = local; create table cargo (name text)");
      assertThat(primary.sql("select count(*) from pg_stat_replication")).isEqualTo("1");

      standby.resume();

      Until.holds(
          "the standby has it",
          () -> standby.sql("select count(*) from pg_class where relname = 'cargo'").equals("1"));
    }
  }

  @Test
  void closingWhenThePostmasterWasKilledAloneLeavesNoProcess() {
    List<ProcessHandle> all;
    try (PostgresServer server = PostgresServer.start()) {
      all = server.processes();
      assertThat(all).as("the postmaster and its helpers").hasSizeGreaterThan(3);
      // Paused ones never notice that their parent is gone: they would stay for ever.
      server.pause();

      ProcessHandle.of(server.postmaster()).orElseThrow().destroyForcibly();
      ProcessHandle.of(server.postmaster()).ifPresent(each -> each.onExit().join());

      assertThat(server.processes()).as("orphans").isNotEmpty();
    }
    assertThat(all).noneMatch(each -> ProcessTree.runs(each.pid()));
  }

  @Test
  void killingEndsSessionsThatAreAtWorkToo() {
    try (PostgresServer server = PostgresServer.start()) {
      CompletableFuture<Void> busy =
          CompletableFuture.runAsync(
              () ->
                  // And not by the end of its patience.
                  assertThatThrownBy(() -> server.sql("select pg_sleep(600)"))
                      .isInstanceOf(AssertionError.class));
      Until.holds(
          "it is at work",
          () ->
              server
                  .sql("select count(*) from pg_stat_activity where query = 'select pg_sleep(600)'")
                  .equals("1"));

      server.kill();

      busy.join();
      assertThat(server.processes()).isEmpty();
    }
  }

  @Test
  void virtualMachineThatEndsWithoutClosingLeavesNoProcess(@TempDir Path folder) throws Exception {
    Path pids = folder.resolve("pids");
    ManagedProcess machine =
        ManagedProcess.start(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Forgetful.class.getName(),
                pids.toString()),
            Map.of(),
            folder.resolve("log"));

    assertThat(machine.awaitEnd(Duration.ofMinutes(2))).as(machine.output()).isZero();
    machine.close();

    assertThat(Files.readAllLines(pids))
        .hasSizeGreaterThan(3)
        .noneMatch(pid -> ProcessTree.runs(Long.parseLong(pid)));
  }

  /** Starts a server, pauses it, and ends. */
  static final class Forgetful {
    public static void main(String[] args) throws IOException {
      PostgresServer server = PostgresServer.start();
      Files.write(
          Path.of(args[0]),
          server.processes().stream().map(each -> Long.toString(each.pid())).toList());
      server.pause();
      System.exit(0);
    }
  }
}
