package dev.staithe.perf.stores;

import dev.staithe.peers.ServerFolder;
import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.perf.peers.Door;
import dev.staithe.perf.peers.Peer;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.peers.Site;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;

/**
 * A foreign server of files by both schemes, with the site's certificate and without tokens.
 * Immutable.
 */
abstract class FilePeer implements Peer {
  private final String name;
  private final int http;
  private final int https;
  private final String path;
  private final String shown;

  /**
   * @param http the index of its port without TLS
   * @param https the index of that with TLS, perhaps the same
   * @param path where the data are
   * @param shown its command for people
   */
  FilePeer(String name, int http, int https, String path, String shown) {
    this.name = name;
    this.http = http;
    this.https = https;
    this.path = path;
    this.shown = shown;
  }

  @Override
  public final String name() {
    return name;
  }

  /** Starts it in a folder with its certificate. */
  abstract ManagedProcess start(ServerFolder place, Core core) throws IOException;

  @Override
  public final RunningPeer start(Site site, Path folder, Core core) throws IOException {
    ServerFolder place = ServerFolder.in(folder);
    place.give(site.host());
    ManagedProcess process = start(place, core);
    return RunningPeer.await(
        process,
        Map.of(
            Door.HTTP, URI.create("http://localhost:%d%s".formatted(process.port(http), path)),
            Door.HTTPS, URI.create("https://localhost:%d%s".formatted(process.port(https), path))),
        path,
        site.authority(),
        place.data(),
        "",
        shown);
  }
}
