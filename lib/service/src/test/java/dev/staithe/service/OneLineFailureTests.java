package dev.staithe.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

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
                org.assertj.core.api.Assertions.catchThrowable(
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
}
