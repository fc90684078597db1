package dev.staithe.perf.result;

import dev.staithe.perf.peers.ShortProgram;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** What a reader has to know of the machine to judge figures made on it. */
public final class Machine {
  private Machine() {}

  /**
   * Facts in the order to be shown.
   *
   * @param repository the checkout that is measured
   * @param work where files are served from
   */
  public static Map<String, String> facts(Path repository, Path work) {
    var facts = new LinkedHashMap<String, String>();
    facts.put("processor", line("/proc/cpuinfo", text -> text.startsWith("model name")));
    facts.put("caches", caches());
    facts.put("cores", "" + Runtime.getRuntime().availableProcessors());
    facts.put("memory", line("/proc/meminfo", text -> text.startsWith("MemTotal")));
    facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("java", System.getProperty("java.vm.version"));
    facts.put("file system", fileSystem(work));
    facts.put("revision", said(repository, "git", "describe", "--always", "--dirty"));
    return facts;
  }

  /** Those of the first core, as {@code L1 Data 32K, L2 Unified 1024K}. */
  private static String caches() {
    try (Stream<Path> all = Files.list(Path.of("/sys/devices/system/cpu/cpu0/cache"))) {
      var caches = new ArrayList<String>();
      for (Path cache : all.filter(each -> Files.exists(each.resolve("size"))).sorted().toList()) {
        caches.add(
            "L%s %s %s"
                .formatted(
                    Files.readString(cache.resolve("level")).strip(),
                    Files.readString(cache.resolve("type")).strip(),
                    Files.readString(cache.resolve("size")).strip()));
      }
      return caches.isEmpty() ? "unknown" : String.join(", ", caches);
    } catch (IOException e) {
      return "unknown";
    }
  }

  private static String fileSystem(Path work) {
    try {
      return Files.getFileStore(work).type();
    } catch (IOException e) {
      return "unknown";
    }
  }

  private static String line(String file, Predicate<String> wanted) {
    try (Stream<String> lines = Files.lines(Path.of(file), StandardCharsets.ISO_8859_1)) {
      return lines
          .filter(wanted)
          .findFirst()
          .map(text -> text.substring(text.indexOf(':') + 1).strip())
          .orElse("unknown");
    } catch (IOException e) {
      return "unknown";
    }
  }

  private static String said(Path folder, String... command) {
    try {
      return ShortProgram.run(
          new ProcessBuilder(command).directory(folder.toFile()), said -> "unknown");
    } catch (IOException e) {
      return "unknown";
    }
  }
}
