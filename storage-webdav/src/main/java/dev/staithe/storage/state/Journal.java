package dev.staithe.storage.state;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happened, one step after the other, in files: each step is in the file before anybody is
 * answered, and on the device where that is asked for, by one wait for all who ask at once. A file
 * is taken away once something else has all of it. Safe for use by many threads, of one process.
 *
 * <p>A record is its length, its CRC-32C and its content. What follows a record that is not whole
 * was never answered: a process or machine ended as it was written.
 *
 * <p>A wait for the device that failed ends it: nothing is written any more, and nothing forgotten,
 * until a new process reads what there is. Linux tells of bytes that did not get to the device
 * once, takes them for written from then on, and so would let the next wait succeed without them.
 */
public final class Journal implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Journal.class);
  private static final String END = ".journal";
  private static final int HEAD_BYTES = 8;

  private final Path folder;
  private final ReentrantLock writing = new ReentrantLock();
  private final ReentrantLock forcing = new ReentrantLock();

  /** Files of before that were not forgotten, without the one that is written. */
  private final List<Path> before = new ArrayList<>();

  /** Not a channel: that one is closed when a thread that writes is interrupted. */
  private RandomAccessFile file;

  private Path path;
  private long number;
  private long length;
  private long since = System.nanoTime();

  /** Bytes ever written, and those of them that are on the device. */
  private volatile long written;

  private volatile long forced;

  /** By what a wait for the device failed. */
  private volatile @Nullable Exception failure;

  /** Something that is to be on the device. */
  public interface Durable {
    /** Waits until it is. */
    void sync() throws IOException;
  }

  private Journal(Path folder, RandomAccessFile file, Path path, long number) {
    this.folder = folder;
    this.file = file;
    this.path = path;
    this.number = number;
  }

  /** Begins a new file; those of before stay until they are {@link #forget forgotten}. */
  public static Journal open(Path folder) throws IOException {
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    List<Path> before = files(folder);
    long number = before.isEmpty() ? 1 : number(before.getLast()) + 1;
    Path path = path(folder, number);
    Journal journal = new Journal(folder, made(path), path, number);
    syncNames(folder);
    journal.before.addAll(before);
    return journal;
  }

  private static Path path(Path folder, long number) {
    return folder.resolve(String.format(Locale.ROOT, "%016d%s", number, END));
  }

  private static long number(Path file) {
    String name = file.getFileName().toString();
    return Long.parseLong(name.substring(0, name.length() - END.length()));
  }

  /** One that could be made and then not opened, for want of descriptors, is there and empty. */
  private static RandomAccessFile made(Path path) throws IOException {
    try {
      Files.createFile(
          path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (FileAlreadyExistsException before) {
      if (Files.size(path) > 0) {
        throw before;
      }
    }
    return new RandomAccessFile(path.toFile(), "rw");
  }

  private static void syncNames(Path folder) throws IOException {
    try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
      names.force(true);
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(each -> each.getFileName().toString().matches("\\d{16}" + END))
          .sorted()
          .toList();
    }
  }

  /** Reads what is left in a folder, in its order; nothing where there is none. */
  public static void read(Path folder, Consumer<byte[]> each) throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    for (Path file : files(folder)) {
      byte[] all = Files.readAllBytes(file);
      ByteBuffer bytes = ByteBuffer.wrap(all);
      while (bytes.remaining() >= HEAD_BYTES) {
        int length = bytes.getInt();
        int crc = bytes.getInt();
        int from = bytes.position();
        if (length < 1 || length > bytes.remaining() || crc != crc(all, from, length)) {
          log.warn("{} ends with a record that is not whole, and was never answered", file);
          break;
        }
        each.accept(Arrays.copyOfRange(all, from, from + length));
        bytes.position(from + length);
      }
    }
  }

  private static int crc(byte[] bytes, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, length);
    return (int) crc.getValue();
  }

  /**
   * Writes a record into the file.
   *
   * @return what is to be {@link #force forced} for it to be on the device
   * @throws UncheckedIOException where it cannot be written, or a wait for the device has failed
   */
  public long append(byte[] content) {
    byte[] record =
        ByteBuffer.allocate(HEAD_BYTES + content.length)
            .putInt(content.length)
            .putInt(crc(content, 0, content.length))
            .put(content)
            .array();
    writing.lock();
    try {
      requireGood();
      // Where the last one failed half way this one is written over it.
      file.seek(length);
      file.write(record);
      length += record.length;
      long upTo = written + record.length;
      written = upTo;
      return upTo;
    } catch (IOException e) {
      log.error("{} cannot be written: {}", folder, e.getMessage());
      throw new UncheckedIOException("the journal cannot be written", e);
    } finally {
      writing.unlock();
    }
  }

  /** By what a wait for the device failed, after which there is nothing new; null: by none. */
  public @Nullable String failure() {
    Exception failed = failure;
    return failed == null ? null : String.valueOf(failed.getMessage());
  }

  private void requireGood() throws IOException {
    Exception failed = failure;
    if (failed != null) {
      throw new IOException("it ended as a wait for the device failed", failed);
    }
  }

  /** The one way to wait for the device: after a failure there is no other. */
  private void sync(Durable what) throws IOException {
    requireGood();
    try {
      what.sync();
    } catch (IOException | RuntimeException e) {
      failure = e;
      log.error(
          "{} is at its end until a restart: no wait for the device, {}", folder, e.toString());
      throw e;
    }
  }

  /**
   * Waits until what was written up to there is on the device.
   *
   * @throws UncheckedIOException where that fails, or any such wait has failed before
   */
  public void force(long upTo) {
    if (forced >= upTo) {
      return;
    }
    forcing.lock();
    try {
      if (forced < upTo) {
        long now = written;
        sync(file.getFD()::sync);
        forced = now;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the journal is not on the device", e);
    } finally {
      forcing.unlock();
    }
  }

  /** Whether the file that is written has as many bytes, or is as old and has any. */
  public boolean isDue(long bytes, Duration age) {
    writing.lock();
    try {
      return length >= bytes || length > 0 && System.nanoTime() - since >= age.toNanos();
    } finally {
      writing.unlock();
    }
  }

  /** The same of all that was written. */
  public void force() {
    force(written);
  }

  /** Goes on in a new file. */
  public void turn() throws IOException {
    requireGood();
    Path next = path(folder, number + 1);
    // What cannot be opened for a moment, for want of descriptors, is no wait that failed.
    try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
      RandomAccessFile made = made(next);
      forcing.lock();
      writing.lock();
      try {
        sync(() -> names.force(true));
        sync(file.getFD()::sync);
        forced = written;
        file.close();
        before.add(path);
        file = made;
        path = next;
        number++;
        length = 0;
        since = System.nanoTime();
      } finally {
        writing.unlock();
        forcing.unlock();
      }
    }
  }

  /** Whether there are files of before that were not forgotten. */
  public boolean isLeftFromBefore() {
    return !before.isEmpty();
  }

  /**
   * Takes away all that was written before the last turn.
   *
   * @param elsewhere what has all of it, and is waited for
   */
  public void forget(Durable elsewhere) throws IOException {
    sync(elsewhere);
    for (Path each : before) {
      Files.deleteIfExists(each);
    }
    before.clear();
  }

  @Override
  public void close() throws IOException {
    writing.lock();
    try {
      file.close();
      if (length == 0) {
        Files.deleteIfExists(path);
      }
    } finally {
      writing.unlock();
    }
  }
}
