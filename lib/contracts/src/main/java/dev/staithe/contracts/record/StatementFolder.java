package dev.staithe.contracts.record;

import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.Cbor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Statements in files, a folder for each day: what an auditor is given, and what may be erased when
 * its time has come, while logs keep the hash. A file is a sequence of them as CBOR has it (RFC
 * 8742), one behind the other; it is not gone on with after a restart or a failure, so that only
 * its end may be missing. The same statement may stand there twice. After a wait for the device
 * that failed each later one fails, as the kernel would take what is missing for written.
 * Thread-safe.
 */
public final class StatementFolder implements AutoCloseable {
  /** How the file of one statement of ours ends, where it is alone. */
  public static final String OWN = ".cose";

  /** How that of the other side's ends. */
  public static final String PARTNER = ".partner.cose";

  /** How a file of many ends. */
  public static final String MANY = ".cborseq";

  /** Of one file: it is read as a whole. */
  private static final long MOST_BYTES = 16 << 20;

  private final Path folder;
  private @Nullable Day open;

  /** Bytes of the file that is written. */
  private long written;

  private @Nullable IOException lost;

  /** The file that is written. Not a channel: an interrupt would close it. */
  private record Day(LocalDate date, Path path, FileOutputStream file) {}

  /**
   * A statement to be kept.
   *
   * @param time its day
   * @param statement with its receipts
   */
  public record Kept(Instant time, byte[] statement) {}

  /** The one at that place, which is made when there is a first statement. */
  public StatementFolder(Path folder) {
    this.folder = folder;
  }

  /**
   * Keeps statements. They are on the device after {@link #sync}.
   *
   * @throws IOException where they cannot be written; some of them may be there
   */
  public synchronized void keep(List<Kept> statements) throws IOException {
    Day before = open;
    boolean whole = false;
    try {
      for (Kept each : statements) {
        file(each.time().atZone(ZoneOffset.UTC).toLocalDate()).write(each.statement());
        written += each.statement().length;
      }
      whole = true;
    } finally {
      if (!whole) {
        giveUp(before);
      }
    }
  }

  /** Nothing may follow what was written in part. */
  private void giveUp(@Nullable Day before) throws IOException {
    Day failed = open;
    if (failed == null || failed == before) {
      close();
      return;
    }
    abandon();
    // All that it has is kept again; on a full disk each attempt would leave another file.
    Files.deleteIfExists(failed.path());
  }

  private void abandon() throws IOException {
    Day day = open;
    open = null;
    if (day != null) {
      day.file().close();
    }
  }

  private FileOutputStream file(LocalDate date) throws IOException {
    Day day = open;
    if (day != null && day.date().equals(date) && written < MOST_BYTES) {
      return day.file();
    }
    close();
    Path place = folder.resolve(date.toString());
    Files.createDirectories(place);
    Path path = fresh(place);
    Day next;
    try {
      next = new Day(date, path, new FileOutputStream(path.toFile(), true));
    } catch (IOException e) {
      Files.deleteIfExists(path);
      throw e;
    }
    open = next;
    written = 0;
    for (Path each : List.of(place, folder)) {
      try (FileChannel names = FileChannel.open(each, StandardOpenOption.READ)) {
        names.force(true);
      }
    }
    return next.file();
  }

  private static Path fresh(Path place) throws IOException {
    for (int number = 1; ; number++) {
      Path path = place.resolve("%06d%s".formatted(number, MANY));
      try {
        return Files.createFile(
            path,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      } catch (FileAlreadyExistsException taken) {
        // The next one.
      }
    }
  }

  /**
   * Waits until what was kept is on the device.
   *
   * @throws IOException where that fails, or has failed before
   */
  public synchronized void sync() throws IOException {
    Day day = open;
    if (lost != null) {
      throw new IOException(folder + " was not brought to the device before", lost);
    }
    if (day != null) {
      try {
        day.file().getFD().sync();
      } catch (IOException e) {
        lost = e;
        throw e;
      }
    }
  }

  /** The same, and ends the file. */
  @Override
  public synchronized void close() throws IOException {
    try {
      sync();
    } finally {
      abandon();
    }
  }

  /**
   * The statements of a file of many, each once; without its end where that is not whole.
   *
   * @throws IOException where it cannot be read
   */
  public static List<Statement> read(Path file) throws IOException {
    Set<ByteBuffer> all = new LinkedHashSet<>();
    for (byte[] each : Cbor.sequence(Files.readAllBytes(file))) {
      all.add(ByteBuffer.wrap(each));
    }
    List<Statement> statements = new ArrayList<>();
    for (ByteBuffer each : all) {
      try {
        statements.add(Statement.parse(each.array()));
      } catch (BadSignature e) {
        throw new IOException(file + " cannot be read: " + e.line(), e);
      }
    }
    return statements;
  }
}
