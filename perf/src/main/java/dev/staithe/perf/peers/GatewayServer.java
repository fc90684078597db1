package dev.staithe.perf.peers;

import java.net.URI;
import java.nio.file.Path;
import java.util.Set;

/** A gateway before the static back end, ours or another, running. Not thread-safe. */
public final class GatewayServer implements Party {
  private final URI url;
  private final ManagedProcess process;
  private final Path folder;
  private final String command;

  /**
   * @param url below which the endpoints are, with a slash at the end
   * @param folder of its own
   */
  GatewayServer(URI url, ManagedProcess process, Path folder, String command) {
    this.url = url;
    this.process = process;
    this.folder = folder;
    this.command = command;
  }

  /** The address of an endpoint. */
  public String endpoint(String name) {
    return url.resolve(name).toString();
  }

  /** The process ids whose CPU time, with that of their children, is the gateway's. */
  @Override
  public Set<Long> processes() {
    return Set.of(process.pid());
  }

  /** The process id of the gateway. */
  public long pid() {
    return process.pid();
  }

  /** Where it writes what collections of garbage have left, where it does. */
  public Path collections() {
    return folder.resolve("gc.log");
  }

  @Override
  public String command() {
    return command;
  }

  @Override
  public void close() {
    process.close();
  }
}
