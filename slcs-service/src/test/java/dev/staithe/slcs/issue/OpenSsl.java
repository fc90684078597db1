package dev.staithe.slcs.issue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Makes requests as a user does, and judges what comes back. */
public final class OpenSsl {
  private final Path folder;
  private int last;

  public OpenSsl(Path folder) {
    this.folder = folder;
  }

  /** What a command said, both streams together. */
  public record Said(int exit, String text) {}

  public Said run(String... arguments) {
    var line = new ArrayList<>(List.of("openssl"));
    line.addAll(List.of(arguments));
    return program(line.toArray(String[]::new));
  }

  /** Runs another program in the folder. */
  public Said program(String... line) {
    try {
      Process process =
          new ProcessBuilder(line).directory(folder.toFile()).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError(line[0] + " does not end");
      }
      return new Said(process.exitValue(), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** A request with a new P-256 key, and that key beside it. */
  public Path request() {
    return request("ec", "ec_paramgen_curve:P-256");
  }

  /** A request with a new key of that kind. */
  public Path request(String kind, String option, String... more) {
    String name = "request" + ++last;
    var arguments =
        new ArrayList<>(
            List.of(
                "req",
                "-new",
                "-newkey",
                kind,
                "-pkeyopt",
                option,
                "-nodes",
                "-subj",
                "/CN=whatever",
                "-keyout",
                name + ".key",
                "-out",
                name + ".pem"));
    arguments.addAll(List.of(more));
    Said said = run(arguments.toArray(String[]::new));
    if (said.exit() != 0) {
      throw new AssertionError(said.text());
    }
    return folder.resolve(name + ".pem");
  }

  /** A file in the folder. */
  public Path file(String name, String text) {
    try {
      return Files.writeString(folder.resolve(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What is in a file. */
  public static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
