package dev.staithe.tls;

import dev.staithe.service.KnowsStorage;
import java.nio.file.Path;

/** Breaks a rule on purpose. */
public final class UsesServiceModule {
  private UsesServiceModule() {}

  public static boolean exists(Path path) {
    return KnowsStorage.exists(path);
  }
}
