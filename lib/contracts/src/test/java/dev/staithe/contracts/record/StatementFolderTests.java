package dev.staithe.contracts.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.staithe.contracts.Keys;
import dev.staithe.contracts.signature.ContractKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StatementFolderTests {
  private static final Instant DAY = Instant.parse("2026-11-26T23:59:59Z");
  private static final ContractKey KEY = Keys.make();

  @TempDir Path folder;

  private static byte[] statement(String id) {
    return Statement.sign("https://p.example", id, id.getBytes(StandardCharsets.UTF_8), KEY, DAY)
        .encode();
  }

  private static StatementFolder.Kept kept(byte[] statement) {
    return new StatementFolder.Kept(DAY, statement);
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static List<byte[]> read(Path file) throws IOException {
    return StatementFolder.read(file).stream().map(Statement::encode).toList();
  }

  @Test
  void manyAreInTheFileOfTheirDayEachOnce() throws IOException {
    byte[] one = statement("one");
    byte[] two = statement("two");
    try (StatementFolder statements = new StatementFolder(folder)) {
      statements.keep(List.of(kept(one), kept(two)));
      statements.keep(List.of(kept(one)));
      statements.keep(List.of(new StatementFolder.Kept(DAY.plusSeconds(1), two)));
    }
    assertThat(files())
        .extracting(file -> folder.relativize(file).toString())
        .containsExactly("2026-11-26/000001.cborseq", "2026-11-27/000001.cborseq");
    assertThat(read(files().getFirst())).containsExactly(one, two);
    assertThat(read(files().getLast())).containsExactly(two);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(files().getFirst())))
        .isEqualTo("rw-------");
  }

  @Test
  void ofAFileThatWasCutAllButTheLastAreThereAndTheNextGoElsewhere() throws IOException {
    byte[] one = statement("one");
    byte[] two = statement("two");
    try (StatementFolder statements = new StatementFolder(folder)) {
      statements.keep(List.of(kept(one), kept(two)));
    }
    Path file = files().getFirst();
    byte[] all = Files.readAllBytes(file);
    for (int bytes = one.length; bytes < all.length; bytes += 7) {
      Files.write(file, Arrays.copyOf(all, bytes));
      assertThat(read(file)).as("%d bytes", bytes).containsExactly(one);
    }
    try (StatementFolder statements = new StatementFolder(folder)) {
      statements.keep(List.of(kept(two)));
    }
    assertThat(files()).hasSize(2);
    assertThat(read(files().getLast())).containsExactly(two);
  }

  /** As on a full disk or for want of descriptors, where it is tried twice a second. */
  @Test
  void attemptThatFailsLeavesNoFile() throws IOException {
    byte[] one = statement("one");
    try (StatementFolder statements = new StatementFolder(folder)) {
      // Java waits for the file's name on behalf of no thread that is interrupted.
      Thread.currentThread().interrupt();
      try {
        assertThatIOException().isThrownBy(() -> statements.keep(List.of(kept(one))));
      } finally {
        assertThat(Thread.interrupted()).isTrue();
      }
      assertThat(files()).isEmpty();
      statements.keep(List.of(kept(one)));
    }
    assertThat(files()).hasSize(1);
    assertThat(read(files().getFirst())).containsExactly(one);
  }
}
