package dev.staithe.delegation;

import dev.staithe.testkit.rules.FlatJarContract;
import java.nio.file.Path;

final class FlatJarIT implements FlatJarContract {
  @Override
  public Path jar() {
    return Path.of("target/delegation-service.jar");
  }
}
