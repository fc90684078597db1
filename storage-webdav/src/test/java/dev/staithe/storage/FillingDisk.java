package dev.staithe.storage;

import dev.staithe.peers.process.LoopedFileSystem;
import dev.staithe.peers.process.ManagedProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A file system whose device fails for a while: it is in a file of a small file system in memory,
 * and has no room there for what is new. Writes go to the kernel's cache as ever; a wait for the
 * device fails, once. Needs what {@link LoopedFileSystem#obstacle} names.
 */
public final class FillingDisk implements AutoCloseable {
  private static final int MEGABYTES = 64;

  private final Path outer;
  private final Path folder;
  private final LoopedFileSystem disk;

  private FillingDisk(Path outer, Path folder, LoopedFileSystem disk) {
    this.outer = outer;
    this.folder = folder;
    this.disk = disk;
  }

  /** Mounts one at {@code folder}; what holds it is mounted at {@code outer}. */
  public static FillingDisk mount(Path outer, Path folder) throws IOException {
    Files.createDirectories(outer);
    run(
        outer,
        "mount",
        "-t",
        "tmpfs",
        "-o",
        "size=" + (MEGABYTES + 4) + "m",
        "tmpfs",
        outer.toString());
    boolean done = false;
    try {
      Path image = outer.resolve("image");
      run(outer, "fallocate", "-l", MEGABYTES + "m", image.toString());
      run(outer, "mkfs.ext4", "-q", "-F", "-E", "nodiscard", image.toString());
      // What it needs for itself has its room, and only that.
      run(outer, "fallocate", "-l", MEGABYTES + "m", image.toString());
      LoopedFileSystem disk = LoopedFileSystem.mount(image, folder);
      run(outer, "fstrim", folder.toString());
      done = true;
      return new FillingDisk(outer, folder, disk);
    } finally {
      if (!done) {
        run(outer, "umount", "--lazy", outer.toString());
      }
    }
  }

  private Path filling() {
    return outer.resolve("filling");
  }

  /** The device has no room for anything new, until a file there is removed. */
  public void fill() throws IOException {
    run(outer, "fstrim", folder.toString());
    byte[] some = new byte[4096];
    try (OutputStream out =
        Files.newOutputStream(filling(), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      while (true) {
        out.write(some);
      }
    } catch (IOException full) {
      if (!String.valueOf(full.getMessage()).contains("No space left")) {
        throw full;
      }
    }
  }

  /** The device is as it was. */
  public void heal() throws IOException {
    Files.delete(filling());
  }

  @Override
  public void close() {
    try {
      disk.close();
    } finally {
      try {
        run(outer, "umount", "--lazy", outer.toString());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static void run(Path outer, String... command) throws IOException {
    Path log = outer.resolveSibling(outer.getFileName() + ".log");
    try (ManagedProcess process = ManagedProcess.start(List.of(command), Map.of(), log)) {
      if (process.awaitEnd(Duration.ofMinutes(1)) != 0) {
        throw new IOException(String.join(" ", command) + ": " + process.output().strip());
      }
    }
  }
}
