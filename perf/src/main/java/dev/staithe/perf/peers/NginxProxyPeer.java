package dev.staithe.perf.peers;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** nginx that hands requests on to another server and does nothing else with them. */
public final class NginxProxyPeer implements Peer {
  private static final String CONFIGURATION =
      """
      daemon off;
      worker_processes 1;
      pid @/run/pid;
      error_log stderr warn;
      events {
        worker_connections 1024;
      }
      http {
        access_log @/run/access.log;
        keepalive_requests 100000000;
        keepalive_timeout 600;
        client_max_body_size 0;
        client_body_temp_path @/run/body;
        proxy_temp_path @/run/proxy;
        fastcgi_temp_path @/run/fastcgi;
        uwsgi_temp_path @/run/uwsgi;
        scgi_temp_path @/run/scgi;
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
    String program = Program.NGINX.path();
    ManagedProcess process =
        place.start(
            name,
            core,
            "nginx.conf",
            1,
            ports -> configuration.apply(ports.getFirst()),
            file -> List.of(program, "-p", place.path() + "/", "-c", file, "-e", "stderr"));
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
