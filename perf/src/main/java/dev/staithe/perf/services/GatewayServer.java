package dev.staithe.perf.services;

import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.perf.peers.SingleProcess;
import java.net.URI;
import java.nio.file.Path;

/** A gateway before the static back end, ours or another, running. Not thread-safe. */
public final class GatewayServer extends SingleProcess {
  private final URI url;
  private final Path folder;

  /**
   * @param url below which the endpoints are, with a slash at the end
   * @param folder of its own
   */
  GatewayServer(URI url, ManagedProcess process, Path folder, String command) {
    super(process, command);
    this.url = url;
    this.folder = folder;
  }

  /** The address of an endpoint. */
  public String endpoint(String name) {
    return url.resolve(name).toString();
  }

  /** Where it writes what collections of garbage have left, where it does. */
  public Path collections() {
    return folder.resolve("gc.log");
  }
}
