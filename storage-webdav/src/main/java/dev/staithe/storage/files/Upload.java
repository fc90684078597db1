package dev.staithe.storage.files;

import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.checksum.UploadChecksums;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Map;

/**
 * A file in the making, invisible until {@link #commit}. Closing it before removes it. Not for use
 * by several threads, except that each stripe has a thread of its own.
 */
public interface Upload extends AutoCloseable {
  /** A contiguous part of the file, written in order by one thread. */
  interface Stripe {
    /**
     * Appends the buffer's remaining bytes to the stripe.
     *
     * @throws NoSpaceException where the store is full
     */
    void append(ByteBuffer bytes) throws IOException;

    /** Bytes written to this stripe. */
    long written();
  }

  /** The checksums of its bytes, which the upload keeps up. */
  UploadChecksums sums();

  /**
   * Has a checksum, one of those asked for at staging, computed on a thread of its own while the
   * bytes come, of stripes too where the store reads back what it stages. Before the first of them.
   */
  default void beside(ChecksumAlgorithm algorithm) {
    sums().beside(algorithm);
  }

  /**
   * Appends the buffer's remaining bytes, updating the checksums.
   *
   * @throws NoSpaceException where the store is full
   */
  void append(ByteBuffer bytes) throws IOException;

  /**
   * Appends the next part of a file of this machine, by the kernel or the engine where both files
   * are theirs; no checksum is computed on the way. For an upload that nothing else is appended to.
   *
   * @param most bytes of the part, positive
   * @return whether there is more
   * @throws NoSpaceException where the whole of what is left does not fit: into the quota alone
   *     where the copy shares the file's blocks
   */
  boolean append(OpenFile source, long most) throws IOException;

  /** Takes these for the checksums of all that was written; others are computed when asked for. */
  default void known(Map<ChecksumAlgorithm, Checksum> checksums) {
    sums().known(checksums);
  }

  /**
   * Begins the stripe at {@code offset}, a part of a file that several connections bring. Adler-32
   * is combined from the stripes; other checksums then need one pass over the file, which is made
   * beside where that is wanted.
   *
   * @throws UnsupportedOperationException where {@link FileStore#stagesInPlace} is false
   */
  Stripe stripe(long offset);

  /** Bytes written so far, all stripes together. */
  long written();

  /**
   * Gives the file that modification time, to the second, when it is committed.
   *
   * @return whether the store keeps it
   */
  boolean modified(Instant when);

  /**
   * The checksums asked for at staging, of all that was written; call when the last byte is in.
   *
   * @throws IllegalStateException where stripes overlap or leave a gap
   */
  default Map<ChecksumAlgorithm, Checksum> checksums() throws IOException {
    return sums().finish();
  }

  /**
   * The checksum of all that was written, for an algorithm that was perhaps not asked for at
   * staging: then what is staged is read once. It is kept with the file at commit.
   *
   * @throws LateChecksumException where that cannot be, as {@link FileStore#stagesInPlace} says
   */
  default Checksum checksum(ChecksumAlgorithm algorithm) throws IOException {
    return sums().finish(algorithm);
  }

  /**
   * Puts the file in its place, with its checksums, as safe from a power cut as the area says.
   *
   * @param consent asked when all else is done
   */
  Outcome<FileEntry> commit(Consent consent) throws IOException;

  /**
   * Makes a new version of the target with these bytes from {@code offset} on, one part at a time
   * for each file.
   *
   * @param consent asked when all else is done, perhaps several times
   */
  Outcome<FileEntry> commitRange(long offset, Consent consent) throws IOException;

  /** Removes what was staged unless it is committed; may be called at any time, repeatedly. */
  @Override
  void close();
}
