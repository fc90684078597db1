package dev.staithe.storage.posix;

import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.files.Consent;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.NoSpaceException;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.PartialUploads;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.SteadyClock;
import dev.staithe.storage.state.Sync;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Uploads in parts as files in the area's reserved folder, each beside its record. */
final class PosixUploads implements PartialUploads {
  private static final Logger log = LoggerFactory.getLogger(PosixUploads.class);

  /** Between looks for what has expired, each of which reads all records. */
  private static final Duration SWEEP = Duration.ofMinutes(1);

  private final PosixStore store;
  private final Publication publication;
  private final Path folder;
  private final @Nullable NodeLocks nodes;
  private final SteadyClock clock;
  private final Duration lifetime;
  private final Sync sync;
  private final UploadRecords records;
  private final Map<String, Integer> ofHolder = new ConcurrentHashMap<>();

  /** Of each upload that is not complete, what its holder's share has. */
  private final Map<String, Counted> counted = new ConcurrentHashMap<>();

  /** Those that a request of this server is at, which do not expire meanwhile. */
  private final Set<String> busy = ConcurrentHashMap.newKeySet();

  private volatile Instant swept = Instant.MIN;

  private record Counted(String holder, long bytes) {}

  PosixUploads(
      PosixStore store,
      Publication publication,
      Path folder,
      @Nullable NodeLocks nodes,
      SteadyClock clock,
      Duration lifetime)
      throws IOException {
    this.store = store;
    this.publication = publication;
    this.nodes = nodes;
    this.folder = Files.createDirectories(folder);
    this.clock = clock;
    this.lifetime = lifetime;
    this.sync = store.settings().sync();
    this.records = new UploadRecords(folder, sync, nodes != null);
    sweep();
  }

  @Override
  public Turn turn(String id) throws IOException {
    return nodes == null ? () -> {} : nodes.upload(id)::close;
  }

  @Override
  public long open() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> !file.toString().endsWith(UploadRecords.SUFFIX)).count();
    }
  }

  @Override
  public Outcome<Partial> begin(Announced upload) throws IOException {
    sweep();
    if (ofHolder.getOrDefault(upload.holder(), 0) >= MOST_OF_ONE) {
      return new Outcome.Refused<>(
          Refusal.TOO_MANY,
          "you have " + MOST_OF_ONE + " uploads here that are not complete: end some");
    }
    Optional<Refusal> obstacle = store.obstacle(upload.target());
    if (obstacle.isPresent()) {
      return Outcome.Refused.of(obstacle.get());
    }
    switch (store.reserve(upload.holder(), Math.max(0, upload.length()))) {
      case Outcome.Refused<Space.Reservation> refused -> {
        return refused.as();
      }
      // Taken when the bytes come, by each request for those that are still to come.
      case Outcome.Done<Space.Reservation> room -> room.value().close();
    }
    Partial partial = upload.begun(clock.instant().plus(lifetime));
    boolean begun = false;
    try {
      Files.createFile(data(partial.id()));
      records.write(partial, 0);
      begun = true;
      ofHolder.merge(upload.holder(), 1, Integer::sum);
      return new Outcome.Done<>(partial);
    } catch (FileSystemException e) {
      return Confinement.refusal(e);
    } finally {
      if (!begun) {
        records.remove(partial.id());
        Files.deleteIfExists(data(partial.id()));
      }
    }
  }

  @Override
  public Optional<Partial> find(String id) throws IOException {
    if (!id.matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")) {
      return Optional.empty();
    }
    try {
      return Optional.of(known(id)).filter(p -> p.expires().isAfter(clock.instant()));
    } catch (NoSuchFileException absent) {
      return Optional.empty();
    }
  }

  /** What the record of an upload and its bytes tell. */
  private Partial known(String id) throws IOException {
    Partial partial = records.read(id);
    // The record goes first where an upload is given up; so the file has got its name where there
    // are no bytes, and the server ended before it could say so.
    return Files.exists(data(id)) ? partial : partial.completed();
  }

  @Override
  public long offset(Partial partial) throws IOException {
    try {
      return partial.complete()
          ? partial.length()
          : Math.min(Files.size(data(partial.id())), records.offset(partial.id()));
    } catch (NoSuchFileException named) {
      return partial.length();
    }
  }

  @Override
  public void record(Partial partial) throws IOException {
    records.write(partial, offset(partial));
  }

  /** Appends to an upload; for one thread. */
  private final class PosixAppender implements Appender {
    private final Partial partial;
    private final FileChannel channel;
    private final Space.Reservation room;
    private long position;
    private long kept;

    /** Whether a wait for the device failed: the next one would tell nothing of what is lost. */
    private boolean doubtful;

    private PosixAppender(
        Partial partial, FileChannel channel, Space.Reservation room, long position) {
      this.partial = partial;
      this.channel = channel;
      this.room = room;
      this.position = position;
      this.kept = position;
    }

    @Override
    public void append(ByteBuffer bytes) throws IOException {
      int total = bytes.remaining();
      try {
        room.need(total);
        while (bytes.hasRemaining()) {
          position += channel.write(bytes, position);
        }
        room.used(total);
      } catch (IOException e) {
        throw NoSpaceException.tell(e);
      }
    }

    @Override
    public long position() {
      return position;
    }

    @Override
    public void keep() throws IOException {
      doubtful = true;
      sync.data(channel);
      doubtful = false;
      records.keepOffset(partial.id(), position);
      room.passOn(position - kept);
      count(partial.id(), partial.holder(), position);
      kept = position;
    }

    /** Keeps what has come, but where that failed before: who goes on sends it once more. */
    @Override
    public void close() throws IOException {
      try (Space.Reservation _ = room;
          FileChannel _ = channel) {
        if (!doubtful) {
          keep();
        }
      } finally {
        busy.remove(partial.id());
      }
    }
  }

  @Override
  public Outcome<Appender> append(Partial partial) throws IOException {
    long offset = offset(partial);
    Space.Reservation room;
    switch (store.reserve(partial.holder(), Math.max(0, partial.length() - offset))) {
      case Outcome.Refused<Space.Reservation> refused -> {
        return refused.as();
      }
      case Outcome.Done<Space.Reservation> done -> room = done.value();
    }
    FileChannel channel;
    try {
      channel = FileChannel.open(data(partial.id()), StandardOpenOption.WRITE);
    } catch (FileSystemException e) {
      room.close();
      return Confinement.refusal(e);
    }
    try {
      // What lies behind it when the server had no time to keep it may be zeros.
      channel.truncate(offset);
    } catch (IOException e) {
      try (room) {
        channel.close();
      }
      throw e;
    }
    busy.add(partial.id());
    return new Outcome.Done<>(new PosixAppender(partial, channel, room, offset));
  }

  @Override
  public Map<ChecksumAlgorithm, Checksum> checksums(
      Partial partial, Set<ChecksumAlgorithm> algorithms) throws IOException {
    Map<ChecksumAlgorithm, Checksum> checksums = new EnumMap<>(ChecksumAlgorithm.class);
    busy.add(partial.id());
    try (FileChannel channel = FileChannel.open(data(partial.id()), StandardOpenOption.READ)) {
      for (ChecksumAlgorithm algorithm : algorithms) {
        checksums.put(algorithm, KeptMetadata.compute(channel, algorithm));
      }
    } finally {
      busy.remove(partial.id());
    }
    return checksums;
  }

  @Override
  public Outcome<FileEntry> finish(Partial partial, Consent consent, Collection<Checksum> checksums)
      throws IOException {
    Path data = data(partial.id());
    busy.add(partial.id());
    try (FileChannel channel = FileChannel.open(data, StandardOpenOption.WRITE)) {
      Partial whole = partial.withLength(channel.size());
      if (whole.length() != partial.length()) {
        // Known from then on, whatever happens after the file has got its name.
        record(whole);
      }
      Outcome<FileEntry> published =
          publication.publish(data, channel, partial.target(), consent, checksums, null);
      if (published instanceof Outcome.Done<FileEntry>) {
        record(whole.completed());
        oneLess(partial);
        count(partial.id(), partial.holder(), 0);
      }
      return published;
    } finally {
      busy.remove(partial.id());
    }
  }

  @Override
  public void cancel(Partial partial) throws IOException {
    if (records.remove(partial.id()) && !partial.complete()) {
      oneLess(partial);
    }
    Files.deleteIfExists(data(partial.id()));
    count(partial.id(), partial.holder(), 0);
  }

  /** Tells the holder's share how many bytes an upload has: none once it is given up. */
  private void count(String id, String holder, long bytes) {
    counted.compute(
        id,
        (each, before) -> {
          // Asked in here: who gives it up removes the record first and then counts none.
          long now = bytes > 0 && records.exists(id) ? bytes : 0;
          store.hold(holder, now - (before == null ? 0 : before.bytes()));
          return now == 0 ? null : new Counted(holder, now);
        });
  }

  private void oneLess(Partial partial) {
    ofHolder.computeIfPresent(partial.holder(), (holder, n) -> n > 1 ? n - 1 : null);
  }

  @Override
  public Duration left(Partial partial) {
    return Duration.between(clock.instant(), partial.expires());
  }

  @Override
  public void sweep() throws IOException {
    if (clock.instant().isBefore(swept)) {
      return;
    }
    swept = clock.instant().plus(SWEEP);
    Map<String, Integer> found = new HashMap<>();
    Set<String> incomplete = new HashSet<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        if (!name.endsWith(UploadRecords.SUFFIX)) {
          sweepWithoutRecord(file);
          continue;
        }
        String id = name.substring(0, name.length() - UploadRecords.SUFFIX.length());
        try {
          Partial partial = known(id);
          Instant now = clock.instant();
          if (partial.expires().isAfter(now.plus(lifetime))) {
            // The clock was ahead when an earlier run wrote it.
            record(partial.until(now.plus(lifetime)));
          } else if (!partial.expires().isAfter(now) && !busy.contains(id) && expire(partial)) {
            continue;
          }
          if (!partial.complete()) {
            found.merge(partial.holder(), 1, Integer::sum);
            incomplete.add(id);
            if (!counted.containsKey(id)) {
              count(id, partial.holder(), offset(partial));
            }
          }
        } catch (NoSuchFileException gone) {
          log.debug("another instance removed upload {}", id);
        } catch (IOException | RuntimeException broken) {
          log.warn("the record of upload {} cannot be read: {}", id, broken.toString());
        }
      }
    }
    // What began or ended meanwhile is counted right by the next look.
    ofHolder.keySet().retainAll(found.keySet());
    ofHolder.putAll(found);
    counted.forEach(
        (id, bytes) -> {
          if (!incomplete.contains(id)) {
            count(id, bytes.holder(), 0);
          }
        });
  }

  /** Gives up an upload whose time is over; false where a request to another node is at it. */
  private boolean expire(Partial partial) throws IOException {
    if (nodes == null) {
      cancel(partial);
    } else {
      try (NodeLocks.Held turn = nodes.uploadAtOnce(partial.id())) {
        if (turn == null) {
          return false;
        }
        cancel(partial);
      }
    }
    if (!partial.complete()) {
      log.info("an upload to {} that nobody went on with was removed", partial.target());
    }
    return true;
  }

  /** Bytes that were just being given up, or not yet recorded, when the server ended. */
  private void sweepWithoutRecord(Path file) throws IOException {
    String id = file.getFileName().toString().replaceAll("\\..*", "");
    try {
      if (!records.exists(id)
          && Files.getLastModifiedTime(file).toInstant().plus(lifetime).isBefore(clock.instant())) {
        Files.deleteIfExists(file);
      }
    } catch (NoSuchFileException gone) {
      log.debug("upload {} went meanwhile", id);
    }
  }

  private Path data(String id) {
    return folder.resolve(id);
  }
}
