package dev.staithe.perf.stores;

import dev.staithe.peers.NginxServer;
import dev.staithe.peers.ServerFolder;
import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.Program;
import dev.staithe.peers.process.Readiness;
import java.io.IOException;

/**
 * nginx with its DAV module: both doors in one process with one worker. GET by {@code sendfile}
 * without TLS, PUT by a rename, because bodies are gathered on the same file system. It knows no
 * PROPFIND.
 */
public final class NginxPeer extends FilePeer {
  private static final String CONFIGURATION =
      """
      default_type application/octet-stream;
      sendfile on;
      tcp_nopush on;
      output_buffers 2 1m;
      keepalive_requests 10000000;
      keepalive_timeout 600;
      client_max_body_size 0;
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
      """;

  /** Makes one. */
  public NginxPeer() {
    super(
        "nginx",
        0,
        1,
        "/data/",
        "nginx -c nginx.conf (one worker, sendfile on, output_buffers 2 1m, TLS 1.3,"
            + " access log on)");
  }

  @Override
  public Readiness readiness() {
    return Program.NGINX.readiness("-v");
  }

  @Override
  ManagedProcess start(ServerFolder place, Core core) throws IOException {
    return NginxServer.start(
        "nginx", place, core, 2, ports -> CONFIGURATION.formatted(ports.get(0), ports.get(1)));
  }
}
