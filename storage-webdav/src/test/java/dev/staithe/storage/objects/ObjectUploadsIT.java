package dev.staithe.storage.objects;

import static dev.staithe.storage.files.StoreFixture.done;
import static dev.staithe.storage.files.StoreFixture.path;
import static dev.staithe.storage.files.StoreFixture.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.staithe.peers.VersityServer;
import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.FileStore.Replace;
import dev.staithe.storage.files.OpenFile;
import dev.staithe.storage.files.PartialUploads;
import dev.staithe.storage.files.PartialUploads.Partial;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.SteadyClock;
import dev.staithe.storage.files.StoreAwayException;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.MutableClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Uploads over several requests in a bucket: what is kept of them, and what is left of them. */
final class ObjectUploadsIT {
  /** With the engine at once. */
  private static final int CONNECTIONS = 2;

  private static final Duration LIFETIME = Duration.ofDays(2);
  private static final Set<ChecksumAlgorithm> SHA = EnumSet.of(ChecksumAlgorithm.SHA_256);

  @TempDir private Path state;
  private static VersityServer engine;
  private static BucketFixture bucket;
  private final String prefix = BucketFixture.prefix();

  @BeforeAll
  static void start() {
    engine = VersityServer.start(BucketFixture.BUCKET);
    bucket = BucketFixture.of(engine);
  }

  @AfterAll
  static void end() {
    engine.close();
  }

  private FileStore open() throws IOException {
    return bucket.open(prefix, state);
  }

  private static PartialUploads uploads(FileStore store) throws IOException {
    return uploads(store, Clock.systemUTC());
  }

  private static PartialUploads uploads(FileStore store, Clock clock) throws IOException {
    return store.partialUploads(new SteadyClock(clock), LIFETIME);
  }

  private static byte[] random(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  private static Partial begin(PartialUploads uploads, String path) throws IOException {
    return done(
        uploads.begin(new PartialUploads.Announced(path(path), "ada", -1, List.of(), "", SHA)));
  }

  private static void append(PartialUploads uploads, Partial to, byte[] content, int from, int end)
      throws IOException {
    try (PartialUploads.Appender appender = done(uploads.append(to))) {
      for (int at = from; at < end; at += 1 << 16) {
        appender.append(ByteBuffer.wrap(content, at, Math.min(1 << 16, end - at)));
      }
    }
  }

  /** What is stored of the area; the gateway removes folders in which nothing is left. */
  private List<String> left() throws IOException {
    Path area = engine.dataFolder().resolve(BucketFixture.BUCKET).resolve(prefix);
    if (!Files.exists(area)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(area)) {
      return files.filter(Files::isRegularFile).map(Path::toString).toList();
    }
  }

  private static byte[] read(FileStore store, String path) throws IOException {
    try (OpenFile file = done(store.open(path(path)))) {
      ByteBuffer bytes = ByteBuffer.allocate((int) file.entry().size());
      while (bytes.hasRemaining() && file.read(bytes, bytes.position()) > 0) {
        // Until all of it is there.
      }
      return bytes.array();
    }
  }

  /** Ends of requests within, at and behind the ends of parts; a server that starts between. */
  @Test
  void bytesComeByRequestsOfAnyLengthThroughRestartsAndTheDigestIsOfAll() throws Exception {
    byte[] content = random((50 << 20) + 5);
    int part = 16 << 20;
    int[] ends = {
      1, 1 << 20, (1 << 20) + 1, part, part + 1, 2 * part + 7, 3 * part, content.length
    };
    String id = "";
    int from = 0;
    for (int end : ends) {
      try (FileStore store = open()) {
        PartialUploads uploads = uploads(store);
        Partial partial = id.isEmpty() ? begin(uploads, "/file") : uploads.find(id).orElseThrow();
        id = partial.id();
        assertThat(uploads.offset(partial)).isEqualTo(from);
        assertThat(store.room().staged()).isEqualTo(from);
        append(uploads, partial, content, from, end);
        assertThat(store.find(path("/file"))).isEmpty();
        from = end;
      }
    }
    try (FileStore store = open()) {
      PartialUploads uploads = uploads(store);
      Partial partial = uploads.find(id).orElseThrow();
      Map<ChecksumAlgorithm, Checksum> sums = uploads.checksums(partial, SHA);
      assertThat(sums.get(ChecksumAlgorithm.SHA_256).value())
          .isEqualTo(MessageDigest.getInstance("SHA-256").digest(content));
      assertThat(uploads.checksums(partial, EnumSet.of(ChecksumAlgorithm.MD5)))
          .as("not counted from the beginning")
          .isEmpty();
      done(uploads.finish(partial, Replace.NEVER, sums.values()));
      assertThat(read(store, "/file")).isEqualTo(content);
      assertThat(store.room().staged()).isZero();
    }
    assertThat(left()).as("nothing but the file").hasSize(1);
  }

  @Test
  void whatIsKeptMeanwhileIsThereAfterAKillAndNothingBehindItIs() throws IOException {
    byte[] content = random((17 << 20) + 3);
    FileStore killed = open();
    PartialUploads before = uploads(killed);
    Partial partial = begin(before, "/file");
    PartialUploads.Appender appender = done(before.append(partial));
    appender.append(ByteBuffer.wrap(content));
    appender.keep();
    appender.append(ByteBuffer.wrap(new byte[1000]));
    // What a kill leaves: the other server has no more than the folder and the bucket.
    try (FileStore store = open()) {
      PartialUploads uploads = uploads(store);
      Partial found = uploads.find(partial.id()).orElseThrow();
      assertThat(uploads.offset(found)).isEqualTo(content.length);
      append(uploads, found, new byte[] {1, 2}, 0, 2);
      done(uploads.finish(found, Replace.NEVER, List.of()));
      byte[] whole = Arrays.copyOf(content, content.length + 2);
      whole[content.length] = 1;
      whole[content.length + 1] = 2;
      assertThat(read(store, "/file")).isEqualTo(whole);
    } finally {
      killed.close();
    }
  }

  @Test
  void fileThatGotItsNameBeforeTheRecordSaidSoIsCompleteAfterAKill() throws IOException {
    for (byte[] content : List.of(random(100), random((17 << 20) + 1))) {
      String name = "/file-" + content.length;
      Partial partial;
      byte[] record;
      try (FileStore store = open()) {
        PartialUploads uploads = uploads(store);
        partial = begin(uploads, name).withLength(content.length);
        uploads.record(partial);
        append(uploads, partial, content, 0, content.length);
        record = Files.readAllBytes(record(partial));
        done(uploads.finish(partial, Replace.NEVER, List.of()));
        Files.write(record(partial), record);
      }
      try (FileStore store = open()) {
        PartialUploads uploads = uploads(store);
        assertThat(uploads.find(partial.id()).orElseThrow().complete()).isTrue();
        assertThat(uploads.open()).isZero();
        assertThat(store.kept(store.find(path(name)).orElseThrow(), ChecksumAlgorithm.SHA_256))
            .isPresent();
      }
    }
  }

  private Path record(Partial partial) {
    return state.resolve(".staithe/uploads").resolve(partial.id());
  }

  @Test
  void createOnlyIsKeptAndTheUploadStaysForAnotherTry() throws IOException {
    byte[] content = random((17 << 20) + 1);
    try (FileStore store = open()) {
      PartialUploads uploads = uploads(store);
      Partial first = begin(uploads, "/file");
      Partial second = begin(uploads, "/file");
      append(uploads, first, content, 0, content.length);
      append(uploads, second, content, 0, 10);
      done(uploads.finish(second, Replace.NEVER, List.of()));
      assertThat(refusal(uploads.finish(first, Replace.NEVER, List.of())))
          .isEqualTo(Refusal.EXISTS);
      assertThat(read(store, "/file")).hasSize(10);
      assertThat(uploads.find(first.id()).orElseThrow().complete()).isFalse();
      done(uploads.finish(first, Replace.ALLOWED, List.of()));
      assertThat(read(store, "/file")).isEqualTo(content);
    }
  }

  @Test
  void uploadThatNobodyGoesOnWithIsGivenUpAtItsEndAndNotByASweepBefore() throws IOException {
    MutableClock clock = MutableClock.at(Instant.now());
    byte[] content = random((17 << 20) + 1);
    Partial partial;
    try (FileStore store = open()) {
      PartialUploads uploads = uploads(store, clock);
      partial = begin(uploads, "/file");
      append(uploads, partial, content, 0, content.length);
    }
    clock.advance(LIFETIME.minusHours(1));
    bucket.sweep(prefix, state, clock);
    try (FileStore store = open()) {
      PartialUploads uploads = uploads(store, clock);
      Partial found = uploads.find(partial.id()).orElseThrow();
      append(uploads, found, new byte[1], 0, 1);
      assertThat(bucket.engineUploads(prefix)).isEqualTo(1);
    }
    clock.advance(Duration.ofHours(2));
    try (FileStore store = open()) {
      PartialUploads uploads = uploads(store, clock);
      assertThat(uploads.find(partial.id())).isEmpty();
      assertThat(uploads.open()).isZero();
      assertThat(store.room().staged()).isZero();
    }
    assertThat(bucket.engineUploads(prefix)).isZero();
    assertThat(left()).isEmpty();
  }

  @Test
  void ofAnUploadThatWasCompletedNobodyIsToldThatItWasRemoved() throws IOException {
    AtomicLong nanos = new AtomicLong();
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    Logger log = (Logger) LoggerFactory.getLogger(ObjectUploads.class);
    try (FileStore store = open()) {
      PartialUploads uploads =
          store.partialUploads(new SteadyClock(Clock.systemUTC(), nanos::get), LIFETIME);
      begin(uploads, "/left");
      Partial partial = begin(uploads, "/file");
      append(uploads, partial, random(10), 0, 10);
      done(uploads.finish(partial, Replace.NEVER, List.of()));
      lines.start();
      log.addAppender(lines);
      nanos.set(LIFETIME.plusHours(1).toNanos());
      uploads.sweep();
      assertThat(uploads.find(partial.id())).isEmpty();
      assertThat(read(store, "/file")).hasSize(10);
    } finally {
      log.detachAppender(lines);
    }
    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly("an upload to /left that nobody went on with was removed");
  }

  @Test
  void uploadThatIsGivenUpWhileItComesLeavesNoPartInTheEngine() throws IOException {
    try (FileStore store = open()) {
      PartialUploads uploads = uploads(store);
      Partial partial = begin(uploads, "/file");
      try (PartialUploads.Appender appender = done(uploads.append(partial))) {
        appender.append(ByteBuffer.wrap(random((17 << 20) + 1)));
        uploads.cancel(partial);
      }
      assertThat(uploads.find(partial.id())).isEmpty();
      assertThat(store.room().staged()).isZero();
    }
    assertThat(bucket.engineUploads(prefix)).isZero();
    assertThat(left()).isEmpty();
  }

  @Test
  void whoWaitsForMemoryToGoOnHoldsNoConnectionWithTheEngine() throws Exception {
    byte[] content = random(2 << 20);
    try (FileStore store = bucket.open(prefix, state, 4, CONNECTIONS)) {
      PartialUploads uploads = uploads(store);
      List<PartialUploads.Appender> having = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        Partial partial = begin(uploads, "/having-" + i);
        append(uploads, partial, content, 0, content.length);
        having.add(done(uploads.append(partial)));
      }
      List<Partial> waiting = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        waiting.add(begin(uploads, "/waiting-" + i));
        append(uploads, waiting.getLast(), content, 0, content.length);
      }
      for (PartialUploads.Appender each : having) {
        each.append(ByteBuffer.wrap(content, 0, 1)); // Half of all buffers are the caller's now.
      }
      List<FutureTask<Boolean>> goOn = new ArrayList<>();
      for (Partial each : waiting) {
        goOn.add(
            new FutureTask<>(
                () -> {
                  append(uploads, each, content, 0, 1);
                  return true;
                }));
        Thread thread = Thread.ofVirtual().start(goOn.getLast());
        Eventually.holds("it waits", () -> thread.getState() == Thread.State.TIMED_WAITING);
      }
      assertThat(store.find(path("/another"))).isEmpty();
      assertThat(goOn).as("still wait").noneMatch(FutureTask::isDone);
      for (PartialUploads.Appender each : having) {
        each.close();
      }
      for (int i = 0; i < CONNECTIONS; i++) {
        assertThat(goOn.get(i).get()).isTrue();
        assertThat(uploads.offset(waiting.get(i))).isEqualTo(content.length + 1);
      }
    }
  }

  @Test
  void whatALostFolderLeavesIsSweptAfterADay() throws IOException {
    byte[] content = random((17 << 20) + 1);
    try (FileStore store = open()) {
      PartialUploads uploads = uploads(store);
      append(uploads, begin(uploads, "/file"), content, 0, content.length);
      append(uploads, begin(uploads, "/small"), content, 0, 10);
    }
    assertThat(left()).hasSize(2);
    Path empty = Files.createDirectory(state.resolve("empty"));
    bucket.open(prefix, empty).close();
    assertThat(left()).as("not before").hasSize(2);
    bucket.sweep(prefix, empty, Clock.offset(Clock.systemUTC(), Duration.ofHours(25)));
    assertThat(left()).isEmpty();
    assertThat(bucket.engineUploads(prefix)).isZero();
  }

  @Test
  void uploadWhosePartsOthersHaveRemovedIsUnknownFromThenOn() throws IOException {
    byte[] content = random((17 << 20) + 1);
    try (FileStore store = open()) {
      PartialUploads uploads = uploads(store);
      Partial parts = begin(uploads, "/parts");
      append(uploads, parts, content, 0, content.length);
      Partial rest = begin(uploads, "/rest");
      append(uploads, rest, content, 0, 10);
      bucket.loseUploads(prefix);
      assertThatThrownBy(() -> append(uploads, parts, content, 0, content.length))
          .isInstanceOf(StoreAwayException.class)
          .hasMessageContaining("begin another");
      assertThatThrownBy(() -> append(uploads, rest, content, 0, 10))
          .isInstanceOf(StoreAwayException.class)
          .hasMessageContaining("begin another");
      assertThat(uploads.find(parts.id())).isEmpty();
      assertThat(uploads.find(rest.id())).isEmpty();
      assertThat(store.room().staged()).isZero();
    }
  }
}
