package dev.staithe.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Trials;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
    int seconds = Integer.getInteger("fuzz.seconds", 6);
    Path corpus = folder.resolve("corpus");
    ParserFuzzer.seed(corpus);
    Path found = Files.createDirectories(Path.of("target", "fuzz").toAbsolutePath());
    Path log = folder.resolve("log");

    Process jazzer =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    "-XX:+EnableDynamicAgentLoading",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "--enable-native-access=ALL-UNNAMED",
                    "-Xmx512m",
                    "com.code_intelligence.jazzer.Jazzer",
                    "--target_class=" + ParserFuzzer.class.getName(),
                    "--instrumentation_includes=dev.staithe.http.**",
                    "--reproducer_path=" + found,
                    "-artifact_prefix=" + found + File.separator,
                    "-max_total_time=" + seconds,
                    "-max_len=6000",
                    "-timeout=60",
                    corpus.toString()))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      assertThat(jazzer.waitFor(seconds + 300L, TimeUnit.SECONDS)).isTrue();
    } finally {
      jazzer.destroyForcibly();
    }

    String said = Files.readString(log);
    assertThat(jazzer.exitValue()).as(said).isZero();
    Matcher runs = Pattern.compile("Done (\\d+) runs").matcher(said);
    assertThat(runs.find()).as(said).isTrue();
    Trials.held(Long.parseLong(runs.group(1)));
  }
}
