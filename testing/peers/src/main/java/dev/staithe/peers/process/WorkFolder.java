package dev.staithe.peers.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;

/** Where the servers of a measurement and their files are, unless somebody names a folder. */
public final class WorkFolder {
  private WorkFolder() {}

  /**
   * Below {@code usual}, or below {@code /var/tmp} where root's servers, which run as {@code
   * nobody}, could not enter that: a checkout in {@code /root} is such a place. {@code /tmp} is
   * memory on many systems, and the largest files have gigabytes.
   *
   * @param usual a folder that need not exist yet
   * @param name of the folder, which is not made
   */
  public static Path named(String name, Path usual) {
    return named(name, usual, Unprivileged.ROOT);
  }

  static Path named(String name, Path usual, boolean root) {
    try {
      if (root && barrier(usual).isPresent()) {
        return Path.of("/var/tmp", "staithe-" + name);
      }
    } catch (IOException unknown) {
      // Whoever cannot get there is told when a server's folder is made.
    }
    return usual.resolve(name);
  }

  /** What {@code nobody} may not enter of a folder and those above it, the innermost. */
  public static Optional<Path> barrier(Path folder) throws IOException {
    for (Path each = folder.toAbsolutePath().normalize(); each != null; each = each.getParent()) {
      if (Files.exists(each)
          && !Files.getPosixFilePermissions(each).contains(PosixFilePermission.OTHERS_EXECUTE)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }
}
