package dev.staithe.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.process.Until;
import org.junit.jupiter.api.Test;

class RedisServerIT {
  @Test
  void aReplicaFollowsAndTakesOverWhenItsPrimaryIsKilled() {
    try (RedisServer primary = RedisServer.start();
        RedisServer replica = primary.replica()) {
      primary.command("SET", "cargo", "tin");
      Until.holds("the replica has it", () -> replica.command("GET", "cargo").equals("tin"));

      primary.kill();
      replica.promote();

      assertThat(replica.command("SET", "cargo", "salt")).isEqualTo("OK");
      primary.restart();
      assertThat(primary.command("GET", "cargo")).as("nothing is kept unless told so").isEmpty();
    }
  }
}
