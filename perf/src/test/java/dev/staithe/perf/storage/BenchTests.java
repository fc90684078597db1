package dev.staithe.perf.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.Readiness;
import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Journal;
import dev.staithe.perf.harness.Plan;
import dev.staithe.perf.harness.Progress;
import dev.staithe.perf.harness.cpu.Cores;
import dev.staithe.perf.peers.Peer;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.peers.Site;
import dev.staithe.perf.result.Form;
import dev.staithe.perf.result.Results;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchTests {
  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();

  @TempDir Path folder;
  private Bench bench;

  @BeforeEach
  void open() throws IOException {
    bench =
        new Bench(
            Site.make(Path.of("..").toAbsolutePath(), folder.resolve("site")),
            folder.resolve("work"),
            Form.SMOKE,
            Cores.of(1, true),
            new Progress(new PrintStream(shown, true, StandardCharsets.UTF_8), false),
            Journal.none(new Journal.Head("storage", "smoke", Instant.EPOCH, Map.of())),
            Double.POSITIVE_INFINITY);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void aPeerThatDoesNotStartIsNamedWithItsReasonAndTheOthersGoOn() {
    try (var cast = new Cast(bench, List.of(new Broken("first"), new Broken("second")))) {
      assertThat(cast.server("first")).isEmpty();
      assertThat(cast.server("second")).isEmpty();

      assertThat(cast.server("first")).isEmpty();
      assertThat(bench.missing(List.of("first", "second", "third")))
          .containsExactly(
              "first: first ended with code 3: no licence",
              "second: second ended with code 3: no licence");
    }
    assertThat(bench.results("storage", true).parties())
        .extracting(Results.Party::name)
        .containsExactly("first", "second");
    assertThat(shown.toString(StandardCharsets.UTF_8))
        .contains("first takes no part: first ended with code 3: no licence");
  }

  @Test
  void onOneCoreTheResultsSaySo() {
    assertThat(bench.results("storage", false).remarks())
        .hasSize(1)
        .first()
        .asString()
        .contains("one core");
  }

  @Test
  void whatIsInterruptedIsNotComplete() {
    assertThat(bench.usable()).isTrue();
    bench.abandon();

    assertThat(bench.usable()).isFalse();
    assertThatThrownBy(() -> new StorageStudy(bench, new Plan(bench, "storage", Set.of())).run())
        .isInstanceOf(IOException.class)
        .hasMessage("interrupted");
    assertThat(bench.results("storage", false).parties()).as("nothing is started").isEmpty();
  }

  @Test
  void withoutItsLeanClientABenchIsOfNoUse() {
    bench.close();

    assertThat(bench.usable()).isFalse();
  }

  /** As a server whose program gives up. */
  private record Broken(String name) implements Peer {
    @Override
    public Readiness readiness() {
      return new Readiness.Ready("1.0");
    }

    @Override
    public RunningPeer start(Site site, Path folder, Core core) throws IOException {
      throw new IOException(name + " ended with code 3: no licence");
    }
  }
}
