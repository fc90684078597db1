package dev.staithe.storage.state;

import dev.staithe.storage.files.AreaState;
import dev.staithe.storage.files.LineLog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Small texts of the storage element's own in a folder. Safe for use by many threads. */
public final class StateFolder implements AreaState {
  private final Path folder;
  private final Sync sync;

  /** Uses {@code folder}, making it where it is missing; its files are on the device as said. */
  public StateFolder(Path folder, Sync sync) throws IOException {
    this.folder = Files.createDirectories(folder);
    this.sync = sync;
  }

  @Override
  public Optional<String> read(String name) throws IOException {
    try {
      // Not readString: a kill in the middle of a long line of a log may leave half a letter.
      byte[] bytes = Files.readAllBytes(folder.resolve(name));
      return Optional.of(new String(bytes, StandardCharsets.UTF_8));
    } catch (NoSuchFileException absent) {
      return Optional.empty();
    }
  }

  @Override
  public void write(String name, String text) throws IOException {
    Path fresh = folder.resolve(name + "." + UUID.randomUUID());
    try {
      Files.writeString(fresh, text, StandardCharsets.UTF_8);
      sync.data(fresh);
      Files.move(fresh, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    } finally {
      // On a full disk each attempt would take what the last one left of the room, and keep it.
      Files.deleteIfExists(fresh);
    }
    // What is added later to a file whose name may go back to an older one would be lost.
    sync.data(folder);
  }

  /** What was written and not removed; what a crash left of a write is among it. */
  public List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  /** Removes the text of that name; false where there was none. */
  public boolean remove(String name) throws IOException {
    return Files.deleteIfExists(folder.resolve(name));
  }

  @Override
  public LineLog log(String name, List<String> lines) throws IOException {
    return new StateLog(this, folder.resolve(name), sync, lines);
  }

  /** Empty: a folder by itself is one process's. */
  @Override
  public Optional<LineLog> shared(String name) {
    return Optional.empty();
  }

  /** The text of a file that the operator named. */
  public static String text(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8);
  }

  /** Makes the folder where it is missing, for this user only, and gives it back. */
  public static Path make(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      return folder;
    }
    return Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  /** Whether neither folder contains the other, links followed; missing ones are apart. */
  public static boolean areApart(@Nullable Path one, @Nullable Path other) {
    if (one == null || other == null) {
      return true;
    }
    try {
      Path a = one.toRealPath();
      Path b = other.toRealPath();
      return !a.startsWith(b) && !b.startsWith(a);
    } catch (IOException missing) {
      return true;
    }
  }
}
