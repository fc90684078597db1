package dev.staithe.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** A key that there is not stops the start wherever it stands. */
class KnownKeysTests {
  private static final String AT_TOP =
      "access-log, areas, hosts, http2, limits, metrics, proxy, tls, trust";

  @TempDir private Path folder;

  private static void look(PropertySource<?> source) {
    StandardEnvironment environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(source);
    new KnownKeys().postProcessEnvironment(environment, new SpringApplication());
  }

  private static String said(PropertySource<?> source) {
    Throwable failure = catchThrowable(() -> look(source));
    assertThat(failure).as("the start").isNotNull();
    return String.valueOf(OneLineFailure.describe(failure));
  }

  private static PropertySource<?> variable(String name) {
    return new SystemEnvironmentPropertySource("systemEnvironment", Map.of(name, "hidden"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "STAITHE_TRUST",
        "STAITHE_AREAS_0_ROOT",
        "STAITHE_AREAS_12_ACCESSPOINTS",
        "STAITHE_AREAS_0_ACCESS_POINTS_1",
        "STAITHE_AREAS_0_GRANTS_1_GROUPS_2",
        "STAITHE_ACCESS_LOG_FILE",
        "STAITHE_ACCESSLOG_FILE",
        "STAITHE_HOSTS",
        "STAITHE_HOSTS_3",
        "STAITHELIKE",
        "PATH"
      })
  void variableThatIsAKeyOrNoneOfOursIsFine(String name) {
    assertThatCode(() -> look(variable(name))).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "STAITHE_TRUSTED, STAITHE_TRUST",
    "STAITHE_AREAS_0_ROOOT, STAITHE_AREAS_0_ROOT",
    "STAITHE_AREA_7_ROOT, STAITHE_AREAS_0_ROOT",
    "STAITHE_LIMITS_CONNECTION, STAITHE_LIMITS_CONNECTIONS",
    "STAITHE_AREAS_0_ACCESS_POINT, STAITHE_AREAS_0_ACCESS_POINTS",
    "staithe_trusts, STAITHE_TRUST",
    "STAITHE_TLS, STAITHE_TRUST"
  })
  void variableThatIsNoKeyIsNamedWithTheNearestAndWithoutItsValue(String name, String nearest) {
    assertThat(said(variable(name)))
        .isEqualTo(
            "the environment variable " + name + " is not known; the nearest that is: " + nearest);
  }

  @Test
  void variablesThatAreFineReallyCount() {
    SystemEnvironmentPropertySource variables =
        new SystemEnvironmentPropertySource(
            "systemEnvironment",
            Map.of(
                "STAITHE_TLS_ENABLED", "false",
                "STAITHE_AREAS_0_NAME", "a",
                "STAITHE_AREAS_0_ROOT", folder.toString(),
                "STAITHE_AREAS_0_ACCESS_POINTS", "/x",
                "STAITHE_LIMITS_HEADTIMEOUT", "7s"));
    SampleProperties properties =
        new Binder(ConfigurationPropertySources.from(variables))
            .bind("staithe", SampleProperties.class)
            .get();
    assertThat(properties.areas().getFirst().accessPoints()).containsExactly("/x");
    assertThat(properties.limits().headTimeout().toSeconds()).isEqualTo(7);
  }

  @Test
  void argumentThatIsNoKeyIsNamedWithThoseThatAre() {
    assertThat(said(new SimpleCommandLinePropertySource("--staithe.speed=fast")))
        .isEqualTo("staithe.speed = \"fast\": is not known; allowed at this place: " + AT_TOP);
    assertThat(said(new SimpleCommandLinePropertySource("--staithe.speed.of.light=1")))
        .isEqualTo(
            "staithe.speed.of.light = \"1\": is not known; allowed at this place: " + AT_TOP);
    assertThat(said(new SimpleCommandLinePropertySource("--staithe.trust.x=1")))
        .isEqualTo("staithe.trust.x = \"1\": is not known; allowed at this place: nothing");
  }

  @Test
  void valueOfAKeyThatIsGuessedForASecretIsNotShown() {
    assertThat(said(new SimpleCommandLinePropertySource("--staithe.tls.keyPassword=hunter2")))
        .startsWith("staithe.tls.keypassword: is not known; allowed at this place: certificate, ");
  }

  @Test
  void systemPropertyThatIsNoKeyIsNamed() {
    assertThat(said(new MapPropertySource("systemProperties", Map.of("staithe.tls.keys", "k"))))
        .startsWith("staithe.tls.keys = \"k\": is not known; allowed at this place: certificate, ");
  }

  @Test
  void oneValueWhereAGroupBelongsIsNamed() {
    assertThat(said(new SimpleCommandLinePropertySource("--staithe.tls=foo")))
        .isEqualTo(
            "staithe.tls = \"foo\": must be a group of keys: certificate, check-interval, enabled,"
                + " key, provider");
    assertThat(said(new SimpleCommandLinePropertySource("--staithe=foo")))
        .isEqualTo("staithe = \"foo\": must be a group of keys: " + AT_TOP);
    assertThat(said(new SimpleCommandLinePropertySource("--staithe.areas[0]=foo")))
        .startsWith("staithe.areas[0] = \"foo\": must be a group of keys: access-points, ");
  }

  @Test
  void severalAreAllNamedInOneLine() {
    assertThat(
            said(
                new SimpleCommandLinePropertySource("--staithe.speed=1", "--staithe.proxy.fast=1")))
        .contains("staithe.speed = ", "; ", "staithe.proxy.fast = ")
        .doesNotContain("\n");
  }

  @Test
  void anyWayOfWritingAKeyIsFine() {
    assertThatCode(
            () ->
                look(
                    new SimpleCommandLinePropertySource(
                        "--staithe.accessLog.file=x",
                        "--staithe.access-log.enabled=true",
                        "--staithe.areas[0].access_points[1]=/x",
                        "--staithelike.x=1",
                        "--staithe-development.folder=x")))
        .doesNotThrowAnyException();
  }

  /** What a start says to a file with that text. */
  private @Nullable String start(String yaml) throws IOException {
    Path file = Files.writeString(folder.resolve("site.yml"), yaml);
    Throwable failure =
        catchThrowable(
            () ->
                new SpringApplicationBuilder(SampleApplication.class)
                    .run("--spring.config.additional-location=file:" + file)
                    .close());
    assertThat(failure).as("the start").isNotNull();
    return OneLineFailure.describe(failure);
  }

  @Test
  void unknownKeyWithAnEmptyMapIsNamedThoughItLeavesNoProperty() throws IOException {
    assertThat(start("staithe:\n  foo: {}\n"))
        .isEqualTo("staithe.foo = \"{}\": is not known; allowed at this place: " + AT_TOP);
    assertThat(start("staithe:\n  areas:\n    - name: a\n      grant: {}\n"))
        .startsWith("staithe.areas[0].grant = \"{}\": is not known; allowed at this place: access");
    assertThat(start("a: 1\n---\nstaithe.proxy.fast: {}\n"))
        .startsWith("staithe.proxy.fast = \"{}\": is not known; allowed at this place: trusted");
    assertThat(start("staithe:\n  trust: {}\n"))
        .isEqualTo("staithe.trust = \"{}\": must be one value and no group of keys");
  }

  @Test
  void knownGroupMayBeEmpty() throws IOException {
    assertThat(start("other: {}\nstaithe:\n  proxy: {}\n  limits: {connections: 0}\n"))
        .isEqualTo("staithe.limits.connections = \"0\": must be 1 to 100000");
  }
}
