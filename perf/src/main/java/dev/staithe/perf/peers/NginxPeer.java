package dev.staithe.perf.peers;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * nginx with its DAV module: both doors in one process with one worker. GET by {@code sendfile}
 * without TLS, PUT by a rename, because bodies are gathered on the same file system. It knows no
 * PROPFIND.
 */
public final class NginxPeer implements Peer {
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
        default_type application/octet-stream;
        sendfile on;
        tcp_nopush on;
        output_buffers 2 1m;
        keepalive_requests 10000000;
        keepalive_timeout 600;
        client_max_body_size 0;
        client_body_temp_path @/run/body;
        proxy_temp_path @/run/proxy;
        fastcgi_temp_path @/run/fastcgi;
        uwsgi_temp_path @/run/uwsgi;
        scgi_temp_path @/run/scgi;
        ssl_certificate @/host.pem;
        ssl_certificate_key @/host-key.pem;
        ssl_protocols TLSv1.3;
        server {
          listen 127.0.0.1:%d;
          listen 127.0.0.1:%d ssl;
          server_name localhost;
          root @;
          location /data/ {
            dav_methods PUT DELETE MKCOL COPY MOVE;
            create_full_put_path on;
          }
          location / {
            return 404;
          }
        }
      }
      """;

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
    ServerFolder place = ServerFolder.in(folder);
    place.giveCredential(site);
    String program = Program.NGINX.path();
    ManagedProcess process =
        place.start(
            name(),
            core,
            "nginx.conf",
            2,
            ports -> CONFIGURATION.formatted(ports.get(0), ports.get(1)),
            file -> List.of(program, "-p", place.path() + "/", "-c", file, "-e", "stderr"));
    return RunningPeer.await(
        process,
        Map.of(
            Door.HTTP, URI.create("http://localhost:%d/data/".formatted(process.port(0))),
            Door.HTTPS, URI.create("https://localhost:%d/data/".formatted(process.port(1)))),
        "/data/",
        site.authority(),
        place.data(),
        "",
        "nginx -c nginx.conf (one worker, sendfile on, output_buffers 2 1m, TLS 1.3,"
            + " access log on)");
  }
}
