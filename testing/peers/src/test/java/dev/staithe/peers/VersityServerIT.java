package dev.staithe.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ProcessTree;
import dev.staithe.peers.process.Readiness;
import dev.staithe.peers.process.Until;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class VersityServerIT {
  @Test
  void oneThatIsMeasuredCountsItsRequestsAndLeavesNothing(@TempDir Path temporary)
      throws Exception {
    assertThat(VersityServer.readiness())
        .isInstanceOfSatisfying(
            Readiness.Ready.class,
            ready -> assertThat(ready.version()).matches("Versity gateway [0-9.]+"));
    Path folder = Files.createDirectory(temporary.resolve("engine"));
    long process;
    try (VersityServer server = VersityServer.measured(folder, Core.ANY, "one", "two");
        HttpClient client = HttpClient.newHttpClient()) {
      process = server.pid();
      assertThat(server.dataFolder().resolve("two")).isDirectory();
      assertThat(server.requests()).isZero();
      URI bucket = server.endpoint().resolve("/one");
      for (int i = 1; i <= 3; i++) {
        // Refused, as nobody signed it, and counted all the same.
        client.send(HttpRequest.newBuilder(bucket).build(), HttpResponse.BodyHandlers.discarding());
        long expected = i;
        Until.holds("a request is counted", () -> counts(server, expected));
      }
    }
    assertThat(ProcessTree.runs(process)).isFalse();
    assertThat(folder).doesNotExist();
  }

  private static boolean counts(VersityServer server, long expected) {
    try {
      return server.requests() == expected;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
