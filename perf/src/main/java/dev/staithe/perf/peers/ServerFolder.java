package dev.staithe.perf.peers;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The folder of a foreign server: its configuration, its copies of certificate and key, and {@code
 * data}. Where this JVM is root's, the server is not: Apache and XRootD refuse it, so that all of
 * them run as {@code nobody} and own their folder.
 */
final class ServerFolder {
  static final boolean ROOT = "root".equals(System.getProperty("user.name"));
  private static final String NOBODY = "nobody";
  private static final String NOBODYS_GROUP = "nogroup";

  private final Path path;

  private ServerFolder(Path path) {
    this.path = path;
  }

  /**
   * Makes {@code data} and {@code run} in an empty folder.
   *
   * @throws IOException also where {@code nobody} could not get there
   */
  static ServerFolder in(Path path) throws IOException {
    var folder = new ServerFolder(path.toRealPath());
    if (ROOT) {
      folder.requireWayForOthers();
    }
    Files.createDirectories(folder.data());
    Files.createDirectories(folder.path.resolve("run"));
    // Made here to become the server's own, because Apache opens /dev/stderr by its name.
    Files.createFile(folder.path.resolve(ManagedProcess.OUTPUT));
    return folder;
  }

  private void requireWayForOthers() throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    Optional<Path> barrier = WorkFolder.barrier(path);
    if (barrier.isPresent()) {
      throw new IOException(
          "servers run as %s, who may not enter %s: work in another folder, or not as root"
              .formatted(NOBODY, barrier.get()));
    }
  }

  Path path() {
    return path;
  }

  /** What is served. */
  Path data() {
    return path.resolve("data");
  }

  /** Who the server runs as. */
  String user() {
    return ROOT ? NOBODY : System.getProperty("user.name");
  }

  /** Writes the configuration; {@code @} in it stands for this folder. */
  Path write(String name, String text) throws IOException {
    return Files.writeString(path.resolve(name), text.replace("@", path.toString()));
  }

  /** The configuration of a server that listens at some ports. */
  interface Configuration {
    String at(List<Integer> ports);
  }

  /**
   * Starts a server that takes its configuration from a file, and waits until it listens.
   *
   * @param file the name of its configuration
   * @param ports how many it listens at
   * @param command for the path of that file
   */
  ManagedProcess start(
      String name,
      Core core,
      String file,
      int ports,
      Configuration configuration,
      Function<String, List<String>> command)
      throws IOException {
    return ManagedProcess.start(
        name,
        path,
        ports,
        core,
        free -> command(command.apply("" + write(file, configuration.at(free)))));
  }

  /** Copies the host certificate to {@code host.pem}, its key, {@code ca.pem}. */
  void giveCredential(Site site) throws IOException {
    Files.copy(site.authority(), path.resolve("ca.pem"));
    Files.copy(site.certificate(), path.resolve("host.pem"));
    Files.copy(site.key(), path.resolve("host-key.pem")); // with the rights of the original
  }

  /** The command that runs one as the server's user, who owns the folder from now on. */
  List<String> command(List<String> server) throws IOException {
    if (!ROOT) {
      return server;
    }
    UserPrincipal user =
        FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(NOBODY);
    try (Stream<Path> tree = Files.walk(path)) {
      for (Path each : tree.toList()) {
        Files.setOwner(each, user);
      }
    }
    List<String> command = new ArrayList<>();
    command.add(Program.SETPRIV.path());
    command.addAll(List.of("--reuid", NOBODY, "--regid", NOBODYS_GROUP, "--clear-groups", "--"));
    command.addAll(server);
    return command;
  }
}
