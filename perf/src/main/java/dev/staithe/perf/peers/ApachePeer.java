package dev.staithe.perf.peers;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Apache httpd with mod_dav, mod_dav_fs and mod_ssl, both doors in one server of the event kind. It
 * loads what it needs and nothing else, which is kinder to it than its distribution's package is.
 */
public final class ApachePeer implements Peer {
  private static final String CONFIGURATION =
      """
      ServerRoot /usr/lib/apache2
      ServerName localhost
      PidFile @/run/pid
      DefaultRuntimeDir @/run
      Mutex file:@/run default
      ErrorLog /dev/stderr
      LogLevel warn
      LoadModule mpm_event_module modules/mod_mpm_event.so
      LoadModule authz_core_module modules/mod_authz_core.so
      LoadModule mime_module modules/mod_mime.so
      LoadModule dav_module modules/mod_dav.so
      LoadModule dav_fs_module modules/mod_dav_fs.so
      LoadModule socache_shmcb_module modules/mod_socache_shmcb.so
      LoadModule ssl_module modules/mod_ssl.so
      TypesConfig /dev/null
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
      SSLCertificateFile @/host.pem
      SSLCertificateKeyFile @/host-key.pem
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

  @Override
  public String name() {
    return "apache";
  }

  @Override
  public Readiness readiness() {
    return Program.APACHE.readiness("-v");
  }

  @Override
  public RunningPeer start(Site site, Path folder, Core core) throws IOException {
    ServerFolder place = ServerFolder.in(folder);
    place.giveCredential(site);
    String program = Program.APACHE.path();
    ManagedProcess process =
        place.start(
            name(),
            core,
            "apache.conf",
            2,
            ports -> CONFIGURATION.formatted(ports.get(0), ports.get(1)),
            file -> List.of(program, "-D", "FOREGROUND", "-f", file));
    return RunningPeer.await(
        process,
        Map.of(
            Door.HTTP, URI.create("http://localhost:%d/data/".formatted(process.port(0))),
            Door.HTTPS, URI.create("https://localhost:%d/data/".formatted(process.port(1)))),
        "/data/",
        site.authority(),
        place.data(),
        "",
        "apache2 -D FOREGROUND -f apache.conf (event, mod_dav_fs, EnableSendfile on, TLS 1.3,"
            + " access log on)");
  }
}
