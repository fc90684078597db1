package dev.staithe.storage.files;

import static dev.staithe.storage.files.StoreFixture.done;
import static dev.staithe.storage.files.StoreFixture.path;
import static dev.staithe.storage.files.StoreFixture.put;
import static dev.staithe.storage.files.StoreFixture.refusal;
import static dev.staithe.storage.files.StoreFixture.text;
import static dev.staithe.storage.files.StoreFixture.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.files.FileStore.Replace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What every store holds, whatever keeps its files: their content, collections and names, uploads
 * in parts. A store is tested by a class that extends this one and says how an empty area is
 * opened, and opened again with what was left in it.
 */
public abstract class StoreContract extends FileContract {
  @Test
  void collectionsAreMadeListedAndRemovedWithAllTheyHave() throws Exception {
    done(store.makeCollection(path("/a"), Replace.NEVER));
    done(store.makeCollection(path("/a/b"), Replace.NEVER));
    put(store, "/a/b/file", "x");
    put(store, "/ab", "not below a");
    reopen();
    assertThat(tree(store)).containsOnlyKeys("/a/", "/a/b/", "/a/b/file", "/ab");
    assertThat(entry("/a").collection()).isTrue();
    assertThat(entry("/").collection()).isTrue();
    if (!takesTrees()) {
      assertThat(refusal(store.delete(path("/a"), Replace.ALLOWED))).isEqualTo(Refusal.UNSUPPORTED);
      assertThat(tree(store)).containsOnlyKeys("/a/", "/a/b/", "/a/b/file", "/ab");
      done(store.delete(path("/a/b/file"), Replace.ALLOWED));
      done(store.delete(path("/a/b"), Replace.ALLOWED));
    }
    assertThat(done(store.delete(path("/a"), Replace.ALLOWED))).as("a collection").isTrue();
    assertThat(tree(store)).containsOnlyKeys("/ab");
    assertThat(done(store.delete(path("/ab"), Replace.ALLOWED))).as("a collection").isFalse();
    assertThat(tree(store)).isEmpty();
    assertThat(refusal(store.delete(path("/"), Replace.ALLOWED))).isEqualTo(Refusal.ACCESS_DENIED);
  }

  @Test
  void collectionOfManyMembersIsListedWholeAndOnce() throws Exception {
    done(store.makeCollection(path("/a"), Replace.NEVER));
    try (var threads = Executors.newFixedThreadPool(8)) {
      List<Future<FileEntry>> made =
          IntStream.range(0, severalPages())
              .mapToObj(i -> threads.submit(() -> put(store, "/a/" + i, "x")))
              .toList();
      for (Future<FileEntry> each : made) {
        each.get();
      }
    }
    List<String> names = new ArrayList<>();
    try (Listing listing = done(store.list(path("/a")))) {
      FileEntry member;
      while ((member = listing.next()) != null) {
        assertThat(member.size()).isEqualTo(1);
        names.add(member.path().name());
      }
    }
    assertThat(names).doesNotHaveDuplicates().hasSize(severalPages());
    put(store, "/b", "b");
    if (!takesTrees()) {
      return;
    }
    assertThat(done(store.delete(path("/a"), Replace.ALLOWED))).isTrue();
    assertThat(tree(store)).containsOnlyKeys("/b");
  }

  @Test
  void whatIsInTheWayIsRefusedWithTheReason() throws IOException {
    done(store.makeCollection(path("/a"), Replace.NEVER));
    put(store, "/file", "x");
    assertThat(refusal(put(store, "/a", "x", Replace.ALLOWED))).isEqualTo(Refusal.IS_COLLECTION);
    assertThat(refusal(put(store, "/none/file", "x", Replace.ALLOWED)))
        .isEqualTo(Refusal.PARENT_MISSING);
    assertThat(refusal(put(store, "/file/below", "x", Replace.ALLOWED)))
        .isEqualTo(Refusal.PARENT_MISSING);
    assertThat(refusal(store.makeCollection(path("/a"), Replace.NEVER))).isEqualTo(Refusal.EXISTS);
    assertThat(refusal(store.makeCollection(path("/file"), Replace.NEVER)))
        .isEqualTo(Refusal.EXISTS);
    assertThat(refusal(store.makeCollection(path("/none/a"), Replace.NEVER)))
        .isEqualTo(Refusal.PARENT_MISSING);
    assertThat(refusal(store.open(path("/a")))).isEqualTo(Refusal.IS_COLLECTION);
    assertThat(refusal(store.open(path("/none")))).isEqualTo(Refusal.NOT_FOUND);
    assertThat(refusal(store.list(path("/file")))).isEqualTo(Refusal.NOT_COLLECTION);
    assertThat(refusal(store.list(path("/none")))).isEqualTo(Refusal.NOT_FOUND);
    assertThat(refusal(store.delete(path("/none"), Replace.ALLOWED))).isEqualTo(Refusal.NOT_FOUND);
    assertThat(refusal(store.move(path("/none"), path("/b"), Replace.ALLOWED)))
        .isEqualTo(Refusal.NOT_FOUND);
    assertThat(store.find(path("/file/below"))).isEmpty();
    assertThat(tree(store)).containsOnlyKeys("/a/", "/file");
  }

  @Test
  void uploadIntoACollectionThatGoesMeanwhileIsRefused() throws IOException {
    done(store.makeCollection(path("/a"), Replace.NEVER));
    try (Upload upload = done(store.stage(null, path("/a/file"), 1, Set.of()))) {
      upload.append(ByteBuffer.wrap(new byte[1]));
      done(store.delete(path("/a"), Replace.ALLOWED));
      assertThat(refusal(upload.commit(Replace.ALLOWED))).isEqualTo(Refusal.PARENT_MISSING);
    }
    try (Upload upload = done(store.stage(null, path("/b"), 1, Set.of()))) {
      done(store.makeCollection(path("/b"), Replace.NEVER));
      assertThat(refusal(upload.commit(Replace.ALLOWED))).isEqualTo(Refusal.IS_COLLECTION);
    }
    assertThat(tree(store)).containsOnlyKeys("/b/");
  }

  @Test
  void fileThatIsMovedHasOneOfItsNamesAtEveryMoment() throws Exception {
    put(store, "/a", "content");
    CountDownLatch end = new CountDownLatch(1);
    try (var threads = Executors.newSingleThreadExecutor()) {
      Future<Integer> looks =
          threads.submit(
              () -> {
                int looked = 0;
                while (end.getCount() > 0) {
                  // In the order of the moves: what went on after one look is met by the next.
                  assertThat(isThere("/a") || isThere("/b") || isThere("/c")).isTrue();
                  looked++;
                }
                return looked;
              });
      done(store.move(path("/a"), path("/b"), Replace.NEVER));
      done(store.move(path("/b"), path("/c"), Replace.NEVER));
      end.countDown();
      assertThat(looks.get()).isNotNegative();
    }
    assertThat(tree(store)).isEqualTo(Map.of("/c", "content"));
    assertThat(store.kept(entry("/c"), ChecksumAlgorithm.ADLER32).isPresent())
        .isEqualTo(store.keepsMetadata());
  }

  private boolean isThere(String path) throws IOException {
    return store.find(path(path)).isPresent();
  }

  @Test
  void moveAndCopyReplaceWholeOrNotAtAll() throws IOException {
    done(store.makeCollection(path("/target"), Replace.NEVER));
    put(store, "/target/kept", "kept");
    put(store, "/source", "x");
    for (Outcome<Boolean> each :
        List.of(
            store.move(path("/source"), path("/target"), Replace.NEVER),
            store.copy("tester", path("/source"), path("/target"), true, Replace.NEVER))) {
      assertThat(refusal(each)).isEqualTo(Refusal.EXISTS);
    }
    assertThat(text(store, "/target/kept")).isEqualTo("kept");
    assertThat(done(store.copy("tester", path("/source"), path("/new"), true, Replace.NEVER)))
        .as("replaced")
        .isFalse();
    if (!replacesCollections()) {
      for (Outcome<Boolean> each :
          List.of(
              store.move(path("/source"), path("/target"), Replace.ALLOWED),
              store.copy("tester", path("/source"), path("/target"), true, Replace.ALLOWED))) {
        assertThat(refusal(each)).isEqualTo(Refusal.UNSUPPORTED);
      }
      assertThat(tree(store))
          .isEqualTo(Map.of("/target/", "", "/target/kept", "kept", "/source", "x", "/new", "x"));
      return;
    }
    assertThat(done(store.move(path("/source"), path("/target"), Replace.ALLOWED)))
        .as("replaced")
        .isTrue();
    assertThat(tree(store)).isEqualTo(Map.of("/target", "x", "/new", "x"));
  }

  /** RFC 4918 sections 9.8.5 and 9.9.4. */
  @Test
  void nothingIsMovedOrCopiedOntoItself() throws IOException {
    put(store, "/file", "x");
    String before = entry("/file").etag();
    for (Outcome<Boolean> each :
        List.of(
            store.move(path("/file"), path("/file"), Replace.ALLOWED),
            store.copy("tester", path("/file"), path("/file"), true, Replace.ALLOWED))) {
      assertThat(refusal(each)).isEqualTo(Refusal.ACCESS_DENIED);
    }
    assertThat(entry("/file").etag()).isEqualTo(before);
  }

  @Test
  void treeIsMovedAndCopiedWhole() throws IOException {
    done(store.makeCollection(path("/a"), Replace.NEVER));
    done(store.makeCollection(path("/a/b"), Replace.NEVER));
    put(store, "/a/one", "1");
    put(store, "/a/b/two", "2");
    if (!takesTrees()) {
      assertThat(refusal(store.copy("tester", path("/a"), path("/copy"), true, Replace.NEVER)))
          .isEqualTo(Refusal.UNSUPPORTED);
      done(store.move(path("/a"), path("/moved"), Replace.NEVER));
      assertThat(tree(store))
          .containsOnlyKeys("/moved/", "/moved/b/", "/moved/b/two", "/moved/one");
      return;
    }
    done(store.copy("tester", path("/a"), path("/copy"), true, Replace.NEVER));
    done(store.copy("tester", path("/a"), path("/shallow"), false, Replace.NEVER));
    done(store.move(path("/a"), path("/moved"), Replace.NEVER));
    assertThat(tree(store).keySet())
        .isEqualTo(
            new TreeSet<>(
                Set.of(
                    "/copy/",
                    "/copy/b/",
                    "/copy/b/two",
                    "/copy/one",
                    "/moved/",
                    "/moved/b/",
                    "/moved/b/two",
                    "/moved/one",
                    "/shallow/")));
    assertThat(store.kept(entry("/copy/b/two"), ChecksumAlgorithm.ADLER32)).isPresent();
    assertThat(store.move(path("/moved"), path("/moved/b/x"), Replace.NEVER))
        .isInstanceOf(Outcome.Refused.class);
    put(store, "/copy/one", "changed");
    assertThat(text(store, "/moved/one")).as("of its own").isEqualTo("1");
  }

  private PartialUploads partials() throws IOException {
    return store.partialUploads(new SteadyClock(Clock.systemUTC()), Duration.ofHours(1));
  }

  private static void append(PartialUploads uploads, PartialUploads.Partial to, byte[] bytes)
      throws IOException {
    try (PartialUploads.Appender appender = done(uploads.append(to))) {
      appender.append(ByteBuffer.wrap(bytes));
    }
  }

  private static PartialUploads.Announced announced(long length) {
    return new PartialUploads.Announced(
        path("/file"), "tester", length, List.of(), "conditions", TWO);
  }

  @Test
  void uploadInPartsGoesOnAfterARestartAndIsVisibleWhenItIsFinished() throws Exception {
    byte[] content = random(severalParts());
    int half = content.length / 2 + 1;
    PartialUploads uploads = partials();
    if (!takesUploadsInParts()) {
      assertThat(refusal(uploads.begin(announced(-1)))).isEqualTo(Refusal.UNSUPPORTED);
      return;
    }
    PartialUploads.Partial begun = done(uploads.begin(announced(content.length)));
    append(uploads, begun, Arrays.copyOf(content, half));
    assertThat(uploads.offset(begun)).isEqualTo(half);
    assertThat(tree(store)).isEmpty();
    reopen();
    uploads = partials();
    PartialUploads.Partial found = uploads.find(begun.id()).orElseThrow();
    assertThat(found).isEqualTo(begun);
    assertThat(uploads.offset(found)).isEqualTo(half);
    assertThat(uploads.open()).isEqualTo(1);
    append(uploads, found, Arrays.copyOfRange(content, half, half + 1));
    append(uploads, found, Arrays.copyOfRange(content, half + 1, content.length));
    Map<ChecksumAlgorithm, Checksum> sums = uploads.checksums(found, TWO);
    assertThat(sums.get(ChecksumAlgorithm.MD5)).isEqualTo(sum(ChecksumAlgorithm.MD5, content));
    done(uploads.finish(found, Replace.NEVER, sums.values()));
    assertThat(read("/file")).isEqualTo(content);
    assertThat(store.kept(entry("/file"), ChecksumAlgorithm.ADLER32)).isPresent();
    assertThat(uploads.find(begun.id()).orElseThrow().complete()).isTrue();
    assertThat(uploads.open()).isZero();
  }

  /** Its end may be a day and a terabyte away. */
  @Test
  void uploadInPartsThatCannotBecomeAFileDoesNotBegin() throws Exception {
    PartialUploads uploads = partials();
    if (!takesUploadsInParts()) {
      return;
    }
    done(store.makeCollection(path("/file"), Replace.NEVER));
    assertThat(refusal(uploads.begin(announced(-1)))).isEqualTo(Refusal.IS_COLLECTION);
    assertThat(uploads.open()).isZero();
    done(store.delete(path("/file"), Replace.ALLOWED));
    uploads.cancel(done(uploads.begin(announced(-1))));
  }

  @Test
  void uploadInPartsThatIsGivenUpLeavesNothing() throws Exception {
    PartialUploads uploads = partials();
    if (!takesUploadsInParts()) {
      assertThat(uploads.open()).isZero();
      return;
    }
    PartialUploads.Partial begun = done(uploads.begin(announced(-1)));
    append(uploads, begun, new byte[1000]);
    uploads.cancel(begun);
    assertThat(uploads.find(begun.id())).isEmpty();
    assertThat(uploads.find("../../etc/passwd")).isEmpty();
    assertThat(uploads.open()).isZero();
    assertThat(store.room().staged()).isZero();
    assertThat(tree(store)).isEmpty();
  }

  @Test
  void stateIsKeptAndShownToNobody() throws Exception {
    store.state("tests").write("text", "before");
    store.state("tests").write("text", "kept \u00e4");
    reopen();
    assertThat(store.state("tests").read("text")).contains("kept \u00e4");
    assertThat(store.state("tests").read("none")).isEmpty();
    assertThat(tree(store)).isEmpty();
    store.probe();
    assertThat(tree(store)).isEmpty();
  }
}
