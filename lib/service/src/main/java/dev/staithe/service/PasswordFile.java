package dev.staithe.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A password that stands in the first line of a file, so that it may be changed meanwhile. */
public final class PasswordFile {
  private PasswordFile() {}

  /**
   * The password; empty where there is no file.
   *
   * @throws IOException also where it is no text in UTF-8
   */
  public static Optional<String> read(Optional<Path> file) throws IOException {
    if (file.isEmpty()) {
      return Optional.empty();
    }
    try (var lines = Files.lines(file.get())) {
      return lines.findFirst();
    } catch (UncheckedIOException e) {
      throw new IOException(file.get() + " cannot be read as UTF-8", e);
    }
  }
}
