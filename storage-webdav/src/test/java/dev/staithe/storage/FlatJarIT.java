package dev.staithe.storage;

import dev.staithe.testkit.FlatJarContract;
import java.nio.file.Path;

final class FlatJarIT implements FlatJarContract {
  @Override
  public Path jar() {
    return StorageProcess.JAR;
  }
}
