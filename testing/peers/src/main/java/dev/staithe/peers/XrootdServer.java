package dev.staithe.peers;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.Program;
import dev.staithe.peers.process.Readiness;
import dev.staithe.peers.process.Unprivileged;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/**
 * XRootD with its HTTP door and third-party copy: the other end of a pull or push. One port takes
 * both schemes: it tells TLS by the first byte. It has no authorization, so a bearer token is taken
 * and ignored; {@code Credential: none} must be sent with its COPY. Checksums are computed when
 * somebody asks for one, not on upload.
 *
 * <p>It refuses to run as root and then runs as {@code nobody}. It has no setting for the address
 * to listen at and is reachable from the network as long as it runs. Its folder's path must be
 * short, because it makes sockets there, whose paths may not have more than 107 bytes.
 */
public final class XrootdServer extends LocalServer {
  private static final String CONFIGURATION =
      """
      all.export /
      oss.localroot @/data
      all.adminpath @/run
      all.pidpath @/run
      xrd.port %1$d
      xrd.protocol http:%2$d libXrdHttp.so
      xrd.tls @/host.pem @/host-key.pem
      xrd.tlsca certfile @/ca.pem
      http.exthandler xrdtpc libXrdHttpTPC.so
      xrootd.chksum max 2 adler32 md5
      """;

  private static final String BY_TOKENS =
      """
      ofs.authorize 1
      ofs.authlib libXrdAccSciTokens.so config=@/scitokens.cfg
      http.header2cgi Authorization authz
      """;

  private static final String BY_DATABASE =
      """
      http.gridmap @/gridmap
      http.secxtractor libXrdVoms.so
      ofs.authorize
      acc.authdb @/authdb
      """;

  private static final String ONE_ISSUER =
      """
      [Global]
      audience = %s
      [Issuer only]
      issuer = %s
      base_path = /
      """;

  private static final String BY_MACAROONS =
      """
      ofs.authorize 1
      ofs.authlib libXrdMacaroons.so
      http.exthandler xrdmacaroons libXrdMacaroons.so
      http.header2cgi Authorization authz
      macaroons.secretkey @/macaroon-secret
      all.sitename peer
      acc.authdb @/authdb
      """;

  private static final int SECRET_BYTES = 64;
  private static final String THIRD_PARTY_COPY = "libXrdHttpTPC";
  private static final List<Path> LIBRARIES =
      List.of(Path.of("/usr/lib"), Path.of("/usr/lib64"), Path.of("/usr/local/lib"));

  /** The index of the port of its HTTP door. */
  public static final int HTTP = 1;

  private XrootdServer(ServerFolder place, ManagedProcess process) {
    super(place, process);
  }

  /** Whether it can be started here. */
  public static Readiness readiness() {
    return readiness(THIRD_PARTY_COPY);
  }

  private static Readiness readiness(String plugin) {
    Readiness program = Program.XROOTD.readiness("-v");
    return program instanceof Readiness.Missing || has(plugin)
        ? program
        : new Program(
                plugin,
                plugin.equals("libXrdVoms") ? "xrootd-voms-plugins" : "xrootd-server-plugins")
            .missing(plugin);
  }

  private static boolean has(String plugin) {
    for (Path libraries : LIBRARIES) {
      // Debian has a folder for each architecture.
      try (Stream<Path> found =
          Files.find(
              libraries, 3, (path, about) -> path.getFileName().toString().startsWith(plugin))) {
        if (found.findAny().isPresent()) {
          return true;
        }
      } catch (IOException e) {
        // There is no such folder.
      }
    }
    return false;
  }

  /** Starts one in a folder with its certificate, and waits until it listens at both ports. */
  public static ManagedProcess start(ServerFolder place, Core core) throws IOException {
    return start(place, core, "", List.of());
  }

  /** The same with more in its configuration, by a command behind these words. */
  private static ManagedProcess start(
      ServerFolder place, Core core, String more, List<String> before) throws IOException {
    return ManagedProcess.start(
        "xrootd",
        place.path(),
        2,
        core,
        ports -> {
          String configuration = CONFIGURATION.formatted(ports.get(0), ports.get(HTTP)) + more;
          String file = "" + place.write("xrootd.cfg", configuration);
          List<String> command = new ArrayList<>(before);
          command.addAll(
              place.command(
                  List.of(Program.XROOTD.path(), "-c", file, "-w", place.path() + "/run")));
          return command;
        });
  }

  private interface InFolder {
    ManagedProcess start(ServerFolder place) throws IOException;
  }

  private static XrootdServer start(HostFiles host, String plugin, InFolder server) {
    if (readiness(plugin) instanceof Readiness.Missing(String reason)) {
      throw new AssertionError(reason);
    }
    try {
      ServerFolder place = ServerFolder.temporary("xrootd");
      place.give(host);
      return new XrootdServer(place, server.start(place));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts one for a test. */
  public static XrootdServer start(HostFiles host) {
    return start(host, THIRD_PARTY_COPY, place -> start(place, Core.ANY));
  }

  /**
   * Starts one that admits by tokens of that issuer for that audience, and by nothing else; its
   * plug-in stands on scitokens-cpp, which asks for keys only where it may mount {@link
   * MachineAuthorities}.
   */
  public static XrootdServer withTokens(HostFiles host, String issuer, String audience) {
    return start(
        host,
        "libXrdAccSciTokens",
        place -> {
          place.write("scitokens.cfg", ONE_ISSUER.formatted(audience, issuer));
          List<String> before =
              new ArrayList<>(MachineAuthorities.replacedBy(place.path().resolve("ca.pem")));
          before.addAll(List.of("env", "XDG_CACHE_HOME=" + place.path() + "/run"));
          return start(place, Core.ANY, BY_TOKENS, before);
        });
  }

  /**
   * Starts one that gives macaroons to people with certificates, and admits by both.
   *
   * @param authorizations lines of its {@code acc.authdb}, in which a person is the hash of the
   *     subject with {@code .0} behind
   */
  public static XrootdServer withMacaroons(HostFiles host, String authorizations) {
    return start(
        host,
        "libXrdMacaroons",
        place -> {
          place.write("authdb", authorizations);
          byte[] secret = new byte[SECRET_BYTES];
          new SecureRandom().nextBytes(secret);
          place.write("macaroon-secret", Base64.getMimeEncoder().encodeToString(secret) + "\n");
          return start(place, Core.ANY, BY_MACAROONS, List.of());
        });
  }

  /**
   * Starts one that admits certificates and attributes of VOMS by its authorization database, and
   * exports its whole folder.
   *
   * @param host whose authority is that of the clients
   * @param grid a folder of authorities, for attributes
   * @param vomsdir whose attributes count
   * @param gridmap lines of names in certificates, with users
   * @param database what the users and groups may do
   */
  public static XrootdServer withDatabase(
      HostFiles host, Path grid, Path vomsdir, String gridmap, String database) {
    return start(
        host,
        "libXrdVoms",
        place -> {
          place.write("gridmap", gridmap);
          // As it is: an at sign is a word of it.
          Files.writeString(place.path().resolve("authdb"), database);
          Path authorities = copied(grid, place.path().resolve("grid"));
          Path servers = copied(vomsdir, place.path().resolve("vomsdir"));
          return start(
              place,
              Core.ANY,
              BY_DATABASE,
              List.of("env", "X509_CERT_DIR=" + authorities, "X509_VOMS_DIR=" + servers));
        });
  }

  private static Path copied(Path folder, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.toList()) {
        Files.copy(each, to.resolve(folder.relativize(each).toString()));
      }
    }
    return to;
  }

  /** The file that it was started with. */
  public Path configuration() {
    return place().path().resolve("xrootd.cfg");
  }

  /** The https URL of a path such as {@code /file}. */
  public String url(String path) {
    return "https://localhost:" + port() + path;
  }

  /** The HTTPS door's port. */
  @Override
  public int port() {
    return process().port(HTTP);
  }

  /** The root of its files. */
  public Path dataFolder() {
    return place().data();
  }

  /** Puts a file there that the server may read and replace. */
  public Path putFile(String name, byte[] content) {
    try {
      Path file = Files.write(dataFolder().resolve(name), content);
      Unprivileged.own(file);
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
