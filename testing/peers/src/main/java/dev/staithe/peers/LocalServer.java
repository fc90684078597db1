package dev.staithe.peers;

import dev.staithe.peers.process.Folders;
import dev.staithe.peers.process.ManagedProcess;

/** A server that runs in a folder of its own, for as long as a test. Not thread-safe. */
public abstract sealed class LocalServer implements AutoCloseable
    permits ApacheServer, GridSiteServer, HaproxyServer, NginxServer, XrootdServer {
  private final ServerFolder place;
  private final ManagedProcess process;

  LocalServer(ServerFolder place, ManagedProcess process) {
    this.place = place;
    this.process = process;
  }

  final ServerFolder place() {
    return place;
  }

  final ManagedProcess process() {
    return process;
  }

  /** The port that it listens at. */
  public int port() {
    return process.port(0);
  }

  /** What it complained of. */
  public String log() {
    return process.output();
  }

  /** Ends it as {@code kill -9} does. */
  public final void kill() {
    process.kill();
  }

  /** Ends it and deletes its folder. */
  @Override
  public final void close() {
    process.close();
    Folders.delete(place.path());
  }
}
