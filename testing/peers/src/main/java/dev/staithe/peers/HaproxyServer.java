package dev.staithe.peers;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntFunction;

/**
 * HAProxy with a configuration of its user, in a folder of its own: nothing below {@code
 * /etc/haproxy} or {@code /var} is read or written, and no service of the system is started. In the
 * foreground and one process, so that its end is the end of all of it.
 */
public final class HaproxyServer extends LocalServer {
  private HaproxyServer(ServerFolder place, ManagedProcess process) {
    super(place, process);
  }

  /**
   * Starts one and waits until it listens.
   *
   * @param ports how many it listens at
   * @param configuration all of it
   */
  public static ManagedProcess start(
      ServerFolder place, Core core, int ports, ServerFolder.Configuration configuration)
      throws IOException {
    return ManagedProcess.start(
        "haproxy",
        place.path(),
        ports,
        core,
        free -> {
          Path file = place.write("haproxy.cfg", configuration.at(free));
          return List.of(Program.HAPROXY.path(), "-db", "-f", "" + file);
        });
  }

  /**
   * Starts one for a test.
   *
   * @param configuration all of it, given the port to listen at on the loopback address
   */
  public static HaproxyServer start(IntFunction<String> configuration) {
    try {
      ServerFolder place = ServerFolder.temporary("haproxy");
      return new HaproxyServer(
          place, start(place, Core.ANY, 1, free -> configuration.apply(free.getFirst())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
