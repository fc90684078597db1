package dev.staithe.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.staithe.http.BufferPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Objects in as many parts as there may be. */
final class ObjectWriterTests {
  @TempDir private Path folder;

  @Test
  void whatHasMorePartsThanThereMayBeHasNoRoomAndIsNotBrought() throws IOException {
    SentParts all =
        new SentParts(
            new PartUpload("key", "id", "mark"),
            Collections.nCopies(PartPlan.MOST_PARTS, "\"part\""));
    List<String> asked = new CopyOnWriteArrayList<>();
    try (var engine =
            new ScriptedEngine(
                ScriptedEngine.keys(folder, ""),
                exchange -> asked.add(exchange.getRequestMethod()));
        var writer =
            new ObjectWriter(
                    engine.client(),
                    new BufferPool(PartPlan.BUFFER, 4, 0),
                    "ada",
                    Duration.ofSeconds(1),
                    "key",
                    -1,
                    Map.of())
                .behind(all)) {
      assertThatThrownBy(() -> writer.append(ByteBuffer.allocate(1)))
          .asInstanceOf(type(S3Failure.class))
          .satisfies(failure -> assertThat(failure.kind()).isEqualTo(S3Failure.Kind.FULL));
    }
    assertThat(asked).isEmpty();
  }
}
