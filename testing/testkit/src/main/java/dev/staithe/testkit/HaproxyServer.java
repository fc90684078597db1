package dev.staithe.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * HAProxy with a configuration of the test, in a folder of its own: nothing below {@code
 * /etc/haproxy} or {@code /var} is read or written, and no service of the system is started. In the
 * foreground and one process, so that its end is the end of all of it.
 */
public final class HaproxyServer implements AutoCloseable {

  private final Path folder;
  private final int port;
  private final ExternalProcess process;

  private HaproxyServer(Path folder, int port, ExternalProcess process) {
    this.folder = folder;
    this.port = port;
    this.process = process;
  }

  /**
   * Starts one.
   *
   * @param configuration all of it, given the port to listen at on the loopback address
   */
  public static HaproxyServer start(IntFunction<String> configuration) {
    String program = Tool.HAPROXY.path();
    try {
      Path folder = Files.createTempDirectory("haproxy");
      int port = FreePort.next();
      Path file = folder.resolve("haproxy.cfg");
      Files.writeString(file, configuration.apply(port));
      ExternalProcess process =
          ExternalProcess.start(
              List.of(program, "-db", "-f", file.toString()), Map.of(), folder.resolve("output"));
      HaproxyServer server = new HaproxyServer(folder, port, process);
      try {
        process.awaitPort(port, Eventually.LONGEST);
      } catch (AssertionError e) {
        server.close();
        throw e;
      }
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The port that it listens at. */
  public int port() {
    return port;
  }

  /** What it said: servers that went and came, failures. */
  public String log() {
    return process.output();
  }

  /** Ends it and deletes its folder. */
  @Override
  public void close() {
    process.close();
    Folders.delete(folder);
  }
}
