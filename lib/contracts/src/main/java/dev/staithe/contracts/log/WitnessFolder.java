package dev.staithe.contracts.log;

import dev.staithe.pki.AtomicFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What was seen last of the logs of others, and the evidence against those that are not what they
 * were, as files that an operator can read, give away, and take away. Thread-safe, for one writer.
 *
 * @param folder of the files
 */
public record WitnessFolder(Path folder) {
  private static final String SEEN = ".checkpoint";
  private static final String EVIDENCE = ".inconsistent";

  /** The log's key in a line, and its checkpoint; empty where none was seen. */
  public Optional<String> seen(String host) throws IOException {
    return read(host + SEEN);
  }

  /** Why the log is distrusted in a line, and both notes; empty where it is not. */
  public Optional<String> evidence(String host) throws IOException {
    return read(host + EVIDENCE);
  }

  private Optional<String> read(String name) throws IOException {
    Path file = folder.resolve(name);
    return Files.exists(file)
        ? Optional.of(Files.readString(file, StandardCharsets.UTF_8))
        : Optional.empty();
  }

  /** Keeps what was seen, in place of what was seen before. */
  public void keepSeen(String host, String text) throws IOException {
    write(host + SEEN, text);
  }

  /** Keeps evidence. */
  public void keepEvidence(String host, String text) throws IOException {
    write(host + EVIDENCE, text);
  }

  private void write(String name, String text) throws IOException {
    Files.createDirectories(folder);
    AtomicFile.write(folder.resolve(name), text.getBytes(StandardCharsets.UTF_8), "rw-r--r--");
  }
}
