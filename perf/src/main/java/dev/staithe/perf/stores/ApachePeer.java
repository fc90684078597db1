package dev.staithe.perf.stores;

import dev.staithe.peers.ApacheServer;
import dev.staithe.peers.ServerFolder;
import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.Program;
import dev.staithe.peers.process.Readiness;
import java.io.IOException;
import java.util.List;

/**
 * Apache httpd with mod_dav, mod_dav_fs and mod_ssl, both doors in one server of the event kind. It
 * loads what it needs and nothing else, which is kinder to it than its distribution's package is.
 */
public final class ApachePeer extends FilePeer {
  private static final String CONFIGURATION =
      """
      LogFormat "%%h %%l %%u %%t \\"%%r\\" %%>s %%O \\"%%{Referer}i\\" \\"%%{User-Agent}i\\"" combined
      CustomLog @/run/access.log combined
      KeepAlive On
      MaxKeepAliveRequests 0
      KeepAliveTimeout 600
      EnableSendfile On
      LimitRequestBody 0
      LimitXMLRequestBody 0
      DavLockDB @/run/locks
      SSLProtocol TLSv1.3
      SSLSessionCache shmcb:@/run/sessions(512000)
      Listen 127.0.0.1:%1$d
      Listen 127.0.0.1:%2$d
      DocumentRoot @
      <Directory />
        Require all denied
        AllowOverride None
      </Directory>
      <Directory @/data>
        Require all granted
        Dav On
      </Directory>
      <VirtualHost 127.0.0.1:%2$d>
        SSLEngine on
      </VirtualHost>
      """;

  /** Makes one. */
  public ApachePeer() {
    super(
        "apache",
        0,
        1,
        "/data/",
        "apache2 -D FOREGROUND -f apache.conf (event, mod_dav_fs, EnableSendfile on, TLS 1.3,"
            + " access log on)");
  }

  @Override
  public Readiness readiness() {
    return Program.APACHE.readiness("-v");
  }

  @Override
  ManagedProcess start(ServerFolder place, Core core) throws IOException {
    return ApacheServer.start(
        place,
        core,
        2,
        List.of("dav", "dav_fs"),
        ports -> CONFIGURATION.formatted(ports.get(0), ports.get(1)));
  }
}
