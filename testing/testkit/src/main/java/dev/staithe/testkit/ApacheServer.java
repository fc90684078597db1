package dev.staithe.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Apache with TLS, and mod_auth_openidc before some of its pages, in a folder of its own: nothing
 * below {@code /etc/apache2} or {@code /var} is read or written.
 */
public final class ApacheServer implements AutoCloseable {
  private static final Path OPENIDC = Path.of("/usr/lib/apache2/modules/mod_auth_openidc.so");

  private final Path folder;
  private final URI url;
  private final ExternalProcess process;

  private ApacheServer(Path folder, URI url, ExternalProcess process) {
    this.folder = folder;
    this.url = url;
    this.process = process;
  }

  /**
   * Starts one; its certificate authorities are in {@code ca.pem}, beside its configuration.
   *
   * @param hosts whose certificate for {@code localhost} it shows, and which it believes
   * @param pages each a path without a slash before it, and its content; server-side includes work
   * @param site more of the configuration, given where it will answer
   */
  public static ApacheServer start(
      ThrowAwayAuthority hosts, Map<String, String> pages, Function<URI, String> site) {
    if (!Files.exists(OPENIDC)) {
      throw new AssertionError(
          OPENIDC + " is missing: apt-get install -y libapache2-mod-auth-openidc");
    }
    try {
      // Not a test's own folder: it does not run as root, and must get there.
      Path folder = Files.createTempDirectory("apache");
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
      ThrowAwayAuthority.Host host = hosts.localhost();
      Files.copy(host.certificate(), folder.resolve("host.pem"));
      Files.copy(host.key(), folder.resolve("host-key.pem"));
      Files.copy(hosts.certificateFile(), folder.resolve("ca.pem"));
      for (Map.Entry<String, String> page : pages.entrySet()) {
        Path file = folder.resolve("pages").resolve(page.getKey());
        Files.createDirectories(file.resolve(".."));
        Files.writeString(file, page.getValue());
      }
      int port = FreePort.next();
      URI url = URI.create("https://localhost:" + port + "/");
      Path configuration = folder.resolve("apache.conf");
      Files.writeString(configuration, configuration(folder, port) + site.apply(url));
      Unprivileged.own(folder);
      List<String> command = new ArrayList<>(Unprivileged.prefix());
      // Apache ends its whole process group: in that of its caller are other servers.
      command.addAll(List.of("setsid", Tool.APACHE.path(), "-D", "FOREGROUND"));
      command.addAll(List.of("-f", configuration.toString()));
      ExternalProcess process =
          ExternalProcess.start(command, Map.of(), Files.createFile(folder.resolve("output")));
      ApacheServer server = new ApacheServer(folder, url, process);
      try {
        process.awaitPort(port, Eventually.LONGEST);
      } catch (AssertionError e) {
        String told = server.log();
        server.close();
        throw new AssertionError(e.getMessage() + "\n" + told, e);
      }
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String configuration(Path folder, int port) {
    return """
    ServerRoot /usr/lib/apache2
    ServerName localhost
    PidFile %1$s/pid
    DefaultRuntimeDir %1$s
    Mutex file:%1$s default
    ErrorLog %1$s/errors
    LogLevel warn
    LoadModule mpm_event_module modules/mod_mpm_event.so
    LoadModule authn_core_module modules/mod_authn_core.so
    LoadModule authz_core_module modules/mod_authz_core.so
    LoadModule authz_user_module modules/mod_authz_user.so
    LoadModule include_module modules/mod_include.so
    LoadModule mime_module modules/mod_mime.so
    LoadModule rewrite_module modules/mod_rewrite.so
    LoadModule socache_shmcb_module modules/mod_socache_shmcb.so
    LoadModule ssl_module modules/mod_ssl.so
    LoadModule auth_openidc_module modules/mod_auth_openidc.so
    TypesConfig /dev/null
    AddType text/html .html
    AddOutputFilter INCLUDES .html
    Listen 127.0.0.1:%2$d
    SSLEngine on
    SSLCertificateFile %1$s/host.pem
    SSLCertificateKeyFile %1$s/host-key.pem
    OIDCCABundlePath %1$s/ca.pem
    DocumentRoot %1$s/pages
    <Directory %1$s/pages>
      Options +Includes
      Require all granted
    </Directory>
    """
        .formatted(folder, port);
  }

  /** Where it answers; with a slash at the end. */
  public URI url() {
    return url;
  }

  /** What it complained of. */
  public String log() {
    Path log = folder.resolve("errors");
    try {
      return process.output() + (Files.exists(log) ? Files.readString(log) : "");
    } catch (IOException e) {
      return "cannot read the log: " + e.getMessage();
    }
  }

  /** Ends it and deletes its folder. */
  @Override
  public void close() {
    process.close();
    Folders.delete(folder);
  }
}
