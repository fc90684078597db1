package dev.staithe.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.web.server.PortInUseException;

/** What is said about a start that fails. */
class OneLineFailureTests {
  private static String said(Throwable failure) {
    PrintStream usual = System.err;
    ByteArrayOutputStream heard = new ByteArrayOutputStream();
    System.setErr(new PrintStream(heard, true, StandardCharsets.UTF_8));
    try {
      assertThat(new OneLineFailure(null).reportException(failure)).isTrue();
    } finally {
      System.setErr(usual);
    }
    return heard.toString(StandardCharsets.UTF_8);
  }

  @Test
  void lineBeginsWithTheNameOfTheServiceWhoseJarItIs() {
    assertThat(said(new OneLineFailure.NotStarted("staithe.x = \"y\": must be z", null)))
        .isEqualTo(
            "sample-service did not start: staithe.x = \"y\": must be z" + System.lineSeparator());
  }

  @Test
  void stepThatFailsIsNamedByItsKey() {
    assertThat(
            OneLineFailure.describe(
                catchThrowable(
                    () ->
                        OneLineFailure.started(
                            "staithe.tls",
                            () -> {
                              throw new IllegalArgumentException("no key");
                            }))))
        .isEqualTo("staithe.tls: no key");
  }

  @Test
  void checkThatFailsIsNamedBelowTheRoot() {
    assertThat(
            OneLineFailure.describe(
                new RuntimeException(
                    new Settings.InvalidSetting("hosts", List.of("x"), "host:port"))))
        .isEqualTo("staithe.hosts = \"[x]\": must be host:port");
  }

  @Test
  void failureThatIsNotOfConfigurationIsLeftToTheLog() {
    assertThat(OneLineFailure.describe(new IllegalStateException("a mistake of ours"))).isNull();
  }

  @Test
  void whatIsWrittenWrongStaysSoAndWhatIsNotThereMayCome() {
    assertThat(OneLineFailure.isLasting(new Settings.InvalidSetting("hosts", "x", "host:port")))
        .isTrue();
    assertThat(OneLineFailure.isLasting(new OneLineFailure.WrongConfiguration("no YAML", null)))
        .isTrue();
    Throwable missing =
        catchThrowable(() -> Settings.requireFile(Path.of("/none"), "tls.certificate"));
    assertThat(OneLineFailure.isLasting(new RuntimeException(missing))).isFalse();
    Throwable notNamed = catchThrowable(() -> Settings.requireFile(null, "tls.certificate"));
    assertThat(OneLineFailure.isLasting(new RuntimeException(notNamed))).isTrue();
    notNamed = catchThrowable(() -> Settings.requireFolder(Path.of(""), "areas[0].root"));
    assertThat(OneLineFailure.isLasting(new RuntimeException(notNamed))).isTrue();
    assertThat(OneLineFailure.isLasting(new RuntimeException(new PortInUseException(1)))).isFalse();
    assertThat(OneLineFailure.isLasting(new OneLineFailure.NotStarted("no database", null)))
        .isFalse();
    assertThat(OneLineFailure.isLasting(new IllegalStateException("a mistake of ours"))).isFalse();
  }
}
