package dev.staithe.storage.posix;

import dev.staithe.storage.files.PartialUploads.Partial;
import dev.staithe.storage.state.PartialText;
import dev.staithe.storage.state.Sync;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;

/**
 * The records beside the bytes of uploads in parts: whose each is, where it goes, and how many of
 * its bytes are on the device. A file's own length does not tell that after a power cut: ext4 may
 * bring a length to the device before the bytes, which are zeros then.
 *
 * <p>The number stands first and is always as long, so that it is changed in place, by one write
 * within a sector. Where other nodes read it too, a new file takes its name instead: what a node's
 * kernel has kept of a file's content, ceph-fuse takes from it a moment after the other node's
 * write was done, while names are never old.
 */
final class UploadRecords {
  static final String SUFFIX = ".record";

  private static final String NUMBER = "%020d";
  private static final String NUMBERS = "\\d{20}";

  private final Path folder;
  private final Sync sync;
  private final boolean shared;

  /**
   * Keeps them in that folder.
   *
   * @param shared whether other nodes read and write them too, one after another
   */
  UploadRecords(Path folder, Sync sync, boolean shared) {
    this.folder = folder;
    this.sync = sync;
    this.shared = shared;
  }

  private Path file(String id) {
    return folder.resolve(id + SUFFIX);
  }

  /** Remembers what is known of an upload, and how many of its bytes are on the device. */
  void write(Partial partial, long offset) throws IOException {
    String text =
        String.format(Locale.ROOT, NUMBER, offset)
            + "\n"
            + String.join("\n", PartialText.of(partial));
    Path fresh = folder.resolve(partial.id() + ".new");
    try {
      Files.writeString(fresh, text, StandardCharsets.UTF_8);
      sync.data(fresh);
      Files.move(fresh, file(partial.id()), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      Files.deleteIfExists(fresh);
      throw e;
    }
    sync.names(folder);
  }

  /**
   * Remembers that so many bytes are on the device; does nothing where the upload was given up.
   *
   * @param offset of bytes that were brought there before
   */
  void keepOffset(String id, long offset) throws IOException {
    try {
      if (shared || !hasOffset(lines(id))) {
        write(read(id), offset);
        return;
      }
      try (FileChannel record = FileChannel.open(file(id), StandardOpenOption.WRITE)) {
        byte[] text = String.format(Locale.ROOT, NUMBER, offset).getBytes(StandardCharsets.UTF_8);
        record.write(ByteBuffer.wrap(text), 0);
        sync.data(record);
      }
    } catch (NoSuchFileException givenUp) {
      // nobody will ask
    }
  }

  /** Bytes that are known to be on the device; more than any file has where that was not kept. */
  long offset(String id) throws IOException {
    List<String> lines = lines(id);
    return hasOffset(lines) ? Long.parseLong(lines.getFirst()) : Long.MAX_VALUE;
  }

  /** Those of the first days have none: a target begins with a slash. */
  private static boolean hasOffset(List<String> lines) {
    return !lines.isEmpty() && lines.getFirst().matches(NUMBERS);
  }

  private List<String> lines(String id) throws IOException {
    return Files.readAllLines(file(id), StandardCharsets.UTF_8);
  }

  /**
   * What was remembered of an upload.
   *
   * @throws NoSuchFileException where nothing was
   * @throws IOException where it cannot be read
   */
  Partial read(String id) throws IOException {
    List<String> all = lines(id);
    List<String> lines = hasOffset(all) ? all.subList(1, all.size()) : all;
    return PartialText.read(id, lines);
  }

  boolean exists(String id) {
    return Files.exists(file(id));
  }

  /** Forgets an upload; false where nothing was known of it. */
  boolean remove(String id) throws IOException {
    return Files.deleteIfExists(file(id));
  }
}
