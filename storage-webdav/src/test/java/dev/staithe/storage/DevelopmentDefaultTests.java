package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.service.start.Development;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;

/** The development default exists only where nothing at all is configured. */
class DevelopmentDefaultTests {
  @TempDir private Path folder;

  private ConfigurableEnvironment applied(PropertySource<?> given) {
    StandardEnvironment environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(given);
    DevelopmentDefault.apply(environment, Clock.systemUTC(), folder.resolve("staithe-data"));
    return environment;
  }

  private void isNotMade(PropertySource<?> given) {
    ConfigurableEnvironment environment = applied(given);
    assertThat(environment.getProperty(Development.MARK)).isNull();
    assertThat(environment.getProperty("staithe.areas[0].name")).isNull();
    assertThat(folder.resolve("staithe-data")).doesNotExist();
  }

  @Test
  void argumentIsAConfiguration() {
    isNotMade(new SimpleCommandLinePropertySource("--staithe.limits.connections=5"));
    isNotMade(new SimpleCommandLinePropertySource("--staithe.no-such-thing=5"));
  }

  @Test
  void environmentVariableIsAConfiguration() {
    isNotMade(environment(Map.of("STAITHE_TRUST", "/x")));
    isNotMade(environment(Map.of("STAITHE_AREAS_0_NAME", "x")));
  }

  private static PropertySource<?> environment(Map<String, Object> variables) {
    return new SystemEnvironmentPropertySource(
        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables);
  }

  @Test
  void fileIsAConfiguration() throws Exception {
    byte[] yaml = "staithe:\n  tls:\n    enabled: false\n".getBytes(StandardCharsets.UTF_8);
    isNotMade(new YamlPropertySourceLoader().load("file", new ByteArrayResource(yaml)).getFirst());
  }

  @Test
  void systemPropertyIsAConfiguration() {
    isNotMade(new MapPropertySource("systemProperties", Map.of("staithe.hosts", "a:1")));
  }

  @Test
  void withNothingConfiguredAllIsMadeInOneFolderForItsOwnerOnly() throws Exception {
    ConfigurableEnvironment environment =
        applied(environment(Map.of("STAITHELIKE", "x", "PATH", "/bin")));
    Path made = folder.resolve("staithe-data");
    assertThat(environment.getProperty(Development.MARK)).isEqualTo(made.toString());
    assertThat(environment.getProperty("server.address")).isEqualTo("127.0.0.1");
    assertThat(Files.getPosixFilePermissions(made))
        .isEqualTo(java.nio.file.attribute.PosixFilePermissions.fromString("rwx------"));
    for (String key : new String[] {"ca-key.pem", "host-key.pem"}) {
      assertThat(Files.getPosixFilePermissions(made.resolve(key)))
          .as(key)
          .isEqualTo(java.nio.file.attribute.PosixFilePermissions.fromString("rw-------"));
    }
    String first = Files.readString(made.resolve("ca.pem"));
    applied(environment(Map.of()));
    assertThat(made.resolve("ca.pem")).as("a second start").hasContent(first);
  }

  @Test
  void addressThatIsGivenIsRespected() {
    ConfigurableEnvironment environment =
        applied(new SimpleCommandLinePropertySource("--server.address=::1"));
    assertThat(environment.getProperty("server.address")).isEqualTo("::1");
    assertThat(environment.getProperty("staithe.areas[0].name")).isEqualTo("data");
  }
}
