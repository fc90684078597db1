package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A mass storage in miniature: shell scripts, and a folder that stands for its tapes. */
final class TapeShelf {
  private static final Path COMMAND =
      Path.of("src/test/resources/mass-storage.sh").toAbsolutePath();

  private final Path tapes;

  TapeShelf(Path tapes) throws IOException {
    this.tapes = Files.createDirectories(tapes);
    Files.createDirectories(tapes.resolve("fault"));
    Files.createFile(tapes.resolve("log"));
  }

  /** Forgets what went wrong, and what happened. */
  void reset() throws IOException {
    try (var faults = Files.list(tapes.resolve("fault"))) {
      for (Path fault : faults.toList()) {
        Files.delete(fault);
      }
    }
    Files.deleteIfExists(tapes.resolve("go"));
    Files.writeString(tapes.resolve("log"), "");
  }

  /** The settings of a storage element whose area {@code data} is on these tapes. */
  Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("staithe.tape.areas", "data");
    settings.put("staithe.tape.command[0]", "/bin/sh");
    settings.put("staithe.tape.command[1]", COMMAND);
    settings.put("staithe.tape.command[2]", tapes);
    settings.put("staithe.tape.site-name", "TEST-SITE");
    return settings;
  }

  /** Copies a file to tape, and takes its content from the disk. */
  void migrate(Path file) {
    try {
      Process process =
          new ProcessBuilder(
                  List.of(
                      "/bin/sh", COMMAND.toString(), tapes.toString(), "migrate", file.toString()))
              .inheritIO()
              .start();
      assertThat(process.waitFor()).isZero();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** What goes wrong with a file of that name, or with {@code all}. */
  void fault(String name, String what) throws IOException {
    Files.writeString(tapes.resolve("fault").resolve(name), what);
  }

  /** Lets the slow ones go on. */
  void go() throws IOException {
    Files.writeString(tapes.resolve("go"), "");
  }

  /** How often that has happened, such as {@code recall begin}, to a file of that name. */
  long count(String what, String name) {
    try (var lines = Files.lines(tapes.resolve("log"))) {
      return lines.filter(line -> line.startsWith(what) && line.endsWith("/" + name)).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What has happened, in its order. */
  List<String> log() throws IOException {
    return Files.readAllLines(tapes.resolve("log"));
  }
}
