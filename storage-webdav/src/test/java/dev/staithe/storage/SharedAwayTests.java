package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.clients.Curl;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A shared area, of which what its nodes share is away for a moment. */
final class SharedAwayTests {
  @TempDir private Path folder;

  private static Curl.Response pull(RunningStorage storage, HeldSource source) {
    return storage
        .curl("/data/new")
        .method("COPY")
        .token(storage.token())
        .header("Source", source.url("/f"))
        .header("Credential", "none")
        .header("RequireChecksumVerification", "false")
        .run();
  }

  @Test
  void copyThatCannotGetItsNameThenSaysWhy() throws Exception {
    try (RunningStorage storage =
            RunningStorage.beside(
                RunningStorage.shared(), folder, Map.of("staithe.areas[0].shared", true));
        HeldSource source = new HeldSource(storage.authority(), 1000, true);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Curl.Response> pull = threads.submit(() -> pull(storage, source));
      Eventually.holds("half of it is there", () -> source.begun() == 1);
      Path nodes = storage.data().resolve(".staithe/shared/nodes");
      Path away = folder.resolve("away");
      Files.move(nodes, away);
      source.release();
      assertThat(pull.get().text())
          .contains("what the nodes of the storage area share is away")
          .doesNotContain("see request");
      Files.move(away, nodes);
    }
  }
}
