package dev.staithe.peers.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A folder that is mounted elsewhere by {@code bindfs}, through FUSE: a file system that cannot
 * exchange two names, and may be made slow.
 */
public final class BoundFileSystem implements AutoCloseable {
  private final Path behind;
  private final Path at;

  private BoundFileSystem(Path behind, Path at) {
    this.behind = behind;
    this.at = at;
  }

  /** Why none can be mounted here, or an empty text. */
  public static String obstacle() {
    return "root".equals(System.getProperty("user.name")) && Files.exists(Path.of("/dev/fuse"))
        ? ""
        : "mounting a FUSE file system needs root and /dev/fuse";
  }

  /**
   * Mounts it; both folders are made where they are not there.
   *
   * @param behind where the files are
   * @param options of the program, as {@code --write-rate=1M}
   */
  public static BoundFileSystem mount(Path behind, Path at, String... options) throws IOException {
    List<String> command = new ArrayList<>(List.of("bindfs"));
    command.addAll(List.of(options));
    command.add(Files.createDirectories(behind).toString());
    command.add(Files.createDirectories(at).toString());
    run(behind, command);
    return new BoundFileSystem(behind, at);
  }

  private static void run(Path behind, List<String> command) throws IOException {
    Path log = behind.resolveSibling(behind.getFileName() + "." + command.getFirst() + ".log");
    Files.deleteIfExists(log);
    try (ManagedProcess process = ManagedProcess.start(command, Map.of(), log)) {
      if (process.awaitEnd(Duration.ofMinutes(1)) != 0) {
        throw new IOException(String.join(" ", command) + ": " + process.output().strip());
      }
    }
  }

  /** Where it is mounted. */
  public Path at() {
    return at;
  }

  @Override
  public void close() {
    try {
      run(behind, List.of("umount", "--lazy", at.toString()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
