package dev.staithe.storage.tape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.storage.exchange.Areas;
import dev.staithe.storage.files.AreaState;
import dev.staithe.storage.files.LineLog;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.state.StateFolder;
import dev.staithe.storage.state.Sync;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left of a request that is refused. */
final class StageRequestsTests {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final TapeSettings SETTINGS =
      new TapeSettings("TEST", List.of("/bin/false"), 1, 1, 10, 10, 10, HOUR, HOUR, HOUR, HOUR);

  /** A file system that takes what it has no room for, and says so at the sync. */
  private record LateQuota(List<String> lines) implements AreaState, LineLog {
    @Override
    public Optional<String> read(String name) {
      return Optional.of(String.join("\n", lines));
    }

    @Override
    public void write(String name, String text) {
      throw new UnsupportedOperationException("a log only");
    }

    @Override
    public LineLog log(String name, List<String> begin) {
      rewrite(begin);
      return this;
    }

    @Override
    public Optional<LineLog> shared(String name) {
      return Optional.empty();
    }

    @Override
    public News news() {
      return News.NONE;
    }

    @Override
    public Turn turn() {
      return () -> {};
    }

    @Override
    public long add(String line) {
      lines.add(line);
      return lines.size();
    }

    @Override
    public void await(long line) throws IOException {
      throw new IOException("Disk quota exceeded");
    }

    @Override
    public void rewrite(List<String> anew) {
      List<String> copy = List.copyOf(anew);
      lines.clear();
      lines.addAll(copy);
    }

    @Override
    public void close() {}
  }

  /** Who was told that it failed asks again; the first would hold its files for nobody. */
  @Test
  void requestThatCouldNotBeKeptIsForgotten() throws IOException {
    var folder = new LateQuota(new ArrayList<>());
    var files = new TapeFiles(new Areas(List.of()));
    try (var requests =
        new StageRequests(SETTINGS, new MassStorage(SETTINGS), files, folder, Clock.systemUTC())) {
      var file = new StageFile("/data/file", 0, HOUR);

      assertThatThrownBy(
              () -> requests.submit("ada", Map.of(file, Optional.of("there is no such file"))))
          .hasMessage("Disk quota exceeded");
    }

    try (var kept = new StageLog(folder)) {
      assertThat(kept.found()).as("what a restart goes on with").isEmpty();
    }
  }

  /** As a process leaves it that is killed while it writes a long line. */
  @Test
  void requestWhoseLineEndsInTheMiddleOfALetterIsLeftOut(@TempDir Path state) throws IOException {
    var folder = new StateFolder(state, Sync.NONE);
    try (var before = new StageLog(folder)) {
      var file = new StageFile("/data/Zoë", 0, HOUR);
      before.add(new StageRequest("1", "ada", Instant.now(), List.of(file)));
    }
    byte[] line = "{\"id\":\"2\",\"caller\":\"Zoë".getBytes(StandardCharsets.UTF_8);
    Files.write(
        state.resolve("stage-requests"),
        Arrays.copyOf(line, line.length - 1),
        StandardOpenOption.APPEND);

    try (var after = new StageLog(folder)) {
      assertThat(after.found()).extracting(StageRequest::id).containsExactly("1");
    }
  }

  /** Else nobody would ever tell the mass storage that it may let the file go. */
  @Test
  void fileThatIsHeldStaysSoWhereItsAreaCannotBeLookedAtAfterARestart() throws IOException {
    var folder = new LateQuota(new ArrayList<>());
    var file = new StageFile("/data/file", 0, HOUR);
    file.subject = new RecallQueue.Subject("data", StoragePath.of("/file"));
    file.state = StageFile.State.COMPLETED;
    Instant now = Instant.now();
    file.finished = now;
    try (var before = new StageLog(folder)) {
      before.add(new StageRequest("1", "ada", now, List.of(file)));
    }

    var files = new TapeFiles(new Areas(List.of()));
    try (var requests =
        new StageRequests(SETTINGS, new MassStorage(SETTINGS), files, folder, Clock.systemUTC())) {
      assertThat(requests.pinned()).isEqualTo(1);
    }
  }
}
