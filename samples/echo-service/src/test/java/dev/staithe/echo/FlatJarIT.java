package dev.staithe.echo;

import dev.staithe.testkit.rules.FlatJarContract;
import java.nio.file.Path;

final class FlatJarIT implements FlatJarContract {
  @Override
  public Path jar() {
    return Path.of("target/echo-service.jar");
  }
}
