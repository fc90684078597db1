package dev.staithe.perf.harness.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.staithe.peers.process.Core;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CoresTests {
  @Test
  void onOneCoreNothingIsPinnedAndTheReportSaysWhatThatMeans() {
    Cores cores = Cores.of(1, true);

    assertThat(cores.server().list()).isEmpty();
    assertThat(cores.client().list()).isEmpty();
    assertThat(cores.all().list()).isEmpty();
    assertThat(cores.remarks()).hasSize(1).first().asString().contains("one core");
  }

  @Test
  void withoutTasksetNothingIsPinnedAndTheReportSaysWhatIsMissing() {
    Cores cores = Cores.of(8, false);

    assertThat(cores.server().list()).isEmpty();
    assertThat(cores.remarks()).hasSize(1).first().asString().contains("taskset");
  }

  @Test
  void serverAndDriverHaveDifferentCores() {
    Cores cores = Cores.of(2, true);

    assertThat(cores.server().list()).isNotEmpty().isNotEqualTo(cores.client().list());
    assertThat(cores.all().list()).isEqualTo("0,1");
    assertThat(cores.remarks()).isEmpty();
  }

  /** As a server that fell while it was warmed up: what comes after it is measured nevertheless. */
  @Test
  void aProcessThatHasEndedIsPassedOver() throws Exception {
    Process ended = new ProcessBuilder("true").start();
    ended.waitFor();
    var cores = new Cores(new Core("0"), new Core("0"), List.of());

    assertThatCode(() -> cores.move(Set.of(ended.pid()), cores.server()))
        .doesNotThrowAnyException();
  }
}
