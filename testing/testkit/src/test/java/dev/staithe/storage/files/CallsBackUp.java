package dev.staithe.storage.files;

import dev.staithe.storage.dav.OpensFiles;
import java.nio.file.Path;

/** Breaks a rule on purpose. */
public final class CallsBackUp {
  private CallsBackUp() {}

  public static boolean exists(Path path) {
    return OpensFiles.exists(path);
  }
}
