package dev.staithe.authn;

import dev.staithe.storage.dav.OpensFiles;
import java.nio.file.Path;

/** Breaks a rule on purpose. */
public final class AsksStorage {
  private AsksStorage() {}

  public static boolean exists(Path path) {
    return OpensFiles.exists(path);
  }
}
