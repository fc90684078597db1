package dev.staithe.http;

import dev.staithe.testkit.Fuzzing;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Lets Jazzer look for an answer that is read in two ways, for a moment; for longer with {@code
 * -Dfuzz.seconds=…}. What it finds is printed, and kept in {@code target/fuzz}.
 */
class ParserFuzzIT {
  @TempDir Path folder;

  @Test
  void jazzerFindsNoAnswerThatIsReadInTwoWays() throws Exception {
    ParserFuzzer.seed(folder.resolve("corpus"));
    Fuzzing.run(ParserFuzzer.class, "512m", "dev.staithe.http.**", 6000, folder);
  }
}
