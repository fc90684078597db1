package dev.staithe.peers.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ProgramTests {
  private static final Program NOWHERE = new Program("no-such-server", "some-package");

  @Test
  void aMissingProgramIsNamedWithThePackageThatHoldsIt() {
    assertThat(NOWHERE.readiness("-v"))
        .isEqualTo(
            new Readiness.Missing(
                "no-such-server is missing: install the Debian package some-package"));
    assertThatThrownBy(NOWHERE::path)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("some-package");
  }

  @Test
  void aProgramTellsItsVersionInOneLine() {
    assertThat(new Program("bash", "bash").readiness("--version"))
        .isInstanceOfSatisfying(
            Readiness.Ready.class,
            ready -> assertThat(ready.version()).contains("bash").doesNotContain("\n"));
  }
}
