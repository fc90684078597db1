package dev.staithe.storage.files;

import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A file open for reading, as it was when it was opened: a later upload to the same path replaces
 * the name, not these bytes. Positional reads may come from several threads.
 */
public interface OpenFile extends AutoCloseable {
  /** The file as it was when it was opened. */
  FileEntry entry();

  /** The checksum that was kept for the file when it was opened, if one was. */
  Optional<Checksum> kept(ChecksumAlgorithm algorithm);

  /**
   * By which path below the area's root another program of this machine may read the file instead,
   * no part of which is a link. Empty where there is none, as in a store that is no file system.
   */
  Optional<StoragePath> place();

  /**
   * An address by which anybody reads the file as it is when he asks, without this server. Empty
   * where there is none.
   *
   * @param life how long it is good for the beginning of an answer
   * @param type the content's type, as the answer is to tell it; empty: as the store has it
   */
  default Optional<String> address(Duration life, String type) {
    return Optional.empty();
  }

  /**
   * Says at whose pace the file is read from now on, whom a store with a bounded number of places
   * for readers counts it against. Where nobody says, it is read as fast as it comes.
   */
  default void readFor(String party) {
    // Who reads where it lies holds nothing.
  }

  /**
   * Says which bytes are read next, in order, so that a store which fetches them asks for no more;
   * reading others costs time only.
   *
   * @param from the first
   * @param to after the last
   */
  default void expect(long from, long to) {
    // Who reads where it lies gains nothing by it.
  }

  /**
   * Reads into the buffer's remaining space from {@code position} on. A direct buffer is filled
   * without a copy on the heap.
   *
   * @return bytes read, -1 at the end
   * @throws IOException also where the store cannot give these bytes any more
   */
  int read(ByteBuffer into, long position) throws IOException;

  /**
   * From where the kernel may send the file's bytes to the network without a copy; closed with the
   * file. Null where they do not lie there.
   *
   * @throws IOException where it cannot be opened
   */
  default @Nullable FileChannel forKernel() throws IOException {
    return null;
  }

  /**
   * Reads into a direct buffer's remaining space what is in memory, and waits for nothing.
   *
   * @return bytes read: less than were asked for where the file ends, or the rest is elsewhere
   */
  default int readAtOnce(ByteBuffer into, long position) {
    return 0;
  }

  @Override
  void close() throws IOException;
}
