package dev.staithe.perf.tokens;

import dev.staithe.peers.NginxServer;
import dev.staithe.peers.ServerFolder;
import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.Program;
import dev.staithe.peers.process.Readiness;
import dev.staithe.perf.lean.TokenProtocol;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * nginx with the same answer to everything: what it serves is no service, but shows how much the
 * driver of a load can do.
 */
public final class CannedPeer implements TokenPeer {
  private static final String CONFIGURATION =
      """
      keepalive_requests 100000000;
      keepalive_timeout 600;
      server {
        access_log off;
        listen 127.0.0.1:%d;
        location / {
          default_type application/json;
          return 200 '{"valid":true,"tokenId":"canned-0123456789-0123456789-0123456789-0123456789"}';
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
    ManagedProcess process =
        NginxServer.start(
            name(),
            ServerFolder.in(folder),
            core,
            1,
            ports -> CONFIGURATION.formatted(ports.getFirst()));
    return new TokenServer(
        TokenProtocol.staithe(),
        List.of("http://127.0.0.1:" + process.port(0)),
        List.of(process),
        "nginx -c nginx.conf (one worker, return 200)");
  }
}
