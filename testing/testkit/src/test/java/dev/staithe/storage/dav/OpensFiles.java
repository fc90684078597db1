package dev.staithe.storage.dav;

import java.nio.file.Files;
import java.nio.file.Path;

/** Breaks a rule on purpose. */
public final class OpensFiles {
  private OpensFiles() {}

  public static boolean exists(Path path) {
    return Files.exists(path);
  }
}
