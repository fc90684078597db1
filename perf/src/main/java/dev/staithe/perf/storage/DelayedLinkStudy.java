package dev.staithe.perf.storage;

import dev.staithe.peers.process.Leash;
import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.result.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/**
 * One file in one stream or in four over a link with a delay. It needs a network of its own, so
 * that a second process of this program carries it out: {@link DelayedLinkTrial}.
 */
final class DelayedLinkStudy {
  static final String ID = "stripes";

  /** The name of the hidden subcommand. */
  static final String COMMAND = "delayed-link";

  private final Bench bench;

  DelayedLinkStudy(Bench bench) {
    this.bench = bench;
  }

  /**
   * Waits for the other process and takes its results over.
   *
   * @throws IOException in one line, where it found nothing
   */
  void run() throws IOException {
    bench.progress().line(DelayedLinkTrial.TITLE);
    Path folder = bench.files().newFolder("delayed-link");
    Path found = folder.resolve("results.json");
    Path log = folder.resolve("output");
    var command = new ArrayList<>(List.of("unshare", "--net"));
    if (!"root".equals(System.getProperty("user.name"))) {
      command.add("--map-root-user");
    }
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            System.getProperty("perf.command"),
            COMMAND,
            "--repository=" + bench.site().repository(),
            "--work=" + folder.resolve("work"),
            "--form=" + bench.form(),
            "--out=" + found));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    // Closed, it waits until the process has ended its servers, whose folders are in ours.
    try (var _ = Leash.on(process)) {
      if (process.waitFor() != 0) {
        throw new IOException("no network of its own: " + lastLine(log));
      }
      bench.merge(JsonMapper.shared().readValue(found, Results.class));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static String lastLine(Path log) throws IOException {
    List<String> lines = Files.readAllLines(log);
    return lines.isEmpty() ? "it said nothing" : lines.getLast();
  }
}
