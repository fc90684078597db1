package dev.staithe.peers.process;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A file system in a file, mounted by a loop device. What that file has at a moment is what a power
 * cut would leave on the disk: bytes that only the mounted file system's cache has are not in it,
 * and all that was written to the device is.
 */
public final class LoopedFileSystem implements AutoCloseable {
  private final Path image;
  private final Path folder;
  private final String device;

  private LoopedFileSystem(Path image, Path folder, String device) {
    this.image = image;
    this.folder = folder;
    this.device = device;
  }

  /** Why none can be mounted here, or an empty text. */
  public static String obstacle() {
    if (!"root".equals(System.getProperty("user.name"))) {
      return "mounting an image of a file system needs root";
    }
    return Files.exists(Path.of("/dev/loop-control"))
        ? ""
        : "mounting an image of a file system needs loop devices, and this machine has none";
  }

  /** Makes a new one of ext4 and mounts it at {@code folder}. */
  public static LoopedFileSystem make(Path image, Path folder, int megabytes) throws IOException {
    room(image, megabytes);
    run(image, "mkfs.ext4", "-q", "-F", image.toString());
    return mount(image, folder);
  }

  /** Makes a new one of XFS, where files may share what they have in common. */
  public static LoopedFileSystem makeXfs(Path image, Path folder, int megabytes)
      throws IOException {
    room(image, megabytes);
    run(image, "mkfs.xfs", "-q", "-m", "reflink=1", image.toString());
    return mount(image, folder, "defaults");
  }

  /** The same of Btrfs. */
  public static LoopedFileSystem makeBtrfs(Path image, Path folder, int megabytes)
      throws IOException {
    room(image, megabytes);
    run(image, "mkfs.btrfs", "-q", image.toString());
    return mount(image, folder, "defaults");
  }

  private static void room(Path image, int megabytes) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength((long) megabytes << 20);
    }
  }

  /** Mounts one of ext4 that is there, which plays its journal back. */
  public static LoopedFileSystem mount(Path image, Path folder) throws IOException {
    return mount(image, folder, "errors=remount-ro,commit=1");
  }

  private static LoopedFileSystem mount(Path image, Path folder, String options)
      throws IOException {
    Files.createDirectories(folder);
    String device = run(image, "losetup", "--find", "--show", image.toString()).strip();
    try {
      run(image, "mount", "-o", options, device, folder.toString());
    } catch (IOException e) {
      run(image, "losetup", "--detach", device);
      throw e;
    }
    return new LoopedFileSystem(image, folder, device);
  }

  private String name() {
    return Path.of(device).getFileName().toString();
  }

  /**
   * Copies what is on the device, as of one moment: until nothing was written while it was copied.
   * Who writes must be stopped; what the kernel itself writes ends soon.
   */
  public void copy(Path to) throws IOException {
    String before;
    do {
      before = written();
      Files.deleteIfExists(to);
      Files.copy(image, to);
    } while (!before.equals(written()));
  }

  /** What tells one state of the device from the next: writes that have ended, and others. */
  private String written() throws IOException {
    Path block = Path.of("/sys/block", name());
    List<String> counts;
    String flying;
    do {
      flying = Files.readString(block.resolve("inflight")).strip();
      counts = List.of(Files.readString(block.resolve("stat")).strip().split("\\s+"));
    } while (!flying.matches("\\d+\\s+0"));
    return counts.subList(4, 7).toString();
  }

  /** Lets the kernel find an error, after which it takes no change. */
  public void fail() throws IOException {
    Files.writeString(Path.of("/sys/fs/ext4", name(), "trigger_fs_error"), "1");
  }

  @Override
  public void close() {
    try {
      run(image, "umount", "--lazy", folder.toString());
      run(image, "losetup", "--detach", device);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String run(Path image, String... command) throws IOException {
    List<String> line = new ArrayList<>(List.of(command));
    Path log = image.resolveSibling(image.getFileName() + "." + command[0] + ".log");
    Files.deleteIfExists(log);
    try (ManagedProcess process = ManagedProcess.start(line, Map.of(), log)) {
      if (process.awaitEnd(Duration.ofMinutes(2)) != 0) {
        throw new IOException(String.join(" ", command) + ": " + process.output().strip());
      }
      return process.output();
    }
  }
}
