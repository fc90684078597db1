package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.rules.FlatJarContract;
import java.io.IOException;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;

final class FlatJarIT implements FlatJarContract {
  @Override
  public Path jar() {
    return StorageProcess.JAR;
  }

  /** The client of delegation has handlers for stacks that a storage element does not have. */
  @Test
  void stacksOfSoapAreNotInIt() throws IOException {
    try (JarFile jar = new JarFile(jar().toFile())) {
      assertThat(jar.stream().map(JarEntry::getName))
          .noneMatch(name -> name.startsWith("org/springframework/ws/"))
          .anyMatch(name -> name.startsWith("dev/staithe/delegation/client/"));
    }
  }

  /**
   * Spring Security verifies tokens as a library: there is no filter that Boot could put before.
   */
  @Test
  void filtersOfSpringSecurityAreNotInIt() throws IOException {
    try (JarFile jar = new JarFile(jar().toFile())) {
      assertThat(jar.stream().map(JarEntry::getName))
          .noneMatch(name -> name.startsWith("org/springframework/security/web/"))
          .noneMatch(name -> name.startsWith("org/springframework/security/config/"))
          .noneMatch(name -> name.startsWith("org/springframework/boot/security/"))
          .anyMatch(name -> name.startsWith("org/springframework/security/oauth2/jwt/"));
    }
  }
}
