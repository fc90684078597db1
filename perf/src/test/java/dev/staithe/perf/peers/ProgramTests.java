package dev.staithe.perf.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramTests {
  private static final Program NOWHERE = new Program("no-such-server", "some-package");

  @Test
  void aMissingProgramIsNamedWithThePackageThatHoldsIt() {
    assertThat(NOWHERE.readiness("-v"))
        .isEqualTo(
            new Readiness.Missing(
                "no-such-server is missing: install the Debian package some-package"));
    assertThatThrownBy(NOWHERE::path)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("some-package");
  }

  @Test
  void aProgramTellsItsVersionInOneLine() {
    assertThat(new Program("bash", "bash").readiness("--version"))
        .isInstanceOfSatisfying(
            Readiness.Ready.class,
            ready -> assertThat(ready.version()).contains("bash").doesNotContain("\n"));
  }

  @Test
  void aJarThatIsNotBuiltIsMissingWithItsRemedy(@TempDir Path repository) {
    for (Peer peer :
        new Peer[] {
          new StaithePeer(repository, StaithePeer.Variant.CONSCRYPT),
          new DevelopmentStaithePeer(repository),
          new EmptyBootPeer(repository)
        }) {
      assertThat(peer.readiness())
          .as(peer.name())
          .isInstanceOfSatisfying(
              Readiness.Missing.class,
              missing -> assertThat(missing.reason()).contains(".jar is not built: run "));
    }
  }
}
