package dev.staithe.storage.tpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.checksum.RunningChecksum;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A storage element for each test, and the copies that tests ask of it. */
abstract class ElementFixture {
  /** For what a test waits to happen, and that comes before nothing else. */
  static final Duration SOON = Duration.ofMillis(500);

  static final String TEXT = "Thou shalt not copy in part.";

  @TempDir Path folder;
  Element element;

  @BeforeEach
  void start() {
    element = Element.start(folder.resolve("here"));
  }

  /** Starts the element again with other settings. */
  void change(UnaryOperator<SettingsDraft> settings) {
    element.close();
    element =
        Element.start(folder.resolve("here"), s -> settings.apply(SettingsDraft.like(s)).done());
  }

  @AfterEach
  void stop() {
    element.close();
  }

  /** Pulls {@code /data/file} from the source. */
  Element.Answer pull(ScriptedServer source, String... headers) throws IOException {
    return copy("Source: " + source.url("/file?opaque=1"), headers);
  }

  /** Pushes {@code /data/file} to a new name. */
  Element.Answer push(ScriptedServer to, String... headers) throws IOException {
    return copy("Destination: " + to.url("/new?opaque=1"), headers);
  }

  private Element.Answer copy(String other, String... headers) throws IOException {
    return element.copy(
        "/data/file", Stream.concat(Stream.of(other), Stream.of(headers)).toArray(String[]::new));
  }

  void assertNothingWasKept() throws IOException {
    assertThat(element.file("file")).doesNotExist();
    assertThat(element.staged()).isEmpty();
  }

  static Checksum sum(ChecksumAlgorithm algorithm, byte[] bytes) {
    RunningChecksum sum = RunningChecksum.of(algorithm);
    sum.update(ByteBuffer.wrap(bytes));
    return sum.finish();
  }
}
