package dev.staithe.authn;

import dev.staithe.testkit.rules.FlatJarContract;
import java.nio.file.Path;

final class FlatJarIT implements FlatJarContract {
  @Override
  public Path jar() {
    return AuthnProcess.JAR;
  }
}
