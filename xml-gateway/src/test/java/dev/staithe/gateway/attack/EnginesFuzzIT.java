package dev.staithe.gateway.attack;

import dev.staithe.testkit.Fuzzing;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Lets Jazzer look for a message on which the engines differ, for a moment; for longer with {@code
 * -Dfuzz.seconds=…}. What it finds is printed, and kept in {@code target/fuzz}.
 */
class EnginesFuzzIT {
  @TempDir Path folder;

  @Test
  void jazzerFindsNoMessageOnWhichEnginesDiffer() throws Exception {
    EnginesFuzzer.seed(folder.resolve("corpus"));
    Fuzzing.run(
        EnginesFuzzer.class,
        "768m",
        "dev.staithe.wss.**:dev.staithe.xml.**:dev.staithe.gateway.wss.**",
        20000,
        folder);
  }
}
