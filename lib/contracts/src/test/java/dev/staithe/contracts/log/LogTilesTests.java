package dev.staithe.contracts.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.contracts.signature.Hash;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether another's log goes on from what it was, by nothing but its served tiles. */
class LogTilesTests {
  @TempDir private Path folder;

  private static byte[] entry(int number) {
    return Hash.of(ByteBuffer.allocate(4).putInt(number).array());
  }

  private static boolean goesOn(TileLog log, Checkpoint before) throws IOException {
    Checkpoint now = log.checkpoint();
    return new LogTiles(
            now.size(), path -> log.served(path).orElseThrow(() -> new IOException("no " + path)))
        .goesOnFrom(before, now);
  }

  @Test
  void logThatGrowsGoesOnAndOneThatWasForkedOrCutDoesNot() throws Exception {
    LogKey key = LogKey.readOrMake(folder.resolve("log.key"), "p.example/.staithe/log");
    TileLog log = TileLog.open(folder.resolve("log"), key);
    TileLog fork = TileLog.open(folder.resolve("fork"), key);
    Checkpoint empty = log.checkpoint();
    Checkpoint before = empty;
    Checkpoint atHundred = empty;
    int[] looks = {1, 2, 3, 100, 255, 256, 257, 700};
    int size = 0;
    for (int look : looks) {
      for (; size < look; size++) {
        log.append(entry(size));
        fork.append(entry(size < 50 ? size : -size));
      }
      assertThat(goesOn(log, before)).as("from " + before.size() + " to " + look).isTrue();
      before = log.checkpoint();
      atHundred = look == 100 ? before : atHundred;
    }
    assertThat(goesOn(log, empty)).isTrue();
    assertThat(goesOn(log, atHundred)).isTrue();
    assertThat(goesOn(fork, atHundred)).as("forked").isFalse();
    assertThat(goesOn(fork, before)).as("forked, of the same size").isFalse();
    TileLog cut = TileLog.open(folder.resolve("cut"), key);
    for (int i = 0; i < 60; i++) {
      cut.append(entry(i));
    }
    assertThat(goesOn(cut, atHundred)).as("cut").isFalse();
  }
}
