package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** The development default is gone once anything is configured; its tokens are minted by hand. */
class DevelopmentDefaultTests {
  @TempDir Path folder;

  private static StandardEnvironment environment() {
    return new StandardEnvironment();
  }

  @Test
  void oneSettingOfAnyKindEndsTheDevelopmentDefault() {
    StandardEnvironment byArgument = environment();
    byArgument
        .getPropertySources()
        .addFirst(new MapPropertySource("arguments", Map.of("staithe.access-log.enabled", "true")));
    DevelopmentDefault.apply(byArgument, Clock.systemUTC());
    assertThat(byArgument.containsProperty(DevelopmentDefault.MARK)).isFalse();
    assertThat(byArgument.containsProperty("staithe.areas[0].name")).isFalse();

    StandardEnvironment byVariable = environment();
    byVariable
        .getPropertySources()
        .addFirst(
            new SystemEnvironmentPropertySource(
                "variables-systemEnvironment", Map.of("STAITHE_AREAS_0_NAME", "data")));
    DevelopmentDefault.apply(byVariable, Clock.systemUTC());
    assertThat(byVariable.containsProperty(DevelopmentDefault.MARK)).isFalse();
    assertThat(Files.exists(DevelopmentDefault.FOLDER)).isFalse();
  }

  private record Ran(int code, String out, String err) {}

  private Ran token(String... arguments) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    String[] all = new String[arguments.length + 3];
    all[0] = "token";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    all[arguments.length + 1] = "--folder";
    all[arguments.length + 2] = folder.toString();
    int code =
        TokenCommand.run(
            all,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Clock.systemUTC());
    return new Ran(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  @Test
  void tokenStandsAloneOnItsLine() {
    Ran ran = token("--scope", "storage.read:/");
    assertThat(ran.code()).isZero();
    assertThat(ran.out().strip()).matches("[\\w-]+\\.[\\w-]+\\.[\\w-]+");
    assertThat(ran.err()).isEmpty();
  }

  @Test
  void wrongArgumentsAreNamed() {
    assertThat(token("--scopes", "x").err()).contains("unknown option --scopes", "usage:");
    assertThat(token("--scope", "read everything").err()).contains("is no storage scope");
    assertThat(token("--lifetime", "1h").err()).contains("a duration such as PT1H");
    assertThat(token("--lifetime", "P30D").err()).contains("at most P1D");
    assertThat(token("--lifetime", "P30D").code()).isEqualTo(2);
    assertThat(token("--scopes", "x").out()).isEmpty();
  }
}
