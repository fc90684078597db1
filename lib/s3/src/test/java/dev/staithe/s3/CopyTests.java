package dev.staithe.s3;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies at an engine whose objects are others than those that were looked at. */
final class CopyTests {
  private static final byte[] ANOTHER =
      "<Error><Code>PreconditionFailed</Code></Error>".getBytes(StandardCharsets.UTF_8);

  @TempDir private Path folder;
  private final List<String> asked = new CopyOnWriteArrayList<>();

  private void answer(HttpExchange exchange) throws IOException {
    asked.add(
        exchange.getRequestHeaders().getFirst("x-amz-copy-source")
            + " "
            + exchange.getRequestHeaders().getFirst("x-amz-copy-source-if-match"));
    exchange.sendResponseHeaders(412, ANOTHER.length);
    exchange.getResponseBody().write(ANOTHER);
    exchange.close();
  }

  @Test
  void originalThatWasReplacedSinceItWasLookedAtIsNotThere() throws IOException {
    ObjectHead before =
        new ObjectHead("from", 1, Instant.EPOCH, "\"before\"", Map.of(), Map.of(), 0);
    try (var engine = new ScriptedEngine(ScriptedEngine.keys(folder, ""), this::answer)) {
      assertThat(engine.client().copy(before, "to")).isEqualTo(new Written.SourceMissing());
    }
    assertThat(asked).containsExactly("/bucket/from \"before\"");
  }
}
