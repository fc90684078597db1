package dev.staithe.storage.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Uploads that outlive their connection and this process: the bytes so far, and beside them a small
 * record of whose they are and where they go. Callers see to it that one request at a time touches
 * an upload.
 */
public final class PartialUploads {
  private static final Logger log = LoggerFactory.getLogger(PartialUploads.class);
  private static final String RECORD = ".record";

  private final FileStore store;
  private final Path folder;
  private final Clock clock;
  private final Duration lifetime;

  PartialUploads(FileStore store, Path folder, Clock clock, Duration lifetime) throws IOException {
    this.store = store;
    this.folder = Files.createDirectories(folder);
    this.clock = clock;
    this.lifetime = lifetime;
    sweep();
  }

  /**
   * An upload in parts.
   *
   * @param id cannot be guessed: 122 random bits
   * @param target where the file goes
   * @param holder who began it, by {@code Caller.label}
   * @param length of the whole file in bytes, or -1 where it is not known yet
   * @param stated checksums that its beginner stated of the whole file
   * @param complete whether the file has been put in its place
   * @param expires when it is forgotten
   */
  public record Partial(
      String id,
      StoragePath target,
      String holder,
      long length,
      List<Checksum> stated,
      boolean complete,
      Instant expires) {
    /** Takes a copy. */
    public Partial {
      stated = List.copyOf(stated);
    }

    /** The same with a length that has become known. */
    public Partial withLength(long known) {
      return new Partial(id, target, holder, known, stated, complete, expires);
    }
  }

  /** Begins an upload without a byte; refused where its announced length does not fit. */
  public Outcome<Partial> begin(
      StoragePath target, String holder, long length, Collection<Checksum> stated)
      throws IOException {
    sweep();
    if (!store.fits(Math.max(1, length))) {
      return new Outcome.Refused<>(Refusal.NO_SPACE, Refusal.NO_SPACE.text());
    }
    Partial partial =
        new Partial(
            UUID.randomUUID().toString(),
            target,
            holder,
            length,
            List.copyOf(stated),
            false,
            clock.instant().plus(lifetime));
    Files.createFile(data(partial.id()));
    record(partial);
    return new Outcome.Done<>(partial);
  }

  /** The upload of that id, unless it has expired. */
  public Optional<Partial> find(String id) throws IOException {
    if (!id.matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")) {
      return Optional.empty();
    }
    try {
      return Optional.of(read(id)).filter(p -> p.expires().isAfter(clock.instant()));
    } catch (NoSuchFileException absent) {
      return Optional.empty();
    }
  }

  /** Bytes received so far. */
  public long offset(Partial partial) throws IOException {
    return partial.complete() ? partial.length() : Files.size(data(partial.id()));
  }

  /** Remembers what has become known of an upload. */
  public void record(Partial partial) throws IOException {
    String text =
        String.join(
            "\n",
            partial.target().href(),
            Long.toString(partial.length()),
            Boolean.toString(partial.complete()),
            partial.expires().toString(),
            partial.holder().replace('\n', ' '),
            partial.stated().stream().map(Checksum::toString).collect(Collectors.joining(" ")));
    Path fresh = folder.resolve(partial.id() + ".new");
    Files.writeString(fresh, text, StandardCharsets.UTF_8);
    Files.move(fresh, folder.resolve(partial.id() + RECORD), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Appends to an upload; for one thread. */
  public final class Appender implements AutoCloseable {
    private final FileChannel channel;
    private long position;

    private Appender(Partial partial) throws IOException {
      channel = FileChannel.open(data(partial.id()), StandardOpenOption.WRITE);
      position = channel.size();
    }

    /** Appends the remaining bytes; what was written before a failure stays. */
    public void append(ByteBuffer bytes) throws IOException {
      try {
        while (bytes.hasRemaining()) {
          position += channel.write(bytes, position);
        }
      } catch (IOException e) {
        throw NoSpaceException.tell(e);
      }
    }

    /** Bytes in the upload now. */
    public long position() {
      return position;
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  /** Opens an upload for more bytes. */
  public Appender append(Partial partial) throws IOException {
    return new Appender(partial);
  }

  /**
   * The checksums of what has come so far. The bytes came by several requests, so this takes one
   * pass for each algorithm.
   */
  public Map<ChecksumAlgorithm, Checksum> checksums(
      Partial partial, Set<ChecksumAlgorithm> algorithms) throws IOException {
    Map<ChecksumAlgorithm, Checksum> checksums = new EnumMap<>(ChecksumAlgorithm.class);
    try (FileChannel channel = FileChannel.open(data(partial.id()), StandardOpenOption.READ)) {
      for (ChecksumAlgorithm algorithm : algorithms) {
        checksums.put(algorithm, KeptMetadata.compute(channel, algorithm));
      }
    }
    return checksums;
  }

  /** Puts the finished file in its place, with these checksums beside it. */
  public Outcome<FileEntry> finish(
      Partial partial, FileStore.Replace replace, Collection<Checksum> checksums)
      throws IOException {
    long length;
    try (FileChannel channel = FileChannel.open(data(partial.id()), StandardOpenOption.WRITE)) {
      if (store.settings().fsync()) {
        channel.force(true);
      }
      length = channel.size();
    }
    Outcome<FileEntry> published =
        store.publish(data(partial.id()), partial.target(), replace, checksums, null);
    if (published instanceof Outcome.Done<FileEntry>) {
      record(
          new Partial(
              partial.id(),
              partial.target(),
              partial.holder(),
              length,
              partial.stated(),
              true,
              partial.expires()));
    }
    return published;
  }

  /** Forgets an upload and frees its room. */
  public void cancel(Partial partial) throws IOException {
    Files.deleteIfExists(data(partial.id()));
    Files.deleteIfExists(folder.resolve(partial.id() + RECORD));
  }

  /** How long an upload is kept from now on. */
  public Duration left(Partial partial) {
    return Duration.between(clock.instant(), partial.expires());
  }

  private void sweep() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(f -> f.toString().endsWith(RECORD)).toList()) {
        String name = file.getFileName().toString();
        String id = name.substring(0, name.length() - RECORD.length());
        try {
          Partial partial = read(id);
          if (!partial.expires().isAfter(clock.instant())) {
            cancel(partial);
            log.info("an upload to {} that nobody went on with was removed", partial.target());
          }
        } catch (NoSuchFileException gone) {
          log.debug("another instance removed upload {}", id);
        } catch (IOException | RuntimeException broken) {
          log.warn("the record of upload {} cannot be read: {}", id, broken.toString());
        }
      }
    }
  }

  private Partial read(String id) throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve(id + RECORD), StandardCharsets.UTF_8);
    if (lines.size() < 5
        || !(StoragePath.parse(lines.get(0)) instanceof StoragePath.Parsed.Valid target)) {
      throw new IOException("the record is broken");
    }
    return new Partial(
        id,
        target.path(),
        lines.get(4),
        Long.parseLong(lines.get(1)),
        lines.size() < 6 ? List.of() : checksums(lines.get(5)),
        Boolean.parseBoolean(lines.get(2)),
        Instant.parse(lines.get(3)));
  }

  private static List<Checksum> checksums(String text) {
    return Stream.of(text.split(" "))
        .map(each -> each.split(":", 2))
        .filter(pair -> pair.length == 2)
        .flatMap(
            pair ->
                ChecksumAlgorithm.byName(pair[0])
                    .flatMap(algorithm -> Checksum.fromHex(algorithm, pair[1]))
                    .stream())
        .toList();
  }

  private Path data(String id) {
    return folder.resolve(id);
  }
}
