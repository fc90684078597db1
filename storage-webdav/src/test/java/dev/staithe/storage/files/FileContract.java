package dev.staithe.storage.files;

import static dev.staithe.storage.files.StoreFixture.done;
import static dev.staithe.storage.files.StoreFixture.path;
import static dev.staithe.storage.files.StoreFixture.put;
import static dev.staithe.storage.files.StoreFixture.refusal;
import static dev.staithe.storage.files.StoreFixture.text;
import static dev.staithe.storage.files.StoreFixture.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.checksum.RunningChecksum;
import dev.staithe.storage.files.FileStore.Replace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every store holds of the content of files, whatever keeps them, and how a store under test
 * is opened. {@link StoreContract} is the whole of it.
 */
public abstract class FileContract {
  static final Set<ChecksumAlgorithm> TWO =
      EnumSet.of(ChecksumAlgorithm.ADLER32, ChecksumAlgorithm.MD5);

  FileStore store;

  /** Opens the area of this test, which is empty the first time; missing parents are refused. */
  protected abstract FileStore open() throws Exception;

  /** Bytes of a file that the store takes in several parts, if it has parts. */
  protected int severalParts() {
    return 3 << 20;
  }

  /** Members of a collection that the store lists by several requests, if it makes any. */
  protected int severalPages() {
    return 1_100;
  }

  /** Why bytes are not put into a file that is there; empty where they are. */
  protected Optional<Refusal> refusesRanges() {
    return Optional.empty();
  }

  /** Whether bytes of an upload lie where they can be read, and written in any order. */
  protected boolean stagesInPlace() {
    return true;
  }

  /** Whether files bear the time that their sender says. */
  protected boolean keepsModified() {
    return true;
  }

  /** Whether a checksum that is kept later leaves the file's time as it is. */
  protected boolean keepsTimeOfChecked() {
    return true;
  }

  /** Whether clients' properties are kept with files. */
  protected boolean keepsProperties() {
    return true;
  }

  /** Whether an upload may go on by another request. */
  protected boolean takesUploadsInParts() {
    return true;
  }

  /** Whether what has members gives way to something else in one step. */
  protected boolean replacesCollections() {
    return true;
  }

  /** Whether what has members is copied and removed whole. */
  protected boolean takesTrees() {
    return true;
  }

  /** Whether what the files take is counted by the store itself. */
  protected boolean countsFiles() {
    return true;
  }

  /** A checksum is kept by the stores that keep any. */
  final void assertKept(Optional<Checksum> kept, Checksum sum) {
    assertThat(kept).isEqualTo(store.keepsMetadata() ? Optional.of(sum) : Optional.empty());
  }

  @BeforeEach
  final void openArea() throws Exception {
    store = open();
  }

  @AfterEach
  final void closeArea() throws IOException {
    store.close();
  }

  final void reopen() throws Exception {
    store.close();
    store = open();
  }

  final FileEntry entry(String path) throws IOException {
    return store.find(path(path)).orElseThrow();
  }

  final Upload upload(String path, byte[] content) throws IOException {
    Upload upload = done(store.stage("tester", path(path), content.length, TWO));
    ByteBuffer bytes = ByteBuffer.allocateDirect(64 * 1024);
    for (int at = 0; at < content.length; at += bytes.capacity()) {
      bytes.clear().put(content, at, Math.min(bytes.capacity(), content.length - at)).flip();
      upload.append(bytes);
    }
    return upload;
  }

  static byte[] random(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  static Checksum sum(ChecksumAlgorithm algorithm, byte[] bytes) {
    RunningChecksum sum = RunningChecksum.of(algorithm);
    sum.update(ByteBuffer.wrap(bytes));
    return sum.finish();
  }

  static byte[] read(OpenFile file, long position, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocateDirect(length);
    while (bytes.hasRemaining() && file.read(bytes, position + bytes.position()) > 0) {
      // until all of it is there
    }
    byte[] content = new byte[bytes.flip().remaining()];
    bytes.get(content);
    return content;
  }

  final byte[] read(String path) throws IOException {
    try (OpenFile file = done(store.open(path(path)))) {
      return read(file, 0, (int) file.entry().size());
    }
  }

  @Test
  void namesOfEveryKindAreKeptAsTheyAre() throws Exception {
    List<String> names =
        List.of(
            "plain",
            "with space",
            "%41",
            "a+b",
            "q?x=1&y#z",
            "*[x]*",
            "\u00e4\u4e2d\ud83d\ude00",
            "..x",
            "x".repeat(255),
            "-",
            "~",
            "'\"<>&");
    for (String name : names) {
      put(store, "/" + name, "of " + name);
    }
    reopen();
    for (String name : names) {
      assertThat(text(store, "/" + name)).isEqualTo("of " + name);
    }
    assertThat(tree(store)).hasSize(names.size());
  }

  @Test
  void uploadIsInvisibleUntilItIsCommittedAndGoneWhenItIsClosed() throws IOException {
    try (Upload upload = upload("/file", new byte[1000])) {
      assertThat(store.find(path("/file"))).isEmpty();
      assertThat(tree(store)).isEmpty();
      assertThat(upload.written()).isEqualTo(1000);
    }
    assertThat(tree(store)).isEmpty();
  }

  @Test
  void fileOfNoBytesIsAFile() throws IOException {
    FileEntry empty = put(store, "/empty", "");
    assertThat(empty.size()).isZero();
    assertThat(empty.collection()).isFalse();
    assertThat(text(store, "/empty")).isEmpty();
  }

  @Test
  void fileOfSeveralPartsIsReadAsItWasWrittenFromAnywhere() throws Exception {
    byte[] content = random(severalParts());
    try (Upload upload = upload("/file", content)) {
      assertThat(store.find(path("/file"))).isEmpty();
      assertThat(upload.checksums())
          .isEqualTo(
              Map.of(
                  ChecksumAlgorithm.ADLER32, sum(ChecksumAlgorithm.ADLER32, content),
                  ChecksumAlgorithm.MD5, sum(ChecksumAlgorithm.MD5, content)));
      assertThat(store.stagesInPlace()).isEqualTo(stagesInPlace());
      if (stagesInPlace()) {
        assertThat(upload.checksum(ChecksumAlgorithm.SHA_256))
            .isEqualTo(sum(ChecksumAlgorithm.SHA_256, content));
      } else {
        assertThatThrownBy(() -> upload.checksum(ChecksumAlgorithm.SHA_256))
            .isInstanceOf(LateChecksumException.class);
      }
      assertThat(done(upload.commit(Replace.NEVER)).size()).isEqualTo(content.length);
    }
    reopen();
    assertThat(read("/file")).isEqualTo(content);
    try (OpenFile file = done(store.open(path("/file")))) {
      int last = content.length - 1;
      assertThat(read(file, last, 5)).containsExactly(content[last]);
      assertThat(file.read(ByteBuffer.allocate(1), content.length)).isNegative();
      assertThat(read(file, content.length / 2, 3))
          .containsExactly(
              content[content.length / 2],
              content[content.length / 2 + 1],
              content[content.length / 2 + 2]);
      for (ChecksumAlgorithm each :
          List.of(
              ChecksumAlgorithm.ADLER32,
              stagesInPlace() ? ChecksumAlgorithm.SHA_256 : ChecksumAlgorithm.MD5)) {
        assertKept(file.kept(each), sum(each, content));
      }
    }
  }

  @Test
  void stripesMayComeInAnyOrder() throws IOException {
    byte[] content = random(severalParts());
    int half = content.length / 2;
    try (Upload upload = done(store.stage(null, path("/file"), content.length, TWO))) {
      if (!stagesInPlace()) {
        assertThatThrownBy(() -> upload.stripe(0))
            .isInstanceOf(UnsupportedOperationException.class);
        return;
      }
      Upload.Stripe first = upload.stripe(0);
      Upload.Stripe second = upload.stripe(half);
      int other = content.length - half;
      for (int at = 0; at < other; at += 100_000) {
        second.append(ByteBuffer.wrap(content, half + at, Math.min(100_000, other - at)));
        if (at < half) {
          first.append(ByteBuffer.wrap(content, at, Math.min(100_000, half - at)));
        }
      }
      assertThat(first.written() + second.written()).isEqualTo(upload.written());
      assertThat(upload.checksums().get(ChecksumAlgorithm.ADLER32))
          .isEqualTo(sum(ChecksumAlgorithm.ADLER32, content));
      done(upload.commit(Replace.NEVER));
    }
    assertThat(read("/file")).isEqualTo(content);
    assertKept(
        store.kept(entry("/file"), ChecksumAlgorithm.MD5), sum(ChecksumAlgorithm.MD5, content));
  }

  @Test
  void exactlyOneOfManyThatNeverReplaceWins() throws Exception {
    int writers = 32;
    CountDownLatch start = new CountDownLatch(1);
    List<Callable<Outcome<FileEntry>>> tasks = new ArrayList<>();
    for (int i = 0; i < writers; i++) {
      String content = "writer " + i;
      tasks.add(
          () -> {
            start.await();
            return put(store, "/file", content, Replace.NEVER);
          });
    }
    try (var threads = Executors.newFixedThreadPool(writers)) {
      List<Future<Outcome<FileEntry>>> futures = tasks.stream().map(threads::submit).toList();
      start.countDown();
      int winner = -1;
      for (int i = 0; i < writers; i++) {
        if (futures.get(i).get() instanceof Outcome.Refused<FileEntry> refused) {
          assertThat(refused.why()).isEqualTo(Refusal.EXISTS);
        } else {
          assertThat(winner).as("a second winner").isNegative();
          winner = i;
        }
      }
      assertThat(text(store, "/file")).isEqualTo("writer " + winner);
    }
  }

  @Test
  void createOnlyOfSeveralPartsDoesNotReplaceWhatCameMeanwhile() throws IOException {
    try (Upload upload = upload("/file", random(severalParts()))) {
      put(store, "/file", "meanwhile");
      assertThat(refusal(upload.commit(Replace.NEVER))).isEqualTo(Refusal.EXISTS);
    }
    assertThat(text(store, "/file")).isEqualTo("meanwhile");
    assertThat(tree(store)).hasSize(1);
  }

  @Test
  void consentIsAskedLastAndWithoutItNothingChanges() throws IOException {
    put(store, "/file", "before");
    try (Upload upload = upload("/file", "after".getBytes(StandardCharsets.UTF_8))) {
      Outcome<FileEntry> refused =
          upload.commit(() -> new Outcome.Refused<>(Refusal.LOCKED, "somebody holds it"));
      assertThat(refused).isEqualTo(new Outcome.Refused<>(Refusal.LOCKED, "somebody holds it"));
    }
    Consent never = () -> Outcome.Refused.of(Refusal.CONDITION_FAILED);
    put(store, "/other", "other");
    for (Outcome<?> each :
        List.of(
            store.makeCollection(path("/made"), never),
            store.delete(path("/file"), never),
            store.move(path("/other"), path("/file"), never),
            store.copy("tester", path("/other"), path("/file"), true, never))) {
      assertThat(refusal(each)).isEqualTo(Refusal.CONDITION_FAILED);
    }
    assertThat(tree(store)).isEqualTo(Map.of("/file", "before", "/other", "other"));
  }

  @Test
  void readersSeeOneVersionOrTheOtherWhileWritersReplace() throws Exception {
    put(store, "/file", "0".repeat(10_000));
    CountDownLatch done = new CountDownLatch(1);
    try (var threads = Executors.newFixedThreadPool(3)) {
      List<Future<Integer>> readers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        readers.add(
            threads.submit(
                () -> {
                  int reads = 0;
                  while (done.getCount() > 0) {
                    String seen = text(store, "/file");
                    assertThat(seen).hasSize(10_000);
                    assertThat(seen.chars().distinct().count()).isEqualTo(1);
                    reads++;
                  }
                  return reads;
                }));
      }
      for (int i = 0; i < 300; i++) {
        put(store, "/file", Integer.toString(i % 10).repeat(10_000));
      }
      done.countDown();
      for (Future<Integer> reader : readers) {
        assertThat(reader.get()).isPositive();
      }
    }
  }

  @Test
  void everyChangeOfContentChangesTheTag() throws IOException {
    List<String> tags = new ArrayList<>();
    tags.add(put(store, "/file", "aaaa").etag());
    tags.add(put(store, "/file", "bbbb").etag());
    done(store.delete(path("/file"), Replace.ALLOWED));
    tags.add(put(store, "/file", "cccc").etag());
    put(store, "/other", "ffff");
    done(store.move(path("/other"), path("/file"), Replace.ALLOWED));
    tags.add(entry("/file").etag());
    put(store, "/other", "gggg");
    done(store.copy("tester", path("/other"), path("/file"), true, Replace.ALLOWED));
    tags.add(entry("/file").etag());
    assertThat(tags).doesNotHaveDuplicates().allMatch(t -> t.matches("\"[!#-~]+\""));
    assertThat(entry("/file").etag()).as("and nothing else does").isEqualTo(tags.getLast());
  }

  @Test
  void checksumThatIsComputedLaterIsKeptBesideTheOthers() throws Exception {
    FileEntry file = put(store, "/file", "content");
    Checksum md5 = store.checksum(file, ChecksumAlgorithm.MD5);
    assertThat(md5.hex()).isEqualTo("9a0364b9e99bb480dd25e1f0284c8555");
    reopen();
    FileEntry again = entry("/file");
    assertKept(store.kept(again, ChecksumAlgorithm.MD5), md5);
    assertThat(store.kept(again, ChecksumAlgorithm.ADLER32).isPresent())
        .isEqualTo(store.keepsMetadata());
    assertThat(again.etag()).isEqualTo(file.etag());
    if (keepsTimeOfChecked()) {
      assertThat(again.modified()).isEqualTo(file.modified());
    }
    put(store, "/file", "another");
    assertThat(store.kept(entry("/file"), ChecksumAlgorithm.MD5)).as("of other bytes").isEmpty();
  }

  @Test
  void checksumOfAVersionThatIsGoneIsNotThatOfTheNext() throws Exception {
    FileEntry before = put(store, "/file", "content");
    FileEntry now = put(store, "/file", "another");
    assertThatThrownBy(() -> store.checksum(before, ChecksumAlgorithm.MD5))
        .isInstanceOf(FileChangedException.class);
    assertThat(store.checksum(now, ChecksumAlgorithm.MD5).hex())
        .isEqualTo("b32d73e56ec99bc5ec8f83871cde708a");
  }

  @Test
  void modificationTimeOfTheSenderIsKeptToTheSecond() throws Exception {
    Instant then = Instant.parse("2020-02-03T04:05:06Z");
    try (Upload upload = upload("/file", new byte[3])) {
      assertThat(upload.modified(then)).isEqualTo(keepsModified());
      done(upload.commit(Replace.NEVER));
    }
    reopen();
    if (!keepsModified()) {
      assertThat(entry("/file").modified()).isAfter(then);
      return;
    }
    assertThat(entry("/file").modified().truncatedTo(ChronoUnit.SECONDS)).isEqualTo(then);
  }

  @Test
  void comparisonIsRemembered() throws Exception {
    Instant when = Instant.parse("2026-11-01T00:00:00Z");
    FileEntry file = put(store, "/file", "x");
    assertThat(store.compared(file)).isEmpty();
    store.keepCompared(file, when);
    reopen();
    assertThat(store.compared(entry("/file")))
        .isEqualTo(store.keepsMetadata() ? Optional.of(when) : Optional.empty());
    assertThat(entry("/file").etag()).isEqualTo(file.etag());
  }

  @Test
  void propertiesOfAFileAreReadBackGoWithItAndAreRemoved() throws Exception {
    FileEntry file = put(store, "/file", "x");
    assertThat(store.properties(file)).isEmpty();
    if (!keepsProperties()) {
      assertThat(refusal(store.keepProperties(file, "text"))).isEqualTo(Refusal.UNSUPPORTED);
      return;
    }
    done(store.keepProperties(file, "some text \u00e4"));
    reopen();
    assertThat(store.properties(entry("/file"))).contains("some text \u00e4");
    assertThat(refusal(store.keepProperties(entry("/file"), "x".repeat(200_000))))
        .isEqualTo(Refusal.NO_SPACE);
    done(store.copy("tester", path("/file"), path("/copy"), true, Replace.NEVER));
    done(store.move(path("/file"), path("/moved"), Replace.NEVER));
    put(store, "/moved", "replaced");
    for (String each : List.of("/copy", "/moved")) {
      assertThat(store.properties(entry(each))).as(each).contains("some text \u00e4");
    }
    done(store.keepProperties(entry("/copy"), ""));
    assertThat(store.properties(entry("/copy"))).isEmpty();
  }

  @Test
  void openFileNeverGivesBytesOfAnotherVersion() throws IOException {
    byte[] first = random(severalParts());
    try (Upload upload = upload("/file", first)) {
      done(upload.commit(Replace.NEVER));
    }
    try (OpenFile file = done(store.open(path("/file")))) {
      assertThat(read(file, 0, 10)).startsWith(first[0], first[1]);
      put(store, "/file", "other bytes ".repeat(1000));
      byte[] rest;
      try {
        rest = read(file, 100, 10);
      } catch (IOException goneWithItsVersion) {
        return;
      }
      assertThat(rest).startsWith(first[100], first[101], first[102]);
    }
  }

  @Test
  void bytesPutIntoAFileMakeANewVersionOrAreRefusedWithTheReason() throws IOException {
    put(store, "/file", "0123456789");
    Outcome<FileEntry> outcome;
    try (Upload upload = upload("/file", "abc".getBytes(StandardCharsets.UTF_8))) {
      outcome = upload.commitRange(4, Replace.ALLOWED);
    }
    Optional<Refusal> refused = refusesRanges();
    if (refused.isPresent()) {
      assertThat(refusal(outcome)).isEqualTo(refused.get());
      assertThat(text(store, "/file")).isEqualTo("0123456789");
      return;
    }
    done(outcome);
    assertThat(text(store, "/file")).isEqualTo("0123abc789");
    assertThat(store.kept(entry("/file"), ChecksumAlgorithm.ADLER32)).isEmpty();
    try (Upload beyond = upload("/file", new byte[1])) {
      assertThat(refusal(beyond.commitRange(11, Replace.ALLOWED))).isEqualTo(Refusal.CONFLICT);
    }
  }

  @Test
  void roomTellsWhatTheFilesTake() throws Exception {
    put(store, "/file", "0123456789");
    store.recount();
    if (countsFiles()) {
      assertThat(store.room().used()).isEqualTo(10);
      assertThat(store.room().files()).isEqualTo(1);
    }
    assertThat(store.room().staged()).isZero();
    assertThat(store.room().available()).isPositive();
    try (Upload upload = upload("/other", new byte[5000])) {
      assertThat(store.room().staged()).isGreaterThanOrEqualTo(5000);
      assertThat(upload.written()).isEqualTo(5000);
    }
    assertThat(store.room().staged()).isZero();
    done(store.delete(path("/file"), Replace.ALLOWED));
    assertThat(store.room().used() == 0).isEqualTo(countsFiles());
  }
}
