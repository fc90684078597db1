package dev.staithe.perf.stores;

import dev.staithe.peers.CephServer;
import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.Readiness;
import dev.staithe.perf.peers.Party;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/**
 * Debian's Ceph on this machine alone, its file system mounted twice by {@code ceph-fuse}. It is no
 * peer of a storage element, but where some of ours have their files.
 */
public final class CephPeer {
  /** For people. */
  public static final String NAME = "ceph";

  private CephPeer() {}

  /** Whether it can be started here. */
  public static Readiness readiness() {
    return CephServer.readiness();
  }

  /**
   * Starts it, which takes a minute or two; its files lie in the system's temporary folder.
   *
   * @param repository the checkout
   * @param core which cores its processes may use, those of the mounts included
   * @throws IOException where it does not start, in one line
   */
  public static Running start(Path repository, Core core) throws IOException {
    return new Running(CephServer.start(repository, core));
  }

  /** One that runs. Not thread-safe. */
  public static final class Running implements Party {
    private final CephServer server;

    private Running(CephServer server) {
      this.server = server;
    }

    /** Where its file system is mounted first. */
    public Path oneMount() {
      return server.oneMount();
    }

    /** Where the same is mounted once more, as at another machine. */
    public Path otherMount() {
      return server.otherMount();
    }

    @Override
    public String command() {
      return "perf/peers/ceph run … fs (one monitor, manager, OSD and metadata server, two ceph-fuse)";
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
