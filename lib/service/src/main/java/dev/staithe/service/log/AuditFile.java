package dev.staithe.service.log;

import dev.staithe.pki.HashChain;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file of an {@link AuditLog}: one for each day (UTC), of which the last has the plain name and
 * the others the day behind it. {@link #append} is called by one thread at a time, {@link #force}
 * by many.
 */
final class AuditFile {
  private static final Logger LOG = LoggerFactory.getLogger(AuditFile.class);

  /**
   * Days without a line after which nothing is dropped with the next one: it may be the clock that
   * has jumped, for a moment, and all days would be too old.
   */
  private static final int AT_MOST_QUIET = 40;

  private static final Pattern DAY = Pattern.compile("^\\{\"time\":\"(\\d{4}-\\d{2}-\\d{2})T");

  /** How bytes that the system has get to the disk. */
  interface Disk {
    /** {@code fdatasync}: a line has no meaning but its bytes. */
    Disk REAL = channel -> channel.force(false);

    void force(FileChannel channel) throws IOException;
  }

  private final Path path;
  private final int daysKept;
  private final Clock clock;
  private final Disk disk;
  private final Object forcing = new Object();
  private volatile FileChannel channel;
  private volatile boolean closed;

  /** Which file the channel is of, whatever it is called by now. */
  private @Nullable Object key;

  private HashChain.Head head = HashChain.Head.START;
  private String repaired = "";
  private LocalDate day;

  /** Bytes of the file up to the end of its last line. */
  private long whole;

  /** Bytes handed to the system, over all days; how many of them are on the disk. */
  private volatile long appended;

  private volatile long forced;

  /** Why nothing is promised any more, or null. */
  private volatile @Nullable String broken;

  AuditFile(Path path, int daysKept, Clock clock, Disk disk) throws IOException {
    this.path = path.toAbsolutePath();
    this.daysKept = daysKept;
    this.clock = clock;
    this.disk = disk;
    this.day = today();
    this.channel = open();
    try {
      resume();
      whole = channel.size();
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** Where the chain ended that was found. */
  HashChain.Head head() {
    return head;
  }

  /** What was wrong with the file, in one line; empty where nothing was. */
  String repaired() {
    return repaired;
  }

  /** Adds a line; returns what to {@link #force}. */
  long append(String line) throws IOException {
    if (!today().equals(day)) {
      try {
        rotate();
      } catch (IOException e) {
        LOG.warn("{} goes on beyond its day: {}", path, e.getMessage());
      }
    }
    byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
    uninterrupted(() -> write(bytes));
    whole += bytes.length;
    appended += bytes.length;
    return appended;
  }

  private void write(byte[] bytes) throws IOException {
    long size = channel.size();
    if (size > whole) {
      // Of the same line, when the file was closed.
      channel.truncate(whole);
    } else if (size < whole) {
      // Emptied, as people do where a disk is full. Written where the last line ended, the next one
      // would stand behind a gap of zeros.
      LOG.warn("{} was cut by somebody else: lines that were in it are missing", path);
      channel.position(size);
      whole = size;
    }
    try {
      var buffer = ByteBuffer.wrap(bytes);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      // A full disk must not leave half a line before the next.
      channel.truncate(whole);
      throw e;
    }
  }

  /** What is done with the channel. */
  @FunctionalInterface
  private interface Step {
    void take() throws IOException;
  }

  /**
   * Takes a step whatever the thread is told meanwhile: an interrupt closes the channel, also for
   * all others, and it is opened again then.
   */
  private void uninterrupted(Step step) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          step.take();
          return;
        } catch (ClosedChannelException e) {
          interrupted |= Thread.interrupted();
          openAgain(e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void openAgain(ClosedChannelException why) throws IOException {
    synchronized (forcing) {
      if (closed || !isInPlace()) {
        throw why;
      }
      if (!channel.isOpen() || why instanceof ClosedByInterruptException) {
        // Waits for whoever closes it at this moment: the lock of the file goes with that.
        channel.close();
        channel = open();
      }
    }
  }

  /**
   * Waits until all up to there is on the disk: one call of the system for all who wait. While one
   * thread is in it, others add their lines and queue; the first of them takes all of these along.
   *
   * @throws IOException where it is not on the disk, or is not known to be: then, and from then on
   *     until the service starts again
   */
  void force(long end) throws IOException {
    if (forced >= end) {
      return;
    }
    synchronized (forcing) {
      if (forced < end) {
        force();
      }
    }
  }

  private void force() throws IOException {
    if (broken != null) {
      throw new IOException(broken);
    }
    long now = appended;
    try {
      uninterrupted(() -> disk.force(channel));
    } catch (IOException e) {
      // The system tells of pages that it could not write once and then takes them for written:
      // asking again would be answered that all is well.
      broken =
          path + " could not be brought to the disk; start the service again when the disk is well";
      LOG.error("{}: {}", broken, e.getMessage());
      throw e;
    }
    forced = now;
  }

  /**
   * Begins a new file where another process has moved this one aside. Not beside {@link #append}.
   *
   * @return false where the path still leads to the file that is written
   * @throws IOException where there is no new one; then the one before stays in use
   */
  boolean reopen() throws IOException {
    if (isInPlace()) {
      return false;
    }
    synchronized (forcing) {
      force();
      begin();
    }
    return true;
  }

  /** Whether the path leads to the file that is written. */
  private boolean isInPlace() throws IOException {
    return Files.exists(path) && Objects.equals(keyOf(path), key);
  }

  /** Goes on in a new file; where there is none to be had the one before stays in use. */
  private void begin() throws IOException {
    Object before = key;
    FileChannel fresh = open();
    if (fresh.size() > 0) {
      fresh.close();
      key = before;
      throw new IOException(path + " has lines already, of which no chain is known");
    }
    channel.close();
    channel = fresh;
    whole = 0;
  }

  private static @Nullable Object keyOf(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
  }

  void close() {
    try {
      try {
        force(appended);
      } finally {
        closed = true;
        channel.close();
      }
    } catch (IOException e) {
      LOG.error("{} was not closed in order: {}", path, e.getMessage());
    }
  }

  private LocalDate today() {
    return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
  }

  private FileChannel open() throws IOException {
    Path folder = path.getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      // A device would be moved aside at midnight.
      throw new IOException(
          path + " is no regular file: leave the setting out for standard output");
    }
    if (!Files.exists(path)) {
      Files.createFile(
          path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----")));
    }
    var opened = FileChannel.open(path, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
    try {
      // Two writers would make two chains in one file.
      if (opened.tryLock() != null) {
        opened.position(opened.size());
        key = keyOf(path);
        return opened;
      }
    } catch (OverlappingFileLockException e) {
      // The other one is in this process.
    } catch (IOException e) {
      opened.close();
      throw e;
    }
    opened.close();
    throw new IOException(path + " is written by another process");
  }

  /** Finds the end of the chain; what a crash cut off is taken away and told. */
  private void resume() throws IOException {
    long size = channel.size();
    if (size == 0) {
      resumeFromDayBefore();
      return;
    }
    byte[] tail = new byte[(int) Math.min(size, 2L * HashChain.MAX_LINE)];
    channel.read(ByteBuffer.wrap(tail), size - tail.length);
    int end = tail.length;
    while (end > 0 && tail[end - 1] != '\n') {
      end--;
    }
    if (end < tail.length) {
      repaired = (tail.length - end) + " bytes of an unfinished line were taken away";
      channel.truncate(size - (tail.length - end));
      channel.position(channel.size());
    }
    if (end == 0) {
      // No line of it is whole: the chain goes on from what is before.
      resume();
      return;
    }
    String text = new String(tail, 0, end - 1, StandardCharsets.UTF_8);
    String last = text.substring(text.lastIndexOf('\n') + 1);
    var found = HashChain.head(last);
    if (found.isPresent()) {
      head = found.get();
      day = dayOf(last);
      return;
    }
    Path aside = path.resolveSibling(path.getFileName() + ".unchained-" + clock.millis());
    repaired = "the last line was no line of the chain: the file is now " + aside.getFileName();
    channel.close();
    Files.move(path, aside);
    channel = open();
  }

  private void resumeFromDayBefore() throws IOException {
    try (Stream<Path> files = siblings()) {
      Path newest = files.max(Path::compareTo).orElse(null);
      if (newest == null) {
        return;
      }
      String last = "";
      try (var lines = Files.lines(newest)) {
        last = lines.reduce("", (before, line) -> line);
      }
      head = HashChain.head(last).orElse(HashChain.Head.START);
    } catch (NoSuchFileException e) {
      // A chain of its own then.
    }
  }

  private static LocalDate dayOf(String line) {
    var found = DAY.matcher(line);
    if (found.find()) {
      try {
        return LocalDate.parse(found.group(1));
      } catch (DateTimeParseException e) {
        return LocalDate.EPOCH;
      }
    }
    return LocalDate.EPOCH;
  }

  private void rotate() throws IOException {
    LocalDate before = day;
    synchronized (forcing) {
      force();
      if (isInPlace()) {
        Path old = path.resolveSibling(path.getFileName() + "." + day);
        if (whole == 0 || Files.exists(old)) {
          // No line has come, as where the disk was full, and a file without one would hide where
          // the chain ended. Or the clock went back over midnight. The day goes on in this file.
          day = today();
          return;
        }
        Files.move(path, old);
        try {
          begin();
        } catch (IOException e) {
          Files.move(old, path);
          throw e;
        }
      } else {
        // Somebody has moved it aside, and has not said so.
        begin();
      }
      day = today();
    }
    if (day.isBefore(before.plusDays(AT_MOST_QUIET))) {
      drop();
    }
  }

  private void drop() {
    LocalDate oldest = day.minusDays(daysKept);
    try (Stream<Path> files = siblings()) {
      for (Path file : files.toList()) {
        if (dayOf(file).filter(oldest::isAfter).isPresent()) {
          drop(file);
        }
      }
    } catch (IOException e) {
      LOG.warn("old files beside {} stay: {}", path, e.getMessage());
    }
  }

  /** One that stays, as one that is immutable, keeps no other. */
  private static void drop(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      LOG.warn("an old file stays: {}", e.toString());
    }
  }

  /** The files of days before. */
  private Stream<Path> siblings() throws IOException {
    Path folder = path.getParent();
    return folder == null
        ? Stream.empty()
        : Files.list(folder).filter(file -> dayOf(file).isPresent() && Files.isRegularFile(file));
  }

  /** The day behind the name of a file; empty where there is none, or none that ever was. */
  private Optional<LocalDate> dayOf(Path file) {
    String prefix = path.getFileName() + ".";
    String name = file.getFileName().toString();
    if (!name.startsWith(prefix) || name.length() != prefix.length() + "2026-03-01".length()) {
      return Optional.empty();
    }
    try {
      return Optional.of(LocalDate.parse(name.substring(prefix.length())));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }
}
