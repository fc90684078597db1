package dev.staithe.peers;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.Unprivileged;
import dev.staithe.peers.process.WorkFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The folder of a foreign server: its configuration, its copies of certificate and key, and {@code
 * data}. Where this JVM is root's, the server is not: Apache and XRootD refuse it, so that all of
 * them run as {@code nobody} and own their folder.
 */
public final class ServerFolder {

  private final Path path;

  private ServerFolder(Path path) {
    this.path = path;
  }

  /**
   * Makes {@code data} and {@code run} in an empty folder.
   *
   * @throws IOException also where {@code nobody} could not get there
   */
  public static ServerFolder in(Path path) throws IOException {
    var folder = new ServerFolder(path.toRealPath());
    if (Unprivileged.ROOT) {
      folder.requireWayForOthers();
    }
    Files.createDirectories(folder.data());
    Files.createDirectories(folder.path.resolve("run"));
    // Made here to become the server's own, because Apache opens /dev/stderr by its name.
    Files.createFile(folder.path.resolve(ManagedProcess.OUTPUT));
    return folder;
  }

  /** One below the system's temporary folder, for a test. */
  static ServerFolder temporary(String name) throws IOException {
    return in(Files.createTempDirectory(name));
  }

  private void requireWayForOthers() throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    Optional<Path> barrier = WorkFolder.barrier(path);
    if (barrier.isPresent()) {
      throw new IOException(
          "servers run as %s, who may not enter %s: work in another folder, or not as root"
              .formatted(Unprivileged.USER, barrier.get()));
    }
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  /** What is served. */
  public Path data() {
    return path.resolve("data");
  }

  /** Who the server runs as. */
  public String user() {
    return Unprivileged.ROOT ? Unprivileged.USER : System.getProperty("user.name");
  }

  /** Writes the configuration; {@code @} in it stands for this folder. */
  public Path write(String name, String text) throws IOException {
    return Files.writeString(path.resolve(name), text.replace("@", path.toString()));
  }

  /** The configuration of a server that listens at some ports. */
  public interface Configuration {
    /** All of it, or the part that differs. */
    String at(List<Integer> ports);
  }

  /**
   * Starts a server that takes its configuration from a file, and waits until it listens.
   *
   * @param file the name of its configuration
   * @param ports how many it listens at
   * @param command for the path of that file
   */
  public ManagedProcess start(
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

  /** Copies a certificate to {@code host.pem}, its key, the authorities to {@code ca.pem}. */
  public void give(HostFiles host) throws IOException {
    Files.copy(host.authority(), path.resolve("ca.pem"));
    Files.copy(host.certificate(), path.resolve("host.pem"));
    Files.copy(host.key(), path.resolve("host-key.pem")); // with the rights of the original
  }

  /** The command that runs one as the server's user, who owns the folder from now on. */
  public List<String> command(List<String> server) throws IOException {
    Unprivileged.own(path);
    List<String> command = new ArrayList<>(Unprivileged.prefix());
    command.addAll(server);
    return command;
  }
}
