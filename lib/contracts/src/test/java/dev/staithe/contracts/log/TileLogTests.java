package dev.staithe.contracts.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.Hash;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log against the definitions of RFC 9162, and against those who change its files. */
final class TileLogTests {
  @TempDir Path folder;

  private static byte[] entry(int number) {
    return Hash.of(ByteBuffer.allocate(4).putInt(number).array());
  }

  private LogKey key() throws IOException {
    return LogKey.readOrMake(folder.resolve("log.key"), "p.example/.staithe/log");
  }

  /** Signed with the half of another key a seed would be given away. */
  @Test
  void keyWhoseHalvesDoNotBelongTogetherIsNone() throws IOException {
    key();
    Path other = folder.resolve("other.key");
    LogKey.readOrMake(other, "p.example/.staithe/log");
    String end = "-----END PRIVATE KEY-----\n";
    String own = Files.readString(folder.resolve("log.key"));
    String strange = Files.readString(other);
    Files.writeString(
        other, own.substring(0, own.indexOf(end)) + strange.substring(strange.indexOf(end)));

    assertThatThrownBy(() -> LogKey.readOrMake(other, "p.example/.staithe/log"))
        .isInstanceOf(IOException.class)
        .hasMessageEndingWith("holds no key of a log: an Ed25519 key and its public half");
  }

  private TileLog open() throws IOException {
    return TileLog.open(folder.resolve("log"), key());
  }

  private TileLog filled(int entries) throws IOException {
    TileLog log = open();
    for (int i = 0; i < entries; i++) {
      assertThat(log.append(entry(i))).isEqualTo(i);
    }
    return log;
  }

  /** Section 2.1.1 as it is written there. */
  private static byte[] definition(List<byte[]> entries) {
    if (entries.isEmpty()) {
      return Hash.of();
    }
    if (entries.size() == 1) {
      return Hash.of(new byte[] {0}, entries.getFirst());
    }
    int k = Integer.highestOneBit(entries.size() - 1);
    return Hash.of(
        new byte[] {1},
        definition(entries.subList(0, k)),
        definition(entries.subList(k, entries.size())));
  }

  @Test
  void rootsAndProofsAreThoseOfTheDefinition() throws Exception {
    TileLog log = open();
    List<byte[]> entries = new ArrayList<>();
    List<byte[]> roots = new ArrayList<>(List.of(definition(entries)));
    for (int size = 1; size <= 70; size++) {
      entries.add(entry(size - 1));
      log.append(entry(size - 1));
      byte[] root = definition(entries);
      roots.add(root);
      assertThat(log.checkpoint().root()).isEqualTo(root);
      for (int index = 0; index < size; index++) {
        List<byte[]> path = Merkle.inclusion(log, index, size);
        assertThat(Merkle.rootOf(Merkle.leaf(entry(index)), index, size, path)).isEqualTo(root);
        assertThat(Merkle.rootOf(Merkle.leaf(entry(index + 1)), index, size, path))
            .isNotEqualTo(root);
      }
      for (int older = 1; older <= size; older++) {
        List<byte[]> path = Merkle.consistency(log, older, size);
        assertThat(Merkle.consistent(older, roots.get(older), size, root, path)).isTrue();
        assertThat(Merkle.consistent(older, roots.get(older - 1), size, root, path)).isFalse();
      }
    }
  }

  @Test
  void logOfManyTilesIsTheSameAfterAStart() throws Exception {
    int size = 256 * 3 + 17;
    TileLog log = filled(size);
    byte[] root = log.checkpoint().root();
    TileLog again = open();
    assertThat(again.checkpoint().root()).isEqualTo(root);
    assertThat(again.append(entry(size))).isEqualTo(size);
    List<byte[]> path = Merkle.consistency(again, size, size + 1);
    assertThat(Merkle.consistent(size, root, size + 1, again.checkpoint().root(), path)).isTrue();
    byte[] first = again.served("tile/0/000").orElseThrow();
    assertThat(first).hasSize(256 * 32);
    assertThat(again.served("tile/1/000.p/3").orElseThrow()).hasSize(3 * 32);
    assertThat(again.served("tile/0/003.p/18").orElseThrow()).hasSize(18 * 32);
    assertThat(again.served("tile/entries/000").orElseThrow()).hasSize(256 * 34);
    for (String none :
        List.of(
            "tile/0/003",
            "tile/0/003.p/19",
            "tile/0/000.p/0",
            "tile/0/004.p/1",
            "tile/2/000.p/1",
            "tile/0/x000/000",
            "tile/0/x999/x999/x999/x999/x999/999",
            "tile/0/../0/000",
            "log.key",
            "")) {
      assertThat(again.served(none)).as(none).isEmpty();
    }
    String note = new String(again.served("checkpoint").orElseThrow(), StandardCharsets.UTF_8);
    LogVerifier verifier = LogVerifier.parse(again.verifier().toString());
    assertThat(Checkpoint.verify(note, verifier).size()).isEqualTo(size + 1);
    assertThatThrownBy(() -> Checkpoint.verify(note.replace("\n786\n", "\n785\n"), verifier))
        .isInstanceOf(BadSignature.class);
  }

  @Test
  void thoseWhoComeAtOnceAreAllInTheLogOnce() throws Exception {
    TileLog log = open();
    Set<Long> indexes = ConcurrentHashMap.newKeySet();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      int number = i;
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      for (int j = 0; j < 5; j++) {
                        indexes.add(log.append(entry(5 * number + j)));
                      }
                    } catch (IOException e) {
                      throw new java.io.UncheckedIOException(e);
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(indexes).hasSize(200);
    assertThat(log.checkpoint().size()).as("each of them once").isEqualTo(200);
    assertThat(open().checkpoint().size()).isEqualTo(200);
  }

  @Test
  void bytesBeyondTheCheckpointWereNeverPromised() throws Exception {
    filled(5);
    byte[] checkpoint = Files.readAllBytes(folder.resolve("log/checkpoint"));
    filledOn(open(), 5, 300);
    Files.write(folder.resolve("log/checkpoint"), checkpoint);
    TileLog log = open();
    assertThat(log.checkpoint().size()).isEqualTo(5);
    assertThat(log.append(entry(99))).isEqualTo(5);
    assertThat(open().checkpoint().size()).isEqualTo(6);
  }

  private static void filledOn(TileLog log, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      log.append(entry(i));
    }
  }

  /** A kill before the next checkpoint would leave other entries than the last one counts. */
  @Test
  void nothingIsWrittenOverWhatACheckpointCountsThatMayBeOnTheDevice() throws Exception {
    filled(5);
    Path place = folder.resolve("log");
    AtomicBoolean fails = new AtomicBoolean(true);
    TileLog log =
        TileLog.open(
            place,
            key(),
            each ->
                () -> {
                  if (fails.get() && each.equals(place)) {
                    throw new IOException("no wait");
                  }
                });
    assertThatThrownBy(() -> log.append(entry(5))).hasMessage("no wait");
    fails.set(false);
    byte[] entries = Files.readAllBytes(place.resolve("tile/entries/000"));
    assertThatThrownBy(() -> log.append(entry(99)))
        .isInstanceOf(IOException.class)
        .hasMessageEndingWith("was not brought to the device before");
    assertThat(place.resolve("tile/entries/000")).hasBinaryContent(entries);
    assertThat(log.checkpoint().size()).as("nobody was told of more").isEqualTo(5);

    TileLog again = open();
    assertThat(again.checkpoint().size()).isEqualTo(6);
    assertThat(again.append(entry(99))).isEqualTo(6);
    assertThat(open().checkpoint().size()).isEqualTo(7);
  }

  /** As for want of descriptors: nothing was written that may be there or not. */
  @Test
  void folderThatCannotBeOpenedForAMomentCostsOneEntryAndNotTheLog() throws Exception {
    filled(5);
    Path place = folder.resolve("log");
    AtomicBoolean fails = new AtomicBoolean(true);
    TileLog log =
        TileLog.open(
            place,
            key(),
            each -> {
              if (fails.get() && each.equals(place)) {
                throw new IOException("too many open files");
              }
              return () -> {};
            });
    assertThatThrownBy(() -> log.append(entry(5))).hasMessage("too many open files");
    fails.set(false);
    assertThat(log.append(entry(6))).isEqualTo(5);
    assertThat(open().checkpoint().size()).isEqualTo(6);
  }

  @Test
  void logThatIsKilledAtItsFirstEntryBeginsAnew() throws Exception {
    Path place = folder.resolve("log");
    TileLog log =
        TileLog.open(
            place,
            key(),
            each ->
                () -> {
                  if (!each.equals(place)) {
                    throw new IOException("killed");
                  }
                });
    assertThatThrownBy(() -> log.append(entry(0))).hasMessage("killed");
    assertThat(place.resolve("tile")).exists();

    assertThat(open().checkpoint().size()).isZero();
    assertThat(open().append(entry(1))).isZero();
    assertThat(open().checkpoint().size()).isOne();
  }

  @Test
  void checkpointThatWasTakenAwayStopsTheStart() throws Exception {
    filled(3);
    Files.delete(folder.resolve("log/checkpoint"));
    assertThatThrownBy(this::open).hasMessageContaining("tiles and no checkpoint");
  }

  @Test
  void changedTileStopsTheStart() throws Exception {
    filled(300);
    for (String tile : List.of("tile/0/000", "tile/0/001", "tile/1/000", "tile/entries/000")) {
      Path file = folder.resolve("log").resolve(tile);
      byte[] good = Files.readAllBytes(file);
      byte[] bad = good.clone();
      bad[20] ^= 1;
      Files.write(file, bad);
      assertThatThrownBy(this::open).as(tile).hasMessageContaining("was changed or cut");
      Files.write(file, Arrays.copyOf(good, good.length - 1));
      assertThatThrownBy(this::open).as(tile).hasMessageContaining("too short");
      Files.write(file, good);
    }
    assertThat(open().checkpoint().size()).isEqualTo(300);
    Files.delete(folder.resolve("log/checkpoint"));
    assertThatThrownBy(this::open).hasMessageContaining("no checkpoint");
  }

  @Test
  void checkpointOfAnotherKeyStopsTheStart() throws Exception {
    filled(3);
    Files.delete(folder.resolve("log.key"));
    assertThatThrownBy(this::open).hasMessageContaining("not signed by the log's key");
  }
}
