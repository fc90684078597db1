package dev.staithe.peers.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.stream.Stream;

/** Runs servers that refuse to run as root: as {@code nobody}, where the tests run as root. */
public final class Unprivileged {
  public static final String USER = "nobody";
  public static final boolean ROOT = "root".equals(System.getProperty("user.name"));

  private Unprivileged() {}

  /** What stands before a command; nothing where this JVM has no rights to give up. */
  public static List<String> prefix() {
    return ROOT
        ? List.of(
            Program.SETPRIV.path(), "--reuid", USER, "--regid", "nogroup", "--clear-groups", "--")
        : List.of();
  }

  /** Gives the folder and all that is in it to the user that such servers run as. */
  public static void own(Path folder) throws IOException {
    if (!ROOT) {
      return;
    }
    UserPrincipal user =
        FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(USER);
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path path : tree.toList()) {
        Files.setOwner(path, user);
      }
    }
  }

  /** Lets everybody into a folder of a test, and into those around it that are the test's. */
  public static void reach(Path folder) {
    if (!ROOT) {
      return;
    }
    Path temporary = Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath();
    try {
      for (Path each = folder.toAbsolutePath();
          each != null && each.startsWith(temporary) && !each.equals(temporary);
          each = each.getParent()) {
        Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxr-xr-x"));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
