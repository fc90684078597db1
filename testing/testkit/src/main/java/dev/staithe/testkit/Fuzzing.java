package dev.staithe.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lets Jazzer try what comes to it, in a process of its own: for a moment, for longer with {@code
 * -Dfuzz.seconds=…}. What it finds is printed, and kept in {@code target/fuzz}.
 */
public final class Fuzzing {
  private Fuzzing() {}

  /**
   * Holds where it finds nothing, and says how often it tried.
   *
   * @param heap of the process, as {@code 512m}
   * @param instrumented the packages whose branches it looks for, between colons
   * @param longest input in bytes
   * @param folder for it alone, with what it begins with in {@code corpus}
   */
  public static void run(
      Class<?> fuzzer, String heap, String instrumented, int longest, Path folder)
      throws IOException, InterruptedException {
    int seconds = Integer.getInteger("fuzz.seconds", 6);
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
                    "-Xmx" + heap,
                    "com.code_intelligence.jazzer.Jazzer",
                    "--target_class=" + fuzzer.getName(),
                    "--instrumentation_includes=" + instrumented,
                    "--reproducer_path=" + found,
                    "-artifact_prefix=" + found + File.separator,
                    "-max_total_time=" + seconds,
                    "-max_len=" + longest,
                    "-timeout=60",
                    folder.resolve("corpus").toString()))
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
