package dev.staithe.perf.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * nginx with the same answer to everything: what it serves is no service, but shows how much the
 * driver of a load can do.
 */
public final class CannedPeer implements TokenPeer {
  private static final String CONFIGURATION =
      """
      daemon off;
      worker_processes 1;
      pid @/pid;
      error_log stderr warn;
      events {
        worker_connections 4096;
      }
      http {
        access_log off;
        keepalive_requests 100000000;
        keepalive_timeout 600;
        client_body_temp_path @/body;
        proxy_temp_path @/proxy;
        fastcgi_temp_path @/fastcgi;
        uwsgi_temp_path @/uwsgi;
        scgi_temp_path @/scgi;
        server {
          listen 127.0.0.1:%d;
          location / {
            default_type application/json;
            return 200 '{"valid":true,"tokenId":"canned-0123456789-0123456789-0123456789-0123456789"}';
          }
        }
      }
      """;

  @Override
  public String name() {
    return "canned";
  }

  @Override
  public Readiness readiness() {
    return Program.NGINX.readiness("-v");
  }

  @Override
  public TokenServer start(Path folder, Core core) throws IOException {
    String program = Program.NGINX.path();
    ManagedProcess process =
        ManagedProcess.start(
            name(),
            folder,
            1,
            core,
            ports -> {
              Path file =
                  Files.writeString(
                      folder.resolve("nginx.conf"),
                      CONFIGURATION.formatted(ports.getFirst()).replace("@", "" + folder));
              return List.of(program, "-p", folder + "/", "-c", "" + file, "-e", "stderr");
            });
    return new TokenServer(
        TokenProtocol.staithe(),
        List.of("http://127.0.0.1:" + process.port(0)),
        List.of(process),
        "nginx -c nginx.conf (one worker, return 200)");
  }
}
