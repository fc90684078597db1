package dev.staithe.peers;

import dev.staithe.peers.process.Folders;
import dev.staithe.peers.process.Listening;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.Program;
import dev.staithe.peers.process.Until;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * OpenLDAP's server with the entries of a test below {@code dc=example,dc=org}, in the clear with
 * StartTLS at one port and with TLS at another.
 */
public final class SlapdServer implements AutoCloseable {
  /** Below which all entries are. */
  public static final String SUFFIX = "dc=example,dc=org";

  /** Who may do everything. */
  public static final String ADMIN = "cn=admin," + SUFFIX;

  /** That one's password. */
  public static final String ADMIN_PASSWORD = "directory admin's";

  private final Path folder;
  private final int port;
  private final int tlsPort;
  private ManagedProcess process;

  private SlapdServer(Path folder, int port, int tlsPort, ManagedProcess process) {
    this.folder = folder;
    this.port = port;
    this.tlsPort = tlsPort;
    this.process = process;
  }

  /**
   * Starts one.
   *
   * @param host what it shows; with an RSA key, as Debian's is linked with GnuTLS, which cannot
   *     read Java's form of elliptic ones
   * @param ldif the entries below the suffix, whose own entry is there already; operational
   *     attributes as {@code memberOf} may be given
   */
  public static SlapdServer start(HostFiles host, String ldif) {
    try {
      Path folder = Files.createTempDirectory("slapd");
      Files.createDirectory(folder.resolve("db"));
      Files.copy(host.authority(), folder.resolve("ca.pem"));
      Files.copy(host.certificate(), folder.resolve("host.pem"));
      Files.copy(host.key(), folder.resolve("host-key.pem"));
      Path config = folder.resolve("slapd.conf");
      Files.writeString(config, configuration(folder));
      String suffix =
          """
          dn: %s
          objectClass: dcObject
          objectClass: organization
          dc: example
          o: Example

          """
              .formatted(SUFFIX);
      Program.Ran added =
          Program.SLAPADD.run(
              List.of("-q", "-f", config.toString()),
              Map.of(),
              (suffix + ldif).getBytes(StandardCharsets.UTF_8),
              Until.LONGEST);
      if (added.exitCode() != 0) {
        throw new AssertionError("slapadd ended with " + added.exitCode() + ": " + added.errors());
      }
      int port = Listening.freePorts(1).getFirst();
      int tlsPort = Listening.freePorts(1).getFirst();
      return new SlapdServer(folder, port, tlsPort, run(folder, port, tlsPort));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ManagedProcess run(Path folder, int port, int tlsPort) {
    ManagedProcess process =
        ManagedProcess.start(
            List.of(
                Program.SLAPD.path(),
                "-f",
                folder.resolve("slapd.conf").toString(),
                "-h",
                "ldap://127.0.0.1:" + port + " ldaps://127.0.0.1:" + tlsPort,
                "-d",
                "stats"),
            Map.of(),
            folder.resolve("log"));
    process.awaitPort(port, Until.LONGEST);
    process.awaitPort(tlsPort, Until.LONGEST);
    return process;
  }

  private static String configuration(Path folder) {
    return """
    include /etc/ldap/schema/core.schema
    include /etc/ldap/schema/cosine.schema
    include /etc/ldap/schema/inetorgperson.schema
    modulepath /usr/lib/ldap
    moduleload back_mdb
    moduleload memberof
    moduleload argon2
    pidfile %1$s/pid
    TLSCACertificateFile %1$s/ca.pem
    TLSCertificateFile %1$s/host.pem
    TLSCertificateKeyFile %1$s/host-key.pem
    TLSVerifyClient never

    database mdb
    maxsize 67108864
    directory %1$s/db
    suffix "%2$s"
    rootdn "%3$s"
    rootpw "%4$s"
    overlay memberof
    access to attrs=userPassword by anonymous auth by * none
    access to * by * read
    """
        .formatted(folder, SUFFIX, ADMIN, ADMIN_PASSWORD);
  }

  /** The port in the clear, where StartTLS is possible. */
  public int port() {
    return port;
  }

  /** The port with TLS. */
  public int tlsPort() {
    return tlsPort;
  }

  /** What it was asked, one line for each operation. */
  public String log() {
    return process.output();
  }

  /** Ends it as {@code kill -9} does. */
  public void kill() {
    process.kill();
  }

  /** Starts it again at the same ports with the same entries. */
  public void restart() {
    process.close();
    process = run(folder, port, tlsPort);
  }

  /** Ends it and deletes its folder. */
  @Override
  public void close() {
    process.close();
    Folders.delete(folder);
  }
}
