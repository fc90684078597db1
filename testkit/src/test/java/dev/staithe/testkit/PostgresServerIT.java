package dev.staithe.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PostgresServerIT {
  @Test
  void aStandbyFollowsAndTakesOverWhenItsPrimaryIsKilled() {
    try (PostgresServer primary = PostgresServer.start();
        PostgresServer standby = primary.standby("one")) {
      primary.sql("create table cargo (name text); insert into cargo values ('tin')");
      Eventually.holds("the standby has it", () -> standby.sql("table cargo").equals("tin"));

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

      Eventually.holds(
          "the standby has it",
          () -> standby.sql("select count(*) from pg_class where relname = 'cargo'").equals("1"));
    }
  }
}
