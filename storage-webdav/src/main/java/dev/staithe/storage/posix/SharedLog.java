package dev.staithe.storage.posix;

import dev.staithe.storage.files.LineLog;
import dev.staithe.storage.files.NoSpaceException;
import dev.staithe.storage.files.SharedStateException;
import dev.staithe.storage.state.StateFolder;
import dev.staithe.storage.state.Sync;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A log that several nodes read and add to: the file is the truth, and each node reads what others
 * have added before it relies on it, which costs a look at the file's length where nothing was. Who
 * replaces the file gives it a new inode, by which the others know. The old one stays open until
 * then, so that its number is not used again. Safe for use by many threads.
 */
final class SharedLog implements LineLog {
  private final StateFolder folder;
  private final Path file;
  private final Sync sync;
  private final NodeLocks nodes;
  private final ReentrantLock mine = new ReentrantLock();
  private FileChannel channel;

  /** Of the file that is open, or null where it must be read from its beginning. */
  private @Nullable Object key;

  /** Bytes of it that are known: whole lines. */
  private long known;

  /**
   * Whether a wait for the device failed. Linux tells of bytes that did not get there once, and
   * lets the next wait succeed without them. Guarded by {@code this}.
   */
  private boolean doubtful;

  SharedLog(StateFolder folder, Path file, Sync sync, NodeLocks nodes) throws IOException {
    this.folder = folder;
    this.file = file;
    this.sync = sync;
    this.nodes = nodes;
    try {
      Files.createFile(file);
    } catch (FileAlreadyExistsException another) {
      // a node was here before
    }
    this.channel = open();
  }

  private FileChannel open() throws IOException {
    return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  private BasicFileAttributes attributes() throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class);
  }

  @Override
  public synchronized News news() throws IOException {
    try {
      BasicFileAttributes now = attributes();
      boolean anew = !channel.isOpen() || !Objects.equals(now.fileKey(), key);
      while (!Objects.equals(now.fileKey(), key) || !channel.isOpen()) {
        channel.close();
        channel = open();
        key = now.fileKey();
        known = 0;
        // What was opened is what was looked at only where it is still there.
        now = attributes();
      }
      return now.size() == known && !anew ? News.NONE : new News(anew, lines());
    } catch (IOException e) {
      // What was opened may not have been read, and the next news would be added to the old ones.
      key = null;
      throw new SharedStateException("what the nodes of the storage area share is away", e);
    }
  }

  /** The whole lines that are not known yet; what has no end is being written, or never will be. */
  private List<String> lines() throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(channel.size() - known));
    while (bytes.hasRemaining() && channel.read(bytes, known + bytes.position()) > 0) {
      // until all of it is there
    }
    int end = bytes.position();
    while (end > 0 && bytes.get(end - 1) != '\n') {
      end--;
    }
    known += end;
    return new String(bytes.array(), 0, end, StandardCharsets.UTF_8).lines().toList();
  }

  @Override
  public Turn turn() throws IOException {
    mine.lock();
    try {
      NodeLocks.Held held = nodes.log();
      return () -> {
        held.close();
        mine.unlock();
      };
    } catch (IOException | RuntimeException e) {
      mine.unlock();
      throw e;
    }
  }

  @Override
  public synchronized long add(String line) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
    long at = known;
    try {
      // A node that ended while it wrote has left a line without an end.
      channel.truncate(known);
      while (bytes.hasRemaining()) {
        at += channel.write(bytes, at);
      }
      known = at;
      return known;
    } catch (IOException e) {
      try {
        channel.truncate(known);
      } catch (IOException again) {
        e.addSuppressed(again);
      }
      throw NoSpaceException.tell(e);
    }
  }

  @Override
  public void await(long line) throws IOException {
    if (!isOnDevice()) {
      // What another node added meanwhile would be left behind in the old file.
      try (Turn _ = turn()) {
        writeAnew();
      }
    }
  }

  /** Waits for the device; false where a wait failed before, after which none tells anything. */
  private synchronized boolean isOnDevice() throws IOException {
    if (doubtful) {
      return false;
    }
    doubtful = true;
    if (channel.isOpen()) {
      sync.data(channel);
    } else {
      sync.data(file);
    }
    doubtful = false;
    return true;
  }

  /**
   * All whole lines into a file of its own, which the kernel still has of what the device has not;
   * the next news are all of them.
   */
  private synchronized void writeAnew() throws IOException {
    if (doubtful) {
      String all = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
      folder.write(file.getFileName().toString(), all.substring(0, all.lastIndexOf('\n') + 1));
      doubtful = false;
    }
  }

  @Override
  public synchronized void rewrite(List<String> lines) throws IOException {
    folder.write(
        file.getFileName().toString(),
        lines.stream().map(line -> line + "\n").collect(Collectors.joining()));
    channel.close();
    channel = open();
    BasicFileAttributes now = attributes();
    key = now.fileKey();
    known = now.size();
    doubtful = false;
  }

  @Override
  public synchronized void close() throws IOException {
    channel.close();
  }
}
