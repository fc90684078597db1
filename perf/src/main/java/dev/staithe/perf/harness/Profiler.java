package dev.staithe.perf.harness;

import dev.staithe.perf.harness.cpu.ProfileReader;
import dev.staithe.perf.peers.ShortProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Finds out where one of our servers spends its CPU time, by the flight recorder of its own Java
 * runtime: samples by CPU time (JEP 509), so that native calls are seen as well. Profiled work is
 * never measured work. Not thread-safe.
 */
final class Profiler {
  /** So much CPU time between two samples. */
  private static final String SETTINGS =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <configuration version="2.0">
        <event name="jdk.CPUTimeSample">
          <setting name="enabled">true</setting>
          <setting name="throttle">1ms</setting>
        </event>
      </configuration>
      """;

  /** Enough samples for a picture. */
  private static final double CPU_SECONDS = 2;

  private static final int MOST_PIECES = 20;

  private final Path folder;
  private int recordings;

  Profiler(Path folder) {
    this.folder = folder;
  }

  /**
   * Profiles a server under the load of a contestant.
   *
   * @param process the server's
   * @param point where on the axes
   * @return empty where the runtime cannot be asked
   */
  Map<String, Long> profile(Contestant load, long process, Map<String, String> point)
      throws IOException {
    Path settings = folder.resolve("profile.jfc");
    Path recording = folder.resolve("profile-" + ++recordings + ".jfr");
    Files.writeString(settings, SETTINGS);
    // Requests go through a hundred frames of Jetty, Spring and filters before any work of ours.
    ask(process, "JFR.configure", "stackdepth=512");
    if (!ask(process, "JFR.start", "name=perf", "settings=" + settings, "filename=" + recording)) {
      return Map.of();
    }
    double began = load.servers().getAsDouble();
    for (int i = 0; i < MOST_PIECES && load.servers().getAsDouble() - began < CPU_SECONDS; i++) {
      load.work().run(point);
      load.after().run();
    }
    return ask(process, "JFR.stop", "name=perf") && Files.exists(recording)
        ? ProfileReader.read(recording)
        : Map.of();
  }

  private static boolean ask(long process, String command, String... arguments) {
    var whole =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                "" + process,
                command));
    whole.addAll(List.of(arguments));
    try {
      return !ShortProgram.run(new ProcessBuilder(whole), said -> said).contains("Exception");
    } catch (IOException refused) {
      return false;
    }
  }
}
