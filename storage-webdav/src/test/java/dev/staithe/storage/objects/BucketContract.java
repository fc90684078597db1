package dev.staithe.storage.objects;

import static dev.staithe.storage.files.StoreFixture.done;
import static dev.staithe.storage.files.StoreFixture.path;
import static dev.staithe.storage.files.StoreFixture.put;
import static dev.staithe.storage.files.StoreFixture.refusal;
import static dev.staithe.storage.files.StoreFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.ObjectEngine;
import dev.staithe.s3.PartUpload;
import dev.staithe.s3.WriteCondition;
import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.files.Consent;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.FileStore.Replace;
import dev.staithe.storage.files.Listing;
import dev.staithe.storage.files.PartialUploads;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.SteadyClock;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.files.StoreContract;
import dev.staithe.storage.files.Upload;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every store holds, in a bucket; what this one refuses is said. Subclasses say of whom. */
abstract class BucketContract extends StoreContract {
  @TempDir private Path state;

  private final String prefix = BucketFixture.prefix();

  /** The object store, which has the bucket; the same for all tests. */
  abstract ObjectEngine engine();

  final BucketFixture bucket() {
    return BucketFixture.of(engine());
  }

  @Override
  protected FileStore open() throws IOException {
    return bucket().open(prefix, state);
  }

  @Override
  protected int severalParts() {
    return (33 << 20) + 7;
  }

  @Override
  protected Optional<Refusal> refusesRanges() {
    return Optional.of(Refusal.UNSUPPORTED);
  }

  @Override
  protected boolean stagesInPlace() {
    return false;
  }

  @Override
  protected boolean keepsModified() {
    return false;
  }

  @Override
  protected boolean keepsProperties() {
    return false;
  }

  @Override
  protected boolean replacesCollections() {
    return false;
  }

  private static List<ByteBuffer> bytes(String text) {
    return List.of(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void filesAreObjectsUnderTheKeysThatTheirPathsSpell() throws IOException {
    try (FileStore store = open()) {
      done(store.makeCollection(path("/a"), Replace.NEVER));
      put(store, "/a/file", "content");
      bucket()
          .other(
              client -> {
                assertThat(client.head(prefix + "/a/file").orElseThrow().size()).isEqualTo(7);
                client.put(prefix + "/implied/x", bytes("theirs"), Map.of(), WriteCondition.NONE);
              });
      assertThat(text(store, "/implied/x")).isEqualTo("theirs");
      assertThat(store.find(path("/implied")).orElseThrow().collection()).isTrue();
    }
  }

  @Test
  void tagsOfAnotherWritersObjectCountForNothing() throws IOException {
    try (FileStore store = open()) {
      put(store, "/file", "ours");
      FileEntry ours = store.find(path("/file")).orElseThrow();
      assertThat(store.kept(ours, ChecksumAlgorithm.ADLER32)).isPresent();
      bucket()
          .other(
              client -> {
                Map<String, String> tags = client.tags(prefix + "/file");
                assertThat(tags).containsKeys("staithe-of", "staithe-adler32");
                client.put(prefix + "/file", bytes("theirs"), Map.of(), WriteCondition.NONE);
                client.tag(prefix + "/file", tags);
              });
      FileEntry file = store.find(path("/file")).orElseThrow();
      assertThat(store.kept(file, ChecksumAlgorithm.ADLER32)).isEmpty();
      assertThat(store.checksum(file, ChecksumAlgorithm.MD5).hex()).isEqualTo(md5("theirs"));
    }
  }

  @Test
  void checksumsThatWereSeenAreNotAskedForAgain() throws IOException {
    try (FileStore store = open()) {
      put(store, "/file", "ours");
      FileEntry file = store.find(path("/file")).orElseThrow();
      Optional<Checksum> seen = store.kept(file, ChecksumAlgorithm.ADLER32);
      assertThat(seen).isPresent();
      bucket().other(client -> client.tag(prefix + "/file", Map.of("their", "tag")));
      assertThat(store.kept(file, ChecksumAlgorithm.ADLER32)).isEqualTo(seen);
    }
  }

  @Test
  void checksumThatIsComputedIsKeptBesideOneThatWasSeen() throws IOException {
    try (FileStore store = open()) {
      put(store, "/file", "ours");
      FileEntry file = store.find(path("/file")).orElseThrow();
      assertThat(store.kept(file, ChecksumAlgorithm.ADLER32)).isPresent();
      assertThat(store.kept(file, ChecksumAlgorithm.MD5)).isEmpty();
      Checksum computed = store.checksum(file, ChecksumAlgorithm.MD5);
      assertThat(store.kept(file, ChecksumAlgorithm.MD5)).contains(computed);
      assertThat(store.kept(file, ChecksumAlgorithm.ADLER32)).isPresent();
    }
  }

  private static String md5(String text) {
    try {
      return java.util.HexFormat.of()
          .formatHex(
              java.security.MessageDigest.getInstance("MD5")
                  .digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whatACrashLeftIsSweptAfterADayAndNotBefore() throws IOException {
    List<PartUpload> begun = new ArrayList<>();
    String probe = prefix + "/.staithe/probe/of-one-killed-in-its-start/b/c";
    bucket()
        .other(
            client -> {
              begun.add(client.begin(prefix + "/left", Map.of()));
              client.put(probe, List.of(), Map.of(), WriteCondition.NONE);
            });
    open().close();
    assertThat(bucket().engineUploads(prefix)).isEqualTo(1);
    assertThat(bucket().noFiles(prefix)).containsExactly(probe);
    try (FileStore store = open()) {
      assertThat(store.find(path("/left"))).isEmpty();
    }
    bucket().sweep(prefix, state, Clock.offset(Clock.systemUTC(), Duration.ofHours(23)));
    assertThat(bucket().engineUploads(prefix)).isEqualTo(1);
    assertThat(bucket().noFiles(prefix)).containsExactly(probe);
    bucket().sweep(prefix, state, Clock.offset(Clock.systemUTC(), Duration.ofHours(25)));
    assertThat(bucket().engineUploads(prefix)).isZero();
    assertThat(bucket().noFiles(prefix)).isEmpty();
  }

  @Test
  void pathThatNoKeyHasRoomForIsRefused() throws IOException {
    String deep = ("/" + "y".repeat(250)).repeat(4) + "/z".repeat(20);
    try (FileStore store = open()) {
      assertThat(refusal(put(store, deep, "x", Replace.NEVER))).isEqualTo(Refusal.NAME_TOO_LONG);
      assertThat(store.find(path(deep))).isEmpty();
    }
  }

  @Test
  void collectionOfMoreMembersThanOneRequestListsIsNotRenamed() throws Exception {
    bucket()
        .other(
            client -> {
              for (int i = 0; i <= ObjectChanges.MOST; i++) {
                client.put(prefix + "/many/" + i, List.of(), Map.of(), WriteCondition.NONE);
              }
            });
    try (FileStore store = open()) {
      assertThat(refusal(store.move(path("/many"), path("/other"), Replace.NEVER)))
          .isEqualTo(Refusal.UNSUPPORTED);
      assertThat(store.find(path("/other"))).isEmpty();
      int members = 0;
      try (Listing listing = done(store.list(path("/many")))) {
        while (listing.next() != null) {
          members++;
        }
      }
      assertThat(members).isEqualTo(ObjectChanges.MOST + 1);
    }
  }

  @Test
  void collectionIsNeitherRenamedNorCopiedWhereAMembersPathWouldBeTooLong() throws IOException {
    String longer = "/" + "z".repeat(200);
    try (FileStore store = open()) {
      String at = "/a";
      for (int i = 0; i < 4; i++) {
        done(store.makeCollection(path(at), Replace.NEVER));
        at += "/" + "y".repeat(220);
      }
      put(store, at, "content");
      assertThat(refusal(store.move(path("/a"), path(longer), Replace.NEVER)))
          .isEqualTo(Refusal.NAME_TOO_LONG);
      assertThat(refusal(store.copy("ada", path("/a"), path(longer), true, Replace.NEVER)))
          .isEqualTo(Refusal.NAME_TOO_LONG);
      assertThat(store.find(path(longer))).isEmpty();
      assertThat(text(store, at)).isEqualTo("content");
    }
  }

  @Test
  void collectionThatIsRemovedBeforeItsPathIsHeldIsNotMadeElsewhere() throws IOException {
    try (FileStore store = open()) {
      done(store.makeCollection(path("/from"), Replace.NEVER));
      AtomicInteger asked = new AtomicInteger();
      Consent removing =
          () -> {
            if (asked.incrementAndGet() == 2) {
              bucket().other(client -> client.delete(prefix + "/from/"));
            }
            return Replace.NEVER.ask();
          };
      assertThat(refusal(store.move(path("/from"), path("/to"), removing)))
          .isEqualTo(Refusal.CONFLICT);
      assertThat(store.find(path("/to"))).isEmpty();
    }
  }

  /**
   * Two callers send eight files each, slowly. Of eight buffers they hold six, of four three, and a
   * third caller's file comes in meanwhile.
   */
  @ParameterizedTest
  @ValueSource(ints = {8, 4})
  void slowUploadsOfTwoCallersLeaveABufferToAThird(int buffers) throws Exception {
    try (FileStore store = bucket().open(prefix, state, buffers)) {
      CountDownLatch end = new CountDownLatch(1);
      AtomicInteger holding = new AtomicInteger();
      List<Thread> slow = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        String caller = i < 8 ? "slow" : "slower";
        StoragePath path = path("/slow-" + i);
        slow.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      try (Upload upload = done(store.stage(caller, path, 20 << 20, Set.of()))) {
                        upload.append(ByteBuffer.allocate(2 << 20));
                        holding.incrementAndGet();
                        end.await();
                      } catch (IOException | InterruptedException refused) {
                        // Whoever gets no buffer in half a minute.
                      }
                    }));
      }
      try {
        int most = buffers - buffers / 4;
        Eventually.holds("all but a quarter is held", () -> holding.get() == most);
        try (Upload upload = done(store.stage("other", path("/other"), 17 << 20, Set.of()))) {
          for (int i = 0; i < 17; i++) {
            upload.append(ByteBuffer.allocate(1 << 20));
          }
          done(upload.commit(Replace.ALLOWED));
        }
        assertThat(holding).hasValue(most);
        Trials.held(slow.size());
      } finally {
        end.countDown();
        for (Thread each : slow) {
          each.join();
        }
      }
    }
  }

  @Test
  void fileThatNeedsLargerPartsThanThereIsMemoryForIsRefused() throws IOException {
    long large = 400L << 30;
    try (FileStore store = bucket().open(prefix, state, 4)) {
      assertThat(refusal(store.stage("ada", path("/large"), large, Set.of())))
          .isEqualTo(Refusal.NO_SPACE);
      var upload =
          new PartialUploads.Announced(path("/large"), "ada", large, List.of(), "", Set.of());
      assertThat(
              refusal(
                  store
                      .partialUploads(new SteadyClock(Clock.systemUTC()), Duration.ofHours(1))
                      .begin(upload)))
          .isEqualTo(Refusal.NO_SPACE);
    }
  }
}
