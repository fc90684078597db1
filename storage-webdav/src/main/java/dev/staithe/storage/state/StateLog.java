package dev.staithe.storage.state;

import dev.staithe.storage.files.LineLog;
import dev.staithe.storage.files.NoSpaceException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A log of this process alone; a line costs the same however many there are. Safe for use by many
 * threads; those that wait for the device wait together.
 */
final class StateLog implements LineLog {
  private final StateFolder folder;
  private final Path file;
  private final Sync sync;
  private final Object device = new Object();
  private volatile FileChannel channel;
  private volatile long added;
  private volatile long synced;

  /**
   * Whether a wait for the device failed. Linux tells of bytes that did not get there once, and
   * lets the next wait succeed without them. Guarded by {@code device}.
   */
  private boolean doubtful;

  /** Begins with these lines, in place of what the file had. */
  StateLog(StateFolder folder, Path file, Sync sync, List<String> lines) throws IOException {
    this.folder = folder;
    this.file = file;
    this.sync = sync;
    this.channel = begin(lines);
  }

  private FileChannel begin(List<String> lines) throws IOException {
    folder.write(
        file.getFileName().toString(),
        lines.stream().map(line -> line + "\n").collect(Collectors.joining()));
    return open();
  }

  private FileChannel open() throws IOException {
    return FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
  }

  /** Java closes a channel whose user is interrupted; the next one opens it again. */
  private synchronized FileChannel usable() throws IOException {
    if (!channel.isOpen()) {
      channel = open();
    }
    return channel;
  }

  /** Nothing: nobody else adds. */
  @Override
  public News news() {
    return News.NONE;
  }

  /** At once, for the callers' own lock is enough. */
  @Override
  public Turn turn() {
    return () -> {};
  }

  @Override
  public synchronized long add(String line) throws IOException {
    FileChannel to = usable();
    long before = to.size();
    ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
    try {
      while (bytes.hasRemaining()) {
        to.write(bytes);
      }
    } catch (IOException e) {
      try {
        usable().truncate(before);
      } catch (IOException again) {
        e.addSuppressed(again);
      }
      throw NoSpaceException.tell(e);
    }
    added++;
    return added;
  }

  @Override
  public void await(long line) throws IOException {
    synchronized (device) {
      if (synced < line) {
        long until = added;
        if (doubtful) {
          writeAnew();
        } else {
          doubtful = true;
          sync.data(usable());
        }
        doubtful = false;
        synced = until;
      }
    }
  }

  /** All lines into a file of its own, which the kernel still has of what the device has not. */
  private synchronized void writeAnew() throws IOException {
    List<String> lines = Files.readAllLines(file);
    channel.close();
    channel = begin(lines);
  }

  @Override
  public void rewrite(List<String> lines) throws IOException {
    synchronized (device) {
      synchronized (this) {
        // Where this fails the next line goes to the file that has the name then, old or new.
        channel.close();
        channel = begin(lines);
        doubtful = false;
        synced = added;
      }
    }
  }

  @Override
  public void close() throws IOException {
    synchronized (device) {
      channel.close();
    }
  }
}
