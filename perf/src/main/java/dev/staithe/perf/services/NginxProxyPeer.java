package dev.staithe.perf.services;

import dev.staithe.peers.NginxServer;
import dev.staithe.peers.ServerFolder;
import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.Program;
import dev.staithe.peers.process.Readiness;
import dev.staithe.perf.peers.Door;
import dev.staithe.perf.peers.Peer;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.peers.Site;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.IntFunction;

/** nginx that hands requests on to another server and does nothing else with them. */
public final class NginxProxyPeer implements Peer {
  private static final String CONFIGURATION =
      """
      keepalive_requests 100000000;
      keepalive_timeout 600;
      client_max_body_size 0;
      upstream back-end {
        server %s;
        keepalive 64;
        keepalive_requests 100000000;
        keepalive_timeout 600;
      }
      server {
        listen 127.0.0.1:%d;
        location / {
          proxy_pass http://back-end;
          proxy_http_version 1.1;
          proxy_set_header Connection "";
        }
      }
      """;

  private final URI backEnd;

  /**
   * @param backEnd what it stands before
   */
  public NginxProxyPeer(URI backEnd) {
    this.backEnd = backEnd;
  }

  @Override
  public String name() {
    return "nginx";
  }

  @Override
  public Readiness readiness() {
    return Program.NGINX.readiness("-v");
  }

  @Override
  public RunningPeer start(Site site, Path folder, Core core) throws IOException {
    return start(
        name(),
        site,
        folder,
        core,
        port -> CONFIGURATION.formatted(backEnd.getAuthority(), port),
        "nginx -c nginx.conf (one worker, proxy_pass, connections to the back end kept, access log"
            + " on)");
  }

  /**
   * Starts one that listens at one port without TLS.
   *
   * @param configuration for that port
   */
  static RunningPeer start(
      String name,
      Site site,
      Path folder,
      Core core,
      IntFunction<String> configuration,
      String command)
      throws IOException {
    ServerFolder place = ServerFolder.in(folder);
    ManagedProcess process =
        NginxServer.start(name, place, core, 1, ports -> configuration.apply(ports.getFirst()));
    return RunningPeer.await(
        process,
        Map.of(Door.HTTP, URI.create("http://localhost:%d/".formatted(process.port(0)))),
        "/",
        site.authority(),
        place.data(),
        "",
        command);
  }
}
