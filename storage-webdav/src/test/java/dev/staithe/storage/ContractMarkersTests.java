package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Eventually;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What markers tell a client while a receipt is awaited that the test holds. */
@SuppressWarnings("try")
final class ContractMarkersTests {
  private static final Map<String, Object> OFTEN = Map.of("staithe.copy.marker-period", "100ms");

  @TempDir private Path folder;

  @Test
  void pullIsAcknowledgingWhileTheSenderHasNotTakenTheReceipt() throws Exception {
    try (ContractPair pair = new ContractPair(folder);
        LyingSender s = new LyingSender(pair);
        RunningStorage r = pair.startR(OFTEN)) {
      s.lie = LyingSender.Lie.HOLDS_RECEIPT;
      HttpRequest copy = copy(r, "/data/copy").header("Source", pair.atS("/data/file")).build();
      assertThat(lastWhenReleased(pair, copy, s.release)).contains("does not take the receipt");
      assertThat(r.data().resolve("copy")).doesNotExist();
    }
  }

  @Test
  void pushIsAcknowledgingWhileTheReceiverHasNotAnswered() throws Exception {
    try (ContractPair pair = new ContractPair(folder);
        LyingReceiver r = new LyingReceiver(pair);
        RunningStorage s = pair.startS(OFTEN)) {
      r.lie = LyingReceiver.Lie.HOLDS_ANSWER;
      HttpRequest copy =
          copy(s, "/data/file")
              .header("Destination", pair.atR("/data/copy"))
              .header("Credential", "none")
              .build();
      assertThat(lastWhenReleased(pair, copy, r.release)).contains("has not acknowledged");
    }
  }

  private static HttpRequest.Builder copy(RunningStorage storage, String path) {
    return HttpRequest.newBuilder(URI.create(storage.url(path)))
        .method("COPY", BodyPublishers.noBody())
        .timeout(Eventually.LONGEST)
        .header("Authorization", "Bearer " + storage.token())
        .header("TransferHeaderAuthorization", "Bearer " + storage.token());
  }

  /** Reads until a marker says that it is acknowledging, and a second one; then lets it end. */
  private static String lastWhenReleased(
      ContractPair pair, HttpRequest copy, CountDownLatch release) throws Exception {
    HttpClient http = HttpClient.newBuilder().sslContext(pair.authority.clientContext()).build();
    try {
      HttpResponse<InputStream> answer = http.send(copy, BodyHandlers.ofInputStream());
      assertThat(answer.statusCode()).isEqualTo(202);
      try (BufferedReader lines =
          new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
        Stream<String> states =
            lines
                .lines()
                .peek(line -> assertThat(line).doesNotStartWith("success").doesNotStartWith("fail"))
                .filter(line -> line.strip().equals("State: acknowledging"))
                .limit(2);
        assertThat(states).hasSize(2);
        assertThat(release.getCount()).as("it is held").isOne();
        release.countDown();
        return lines.lines().reduce("", (before, line) -> line);
      }
    } finally {
      release.countDown();
      http.shutdownNow();
    }
  }
}
