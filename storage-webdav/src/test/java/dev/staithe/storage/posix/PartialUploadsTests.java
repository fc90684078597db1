package dev.staithe.storage.posix;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.PartialUploads;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.SteadyClock;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.files.StoreFixture;
import dev.staithe.storage.state.Sync;
import dev.staithe.testkit.MutableClock;
import dev.staithe.testkit.Trials;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long an upload in parts is kept, by clocks that are set. */
final class PartialUploadsTests {
  private static final Duration DAY = Duration.ofDays(1);

  private final MutableClock clock = MutableClock.at(Instant.parse("2026-11-21T08:00:00Z"));
  private final AtomicLong nanos = new AtomicLong();
  @TempDir private Path folder;
  private FileStore store;
  private PartialUploads uploads;

  @BeforeEach
  void open() throws IOException {
    store = PosixStore.open(folder, PosixStore.Settings.DEFAULT);
    uploads = restarted();
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  private PartialUploads restarted() throws IOException {
    return store.partialUploads(new SteadyClock(clock, nanos::get), DAY);
  }

  private PartialUploads.Partial begun() throws IOException {
    PartialUploads.Partial partial = StoreFixture.done(begin("alice"));
    try (PartialUploads.Appender appender = StoreFixture.done(uploads.append(partial))) {
      appender.append(ByteBuffer.wrap(new byte[4]));
    }
    return partial;
  }

  @Test
  void whereTheRecordCannotBeWrittenNothingOfTheUploadIsLeft() throws IOException {
    String thatNoFileTakes = "\uD800";
    assertThatThrownBy(() -> begin("alice", thatNoFileTakes))
        .isInstanceOf(CharacterCodingException.class);
    assertThat(uploads.open()).isZero();
    assertThat(folder.resolve(".staithe/uploads")).isEmptyDirectory();
  }

  @Test
  void uploadDoesNotExpireWhileARequestIsAtIt() throws IOException {
    PartialUploads.Partial partial = begun();
    try (PartialUploads.Appender appender = StoreFixture.done(uploads.append(partial))) {
      appender.append(ByteBuffer.wrap(new byte[3]));
      nanos.addAndGet(DAY.toNanos());
      begun(); // looks for what has expired
      appender.append(ByteBuffer.wrap(new byte[3]));
    }
    StoreFixture.done(uploads.finish(partial, FileStore.Replace.ALLOWED, List.of()));
    assertThat(store.find(StoragePath.of("/f")).orElseThrow().size()).isEqualTo(10);
  }

  @Test
  void uploadDoesNotExpireWhileARequestToAnotherNodeIsAtIt() throws IOException {
    var shared = new PosixStore.Settings(Sync.NONE, false, 0, 100, true);
    store.close();
    store = PosixStore.open(folder, shared);
    uploads = restarted();
    PartialUploads.Partial partial = StoreFixture.done(begin("alice"));
    try (FileStore node = PosixStore.open(folder, shared)) {
      PartialUploads there = node.partialUploads(new SteadyClock(clock, nanos::get), DAY);
      try (PartialUploads.Turn _ = there.turn(partial.id())) {
        nanos.addAndGet(DAY.toNanos());
        uploads.sweep();
        assertThat(uploads.open()).isEqualTo(1);
      }
      nanos.addAndGet(Duration.ofMinutes(1).toNanos());
      uploads.sweep();
      assertThat(uploads.open()).isZero();
    }
  }

  @Test
  void uploadThatExpiresGoesThoughNobodyBeginsAnother() throws IOException {
    begun();
    nanos.addAndGet(DAY.toNanos());
    uploads.sweep();
    assertThat(uploads.open()).isZero();
    assertThat(store.room().staged()).isZero();
  }

  @Test
  void clockThatIsSetAheadDropsNoUploadAndOneThatIsSetBackKeepsNoneLonger() throws IOException {
    PartialUploads.Partial partial = begun();
    for (Duration jump : List.of(Duration.ofDays(400), Duration.ofDays(-800))) {
      clock.advance(jump);
      begun(); // looks for what has expired
      PartialUploads.Partial found = uploads.find(partial.id()).orElseThrow();
      assertThat(uploads.offset(found)).isEqualTo(4);
      assertThat(uploads.left(found)).isEqualTo(DAY);
    }
    nanos.addAndGet(DAY.toNanos());
    assertThat(uploads.find(partial.id())).isEmpty();
    begun();
    assertThat(uploads.open()).as("the others are gone").isEqualTo(1);
  }

  @Test
  void afterARestartTheClockIsBelievedAndNoUploadIsKeptLongerThanANewOne() throws IOException {
    PartialUploads.Partial partial = begun();
    clock.advance(Duration.ofDays(-400));
    uploads = restarted();
    assertThat(uploads.left(uploads.find(partial.id()).orElseThrow())).isEqualTo(DAY);
    nanos.addAndGet(DAY.toNanos());
    assertThat(uploads.find(partial.id())).isEmpty();
    partial = begun();
    clock.advance(Duration.ofDays(402));
    uploads = restarted();
    assertThat(uploads.find(partial.id())).isEmpty();
  }

  @Test
  void uploadThatIsGivenUpWhileItsBytesComeTakesNothingOfItsHoldersShare() throws IOException {
    PartialUploads.Partial partial = begun();
    assertThat(store.room().staged()).isEqualTo(4);
    PartialUploads.Appender appender = StoreFixture.done(uploads.append(partial));
    appender.append(ByteBuffer.wrap(new byte[2]));
    appender.keep();
    appender.append(ByteBuffer.wrap(new byte[1]));
    uploads.cancel(partial);
    appender.close();
    assertThat(store.room().staged()).isZero();
    assertThat(uploads.open()).isZero();
  }

  private Outcome<PartialUploads.Partial> begin(String holder) throws IOException {
    return begin(holder, "");
  }

  private Outcome<PartialUploads.Partial> begin(String holder, String conditions)
      throws IOException {
    return uploads.begin(
        new PartialUploads.Announced(
            StoragePath.of("/f"), holder, 10, List.of(), conditions, Set.of()));
  }

  @Test
  void holderOfTooManyUploadsBeginsNoMoreAndAnotherDoes() throws IOException {
    PartialUploads.Partial first = StoreFixture.done(begin("alice"));
    for (int i = 1; i < PartialUploads.MOST_OF_ONE; i++) {
      StoreFixture.done(begin("alice"));
    }
    assertThat(StoreFixture.refusal(begin("alice"))).isEqualTo(Refusal.TOO_MANY);
    uploads = restarted();
    assertThat(StoreFixture.refusal(begin("alice"))).isEqualTo(Refusal.TOO_MANY);
    StoreFixture.done(begin("bob"));
    uploads.cancel(first);
    StoreFixture.done(begin("alice"));
    assertThat(StoreFixture.refusal(begin("alice"))).isEqualTo(Refusal.TOO_MANY);
    nanos.addAndGet(DAY.toNanos());
    StoreFixture.done(begin("alice"));
    Trials.held(PartialUploads.MOST_OF_ONE);
  }

  /** ext4 may bring the length of what is appended to the device, and no bytes. */
  @Test
  void whatAPowerCutLeftBehindTheKeptBytesIsNeitherToldNorStored() throws IOException {
    PartialUploads.Partial partial = StoreFixture.done(begin("alice"));
    try (PartialUploads.Appender appender = StoreFixture.done(uploads.append(partial))) {
      appender.append(ByteBuffer.wrap("abcd".getBytes(US_ASCII)));
    }
    Files.write(data(partial), new byte[6], StandardOpenOption.APPEND);
    uploads = restarted();

    assertThat(uploads.offset(uploads.find(partial.id()).orElseThrow())).isEqualTo(4);
    try (PartialUploads.Appender appender = StoreFixture.done(uploads.append(partial))) {
      appender.append(ByteBuffer.wrap("efg".getBytes(US_ASCII)));
    }
    StoreFixture.done(
        uploads.finish(partial, () -> new Outcome.Done<>(FileStore.Replace.ALLOWED), List.of()));
    assertThat(folder.resolve("f")).hasContent("abcdefg");
  }

  @Test
  void whatIsKeptMeanwhileIsToldAfterAKill() throws IOException {
    PartialUploads.Partial partial = begun();
    PartialUploads.Appender killed = StoreFixture.done(uploads.append(partial));
    killed.append(ByteBuffer.wrap(new byte[2]));
    killed.keep();
    killed.append(ByteBuffer.wrap(new byte[1]));

    uploads = restarted();
    assertThat(uploads.offset(uploads.find(partial.id()).orElseThrow())).isEqualTo(6);
    killed.close();
    assertThat(uploads.offset(partial)).isEqualTo(7);
  }

  /** The record is to say so next. */
  @Test
  void uploadWhoseFileHadItsNameAtAKillTakesNothingOfItsHoldersShare() throws IOException {
    PartialUploads.Partial partial = begun();
    Files.move(data(partial), folder.resolve("f"));
    store.close();
    open();

    assertThat(uploads.find(partial.id()).orElseThrow().complete()).isTrue();
    assertThat(store.room().staged()).isZero();
  }

  /** An upload that an earlier version has begun. */
  @Test
  void recordWithoutTheNumberOfKeptBytesIsBelievedByTheLengthAndGetsOne() throws IOException {
    PartialUploads.Partial partial = begun();
    Path record = data(partial).resolveSibling(partial.id() + ".record");
    String text = Files.readString(record);
    Files.writeString(record, text.substring(text.indexOf('\n') + 1));

    uploads = restarted();
    assertThat(uploads.offset(uploads.find(partial.id()).orElseThrow())).isEqualTo(4);
    try (PartialUploads.Appender appender = StoreFixture.done(uploads.append(partial))) {
      appender.append(ByteBuffer.wrap(new byte[1]));
    }
    assertThat(Files.readString(record)).isEqualTo(text.replaceFirst("4", "5"));
  }

  private Path data(PartialUploads.Partial partial) {
    return folder.resolve(".staithe/uploads/" + partial.id());
  }
}
