package dev.staithe.storage.files;

import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One storage area, whatever keeps its files: the port that all protocols go through. Its stores
 * are {@code PosixStore}, on a file system, and those of object stores; what is promised here is
 * held by each of them, shown by one contract test. A file appears under its name whole or not at
 * all. What a store cannot do it refuses with the reason, and nothing of it is half done. Safe for
 * use by many threads.
 */
public interface FileStore extends AutoCloseable {
  /** How something takes its place; the consent of one who asks for nothing else. */
  enum Replace implements Consent {
    /** Only where nothing is there; atomically so. */
    NEVER,
    /** Whatever was there is replaced. */
    ALLOWED;

    @Override
    public Outcome<Replace> ask() {
      return new Outcome.Done<>(this);
    }
  }

  /**
   * The room of the area, in bytes (RFC 4331).
   *
   * @param available what an upload could use now
   * @param announced what running writers have announced and not yet written
   * @param staged what uploads under way hold, announced or written
   * @param stagedByOne what those of the caller hold who has the most
   * @param used what the area's files take
   * @param files how many they are
   * @param total what they could take at most
   */
  record Room(
      long available,
      long announced,
      long staged,
      long stagedByOne,
      long used,
      long files,
      long total) {}

  /**
   * What is done while nobody else changes the path or anything below it.
   *
   * @param <T> what comes of it
   */
  @FunctionalInterface
  interface Step<T> {
    /** Does it, in moments. */
    T run() throws IOException;
  }

  /**
   * Whether checksums, dead properties and times of comparison are kept: without, computed anew.
   */
  boolean keepsMetadata();

  /** Where the content of files may be: on disk, unless a mass storage has it too. */
  default Residence residence() {
    return Residence.DISK;
  }

  /**
   * Whether the bytes of an upload lie where they can be read and written before it is committed.
   * Without, an upload takes bytes in order only, checksums that were not asked for at staging are
   * refused, and so are parts of a file that is there.
   */
  boolean stagesInPlace();

  /**
   * Where a file's content is, as the file itself tells: {@link Locality#DISK}, {@link
   * Locality#TAPE}, {@link Locality#DISK_AND_TAPE}, or {@link Locality#UNAVAILABLE} where it is not
   * on disk and nothing says that it is on tape.
   */
  default Locality locality(FileEntry file) throws IOException {
    return Locality.DISK;
  }

  /**
   * The name by which other programs of this machine find what is at that path, links followed;
   * empty in a store that is no file system.
   */
  default Optional<Path> name(StoragePath path) throws IOException {
    return Optional.empty();
  }

  /** What is at that path, if anything inside the area is. */
  Optional<FileEntry> find(StoragePath path) throws IOException;

  /**
   * The one name of the place that a path leads to, whatever links are in the way; the path itself
   * where the store knows no links.
   *
   * @param follow whether the path's own name is followed where it is a link
   */
  default StoragePath place(StoragePath path, boolean follow) throws IOException {
    return path;
  }

  /** The members of a collection. */
  default Outcome<Listing> list(StoragePath path) throws IOException {
    return list(path, false);
  }

  /**
   * The same.
   *
   * @param withProperties whether the dead properties of the members will be asked for
   */
  Outcome<Listing> list(StoragePath path, boolean withProperties) throws IOException;

  /** Whether nothing is in a collection, not even what no listing shows. */
  default boolean isEmpty(StoragePath collection) throws IOException {
    return switch (list(collection)) {
      case Outcome.Refused<Listing> refused -> refused.why() == Refusal.NOT_FOUND;
      case Outcome.Done<Listing> done -> {
        try (Listing members = done.value()) {
          yield members.next() == null;
        }
      }
    };
  }

  /** Opens a file for reading. */
  Outcome<OpenFile> open(StoragePath path) throws IOException;

  /**
   * Opens a file where that waits for nothing, neither a disk nor another machine: for threads that
   * others wait for.
   *
   * @return empty where it would, and where there is no such file: {@link #open} finds out
   */
  default Optional<OpenFile> openAtOnce(StoragePath path) {
    return Optional.empty();
  }

  /**
   * Begins a file that nobody sees before {@link Upload#commit}. Missing parents are made at commit
   * where the area says so, and refused now where it does not.
   *
   * @param caller whose it is, unique, each of whom has a share of the room; null: nobody's
   * @param length bytes announced, or -1; refused with NO_SPACE where they do not fit, with
   *     TOO_MANY where they do not fit beside what else the caller has under way
   * @param algorithms checksums to compute while the bytes pass
   */
  Outcome<Upload> stage(
      @Nullable String caller, StoragePath target, long length, Set<ChecksumAlgorithm> algorithms)
      throws IOException;

  /**
   * Why the store itself would not let its user replace or remove what is there, or change what is
   * in it. Empty where it would: so does a store whose files are all its own.
   *
   * @param tree whether all that is below it is meant as well
   */
  default Optional<Outcome.Refused<Boolean>> forbids(FileEntry there, boolean tree)
      throws IOException {
    return Optional.empty();
  }

  /** Judges and changes a path in one step; the step itself calls none that holds a path. */
  <T> T holding(StoragePath path, Step<T> step) throws IOException;

  /** The checksum kept for the file, if it is kept and the file has not changed since. */
  Optional<Checksum> kept(FileEntry file, ChecksumAlgorithm algorithm);

  /**
   * The checksum of the file, kept or computed now by reading it once, and then kept.
   *
   * @throws NoSuchFileException where the file is gone meanwhile
   * @throws FileChangedException where it is another than {@code file} tells of
   */
  Checksum checksum(FileEntry file, ChecksumAlgorithm algorithm) throws IOException;

  /** When the file's bytes were last found to be what its checksums say, as far as is known. */
  Optional<Instant> compared(FileEntry file);

  /** Keeps that the file's bytes are what its checksums say. */
  void keepCompared(FileEntry file, Instant when);

  /** Makes an empty collection. */
  Outcome<FileEntry> makeCollection(StoragePath path, Consent consent) throws IOException;

  /**
   * Removes a file or a whole collection; it vanishes at once, and its room is freed after.
   *
   * @return whether it was a collection
   */
  Outcome<Boolean> delete(StoragePath path, Consent consent) throws IOException;

  /**
   * Renames a file or collection; what is replaced is there until what replaces it is.
   *
   * @return whether something was replaced
   */
  Outcome<Boolean> move(StoragePath from, StoragePath to, Consent consent) throws IOException;

  /**
   * Copies a file or collection within the area, dead properties and checksums included; the copy
   * appears whole.
   *
   * @param caller of whose share of the room the copy is while it is made
   * @param deep whether the members of a collection are copied too
   * @param consent asked before the bytes are copied, and again before the copy gets its name
   * @return whether something was replaced
   */
  Outcome<Boolean> copy(
      String caller, StoragePath from, StoragePath to, boolean deep, Consent consent)
      throws IOException;

  /**
   * The dead properties' text as it was kept, if any is.
   *
   * @throws IOException where that cannot be read
   */
  default Optional<String> properties(FileEntry file) throws IOException {
    return Optional.empty();
  }

  /** Keeps dead properties, where the store can; an empty text removes them. */
  default Outcome<Boolean> keepProperties(FileEntry file, String text) throws IOException {
    return new Outcome.Refused<>(
        Refusal.UNSUPPORTED, "the store of this area keeps no properties of clients");
  }

  /** The room of the area. */
  Room room() throws IOException;

  /**
   * Counts what the area's files take, so that what was counted wrongly, as when the server was
   * killed between a name and its count, is put right. Looks at every collection.
   *
   * @return by how many bytes the figures were wrong, if they were
   */
  Optional<Long> recount() throws IOException;

  /** Writes and removes something small, for health checks. */
  void probe() throws IOException;

  /** Uploads in parts, kept for {@code lifetime} after they began. */
  PartialUploads partialUploads(SteadyClock clock, Duration lifetime) throws IOException;

  /** The area's own state of that name, which lives beside the files and is shown to nobody. */
  AreaState state(String name) throws IOException;

  @Override
  void close() throws IOException;
}
