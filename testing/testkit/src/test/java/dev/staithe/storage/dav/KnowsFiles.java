package dev.staithe.storage.dav;

import dev.staithe.storage.files.CallsBackUp;
import java.nio.file.Path;

/** Closes a cycle on purpose. */
public final class KnowsFiles {
  private KnowsFiles() {}

  public static boolean exists(Path path) {
    return CallsBackUp.exists(path);
  }
}
