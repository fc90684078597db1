package dev.staithe.service;

import dev.staithe.storage.dav.OpensFiles;
import java.nio.file.Path;

/** Breaks a rule on purpose. */
public final class KnowsStorage {
  private KnowsStorage() {}

  public static boolean exists(Path path) {
    return OpensFiles.exists(path);
  }
}
