package dev.staithe.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.process.ManagedProcess;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first class of each jar, before a Java that is too old. */
class MainTests {
  private static final int JAVA_8 = 52;

  @TempDir private Path folder;

  @Test
  void itIsReadByJava8() throws IOException {
    try (InputStream in = Main.class.getResourceAsStream("Main.class");
        var header = new DataInputStream(in)) {
      assertThat(header.readInt()).isEqualTo(0xcafebabe);
      assertThat(header.readInt()).isEqualTo(JAVA_8);
    }
  }

  @Test
  void javaThatIsTooOldIsToldInOneLine() throws IOException {
    // Of Java 99, which no JVM reads; it looks no further.
    Files.write(
        folder.resolve("Later.class"),
        ByteBuffer.allocate(64).putInt(0xcafebabe).putInt(99 + 44).array());
    Files.createDirectory(folder.resolve("META-INF"));
    Files.writeString(
        folder.resolve("META-INF/staithe-service.properties"), "name=later-service\nmain=Later\n");
    try (var process =
        ManagedProcess.start(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                folder + ":" + Path.of("target/classes").toAbsolutePath(),
                Main.class.getName()),
            Map.of(),
            folder.resolve("log"))) {
      assertThat(process.awaitEnd(Duration.ofSeconds(60))).isEqualTo(2);
      assertThat(process.output())
          .hasLineCount(1)
          .startsWith("later-service did not start: it needs Java 99, this is Java ");
    }
  }

  @Test
  void digitsAreTheSameWhateverTheLanguageOfTheMachine() throws IOException {
    Files.createDirectory(folder.resolve("META-INF"));
    Files.writeString(
        folder.resolve("META-INF/staithe-service.properties"),
        "name=counting-service\nmain=" + Counting.class.getName() + "\n");
    try (var process =
        ManagedProcess.start(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Duser.language=ar",
                "-Duser.country=EG",
                "-Duser.extensions=u-nu-arab",
                "-cp",
                folder
                    + ":"
                    + Path.of("target/classes").toAbsolutePath()
                    + ":"
                    + Path.of("target/test-classes").toAbsolutePath(),
                Main.class.getName()),
            Map.of(),
            folder.resolve("log"))) {
      assertThat(process.awaitEnd(Duration.ofSeconds(60))).isEqualTo(0);
      assertThat(process.output()).contains("1234567");
    }
  }

  /** Runs in another process. */
  static final class Counting {
    private Counting() {}

    public static void main(String[] arguments) {
      System.out.println("%d".formatted(1_234_567));
    }
  }
}
