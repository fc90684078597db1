package dev.staithe.storage.files;

import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Uploads that outlive their connection and this process: the bytes so far, and beside them a small
 * record of whose they are and where they go. Callers see to it that one request at a time touches
 * an upload.
 */
public interface PartialUploads {
  /** Uploads of one holder that are not complete: each is a record that every look reads. */
  int MOST_OF_ONE = 1_000;

  /**
   * An upload in parts.
   *
   * @param id cannot be guessed: 122 random bits
   * @param target where the file goes
   * @param holder who began it, by {@code Caller.label}
   * @param length of the whole file in bytes, or -1 where it is not known yet
   * @param stated checksums that its beginner stated of the whole file
   * @param conditions that its beginner made of the target, in one line of the caller's making
   * @param complete whether the file has been put in its place
   * @param expires when it is forgotten
   */
  record Partial(
      String id,
      StoragePath target,
      String holder,
      long length,
      List<Checksum> stated,
      String conditions,
      boolean complete,
      Instant expires) {
    /** Takes a copy. */
    public Partial {
      stated = List.copyOf(stated);
    }

    /** The same with a length that has become known. */
    public Partial withLength(long known) {
      return new Partial(id, target, holder, known, stated, conditions, complete, expires);
    }

    /** The same when its file has got its name. */
    public Partial completed() {
      return new Partial(id, target, holder, length, stated, conditions, true, expires);
    }

    /** The same with another end. */
    public Partial until(Instant end) {
      return new Partial(id, target, holder, length, stated, conditions, complete, end);
    }
  }

  /**
   * What is known of an upload before its first byte, as {@link Partial} has it.
   *
   * @param algorithms that will be asked for when all bytes have come
   */
  record Announced(
      StoragePath target,
      String holder,
      long length,
      Collection<Checksum> stated,
      String conditions,
      Set<ChecksumAlgorithm> algorithms) {
    /** The upload with an id of its own. */
    public Partial begun(Instant expires) {
      return new Partial(
          UUID.randomUUID().toString(),
          target,
          holder,
          length,
          List.copyOf(stated),
          conditions,
          false,
          expires);
    }
  }

  /** While it is open, no other node of the area touches the upload. */
  @FunctionalInterface
  interface Turn extends AutoCloseable {
    @Override
    void close();
  }

  /** Appends to an upload; for one thread. */
  interface Appender extends AutoCloseable {
    /** Appends the remaining bytes; what was written before a failure stays. */
    void append(ByteBuffer bytes) throws IOException;

    /** Bytes in the upload now. */
    long position();

    /** Brings to the device what has come, so that it may be told. */
    void keep() throws IOException;

    /** Keeps what has come. */
    @Override
    void close() throws IOException;
  }

  /**
   * Keeps other nodes from an upload; those of this process see to themselves.
   *
   * @throws SharedStateException where another node does not end its work on it
   */
  Turn turn(String id) throws IOException;

  /** How many have begun and are not complete; looks at the store. */
  long open() throws IOException;

  /**
   * Begins an upload without a byte; refused where its announced length does not fit, and where the
   * holder has too many that are not complete.
   */
  Outcome<Partial> begin(Announced upload) throws IOException;

  /** The upload of that id, unless it has expired. */
  Optional<Partial> find(String id) throws IOException;

  /** Bytes received so far that a power cut does not take. */
  long offset(Partial partial) throws IOException;

  /** Remembers what has become known of an upload. */
  void record(Partial partial) throws IOException;

  /** Opens an upload for more bytes; refused where those that are still to come do not fit. */
  Outcome<Appender> append(Partial partial) throws IOException;

  /**
   * The checksums of what has come so far: by one pass for each algorithm where the bytes can be
   * read, else of those alone that were named when the upload began.
   */
  Map<ChecksumAlgorithm, Checksum> checksums(Partial partial, Set<ChecksumAlgorithm> algorithms)
      throws IOException;

  /** Puts the finished file in its place, with these checksums beside it. */
  Outcome<FileEntry> finish(Partial partial, Consent consent, Collection<Checksum> checksums)
      throws IOException;

  /** Forgets an upload and frees its room. */
  void cancel(Partial partial) throws IOException;

  /** Forgets the uploads that have expired, so that their bytes go though nobody begins another. */
  void sweep() throws IOException;

  /** How long an upload is kept from now on. */
  Duration left(Partial partial);
}
