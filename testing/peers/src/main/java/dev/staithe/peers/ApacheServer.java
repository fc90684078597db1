package dev.staithe.peers;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Apache with TLS in a folder of its own: nothing below {@code /etc/apache2} or {@code /var} is
 * read or written. Of the event kind; it loads what its user needs and nothing else. For a test
 * with mod_auth_openidc before some of its pages.
 */
public final class ApacheServer extends LocalServer {
  private static final Program OPENIDC =
      new Program("mod_auth_openidc", "libapache2-mod-auth-openidc");
  private static final Path MODULES = Path.of("/usr/lib/apache2/modules");

  private static final String CONFIGURATION =
      """
      ServerRoot /usr/lib/apache2
      ServerName localhost
      PidFile @/run/pid
      DefaultRuntimeDir @/run
      Mutex file:@/run default
      ErrorLog /dev/stderr
      LogLevel warn
      %s
      TypesConfig /dev/null
      SSLCertificateFile @/host.pem
      SSLCertificateKeyFile @/host-key.pem
      """;

  private static final String PAGES =
      """
      AddType text/html .html
      AddOutputFilter INCLUDES .html
      Listen 127.0.0.1:%d
      SSLEngine on
      OIDCCABundlePath @/ca.pem
      DocumentRoot @/data
      <Directory @/data>
        Options +Includes
        Require all granted
      </Directory>
      """;

  private ApacheServer(ServerFolder place, ManagedProcess process) {
    super(place, process);
  }

  /**
   * Starts one in a folder with its certificate, and waits until it listens.
   *
   * @param ports how many it listens at
   * @param modules as {@code dav}, beside those that every server needs
   * @param rest of its configuration
   */
  public static ManagedProcess start(
      ServerFolder place,
      Core core,
      int ports,
      List<String> modules,
      ServerFolder.Configuration rest)
      throws IOException {
    var loaded =
        new ArrayList<>(List.of("mpm_event", "authz_core", "mime", "socache_shmcb", "ssl"));
    loaded.addAll(modules);
    var load = new StringBuilder();
    loaded.forEach(
        name -> load.append("LoadModule %1$s_module modules/mod_%1$s.so\n".formatted(name)));
    return place.start(
        "apache",
        core,
        "apache.conf",
        ports,
        free -> CONFIGURATION.formatted(load) + rest.at(free),
        // Apache ends its whole process group: in that of its caller are other servers.
        file -> List.of("setsid", Program.APACHE.path(), "-D", "FOREGROUND", "-f", file));
  }

  /**
   * Starts one; its certificate authorities are in {@code ca.pem}, beside its configuration.
   *
   * @param host what it shows, and whom it believes
   * @param pages each a path without a slash before it, and its content; server-side includes work
   * @param site more of the configuration, given where it will answer
   */
  public static ApacheServer start(
      HostFiles host, Map<String, String> pages, Function<URI, String> site) {
    if (!Files.exists(MODULES.resolve(OPENIDC.name() + ".so"))) {
      throw new AssertionError(OPENIDC.missing(OPENIDC.name()).reason());
    }
    try {
      ServerFolder place = ServerFolder.temporary("apache");
      place.give(host);
      for (Map.Entry<String, String> page : pages.entrySet()) {
        Path file = place.data().resolve(page.getKey());
        Files.createDirectories(file.resolve(".."));
        Files.writeString(file, page.getValue());
      }
      return new ApacheServer(
          place,
          start(
              place,
              Core.ANY,
              1,
              List.of("authn_core", "authz_user", "include", "rewrite", "auth_openidc"),
              ports -> PAGES.formatted(ports.getFirst()) + site.apply(address(ports.getFirst()))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static URI address(int port) {
    return URI.create("https://localhost:" + port + "/");
  }

  /** Where it answers; with a slash at the end. */
  public URI url() {
    return address(port());
  }
}
