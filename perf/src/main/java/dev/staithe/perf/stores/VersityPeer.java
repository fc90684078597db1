package dev.staithe.perf.stores;

import dev.staithe.peers.VersityServer;
import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.Readiness;
import dev.staithe.perf.peers.Party;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Set;

/**
 * The object store behind ours: the Versity gateway over a folder, by plain HTTP, its requests
 * logged. It is no peer of a storage element, but what one of ours asks.
 */
public final class VersityPeer {
  /** For people. */
  public static final String NAME = "versitygw";

  /** Its buckets: an area has one for itself. */
  private static final String[] BUCKETS = {"one", "two"};

  private VersityPeer() {}

  /** Whether it can be started here; where it is not built yet this builds it, for minutes. */
  public static Readiness readiness() {
    return VersityServer.readiness();
  }

  /**
   * Starts it.
   *
   * @param folder an empty folder of its own
   * @param core which cores it may use
   * @throws IOException where it does not start, in one line
   */
  public static Running start(Path folder, Core core) throws IOException {
    try {
      return new Running(VersityServer.measured(folder, core, BUCKETS));
    } catch (AssertionError e) {
      throw new IOException(("" + e.getMessage()).lines().findFirst().orElse(""), e);
    }
  }

  /** One that runs. Not thread-safe. */
  public static final class Running implements Party {
    private final VersityServer server;

    private Running(VersityServer server) {
      this.server = server;
    }

    /** Where it listens. */
    public URI endpoint() {
      return server.endpoint();
    }

    /** Its keys, in a file as tools of object stores have it. */
    public Path credentialsFile() {
      return server.credentialsFile();
    }

    /** The folder that a bucket is, {@code one} or {@code two}: each object is a file there. */
    public Path bucket(String name) {
      return server.dataFolder().resolve(name);
    }

    /** How many requests it has answered. */
    public long requests() throws IOException {
      return server.requests();
    }

    @Override
    public String command() {
      return "versitygw --port 127.0.0.1:… --keep-alive --quiet --access-log … posix … (HTTP)";
    }

    @Override
    public Set<Long> processes() {
      return Set.of(server.pid());
    }

    @Override
    public void close() {
      server.close();
    }
  }
}
