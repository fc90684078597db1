package dev.staithe.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * XRootD's server with its HTTPS door and third-party copy: the other end of a pull or push. It has
 * no authorization, so a bearer token is taken and ignored; {@code Credential: none} must be sent
 * with its COPY. Or one that lets in who has a token of an issuer, as it judges by scitokens-cpp.
 *
 * <p>It refuses to run as root and then runs as {@code nobody}, so that its folder is its own below
 * the system's temporary folder, not a test's.
 */
public final class XrootdServer implements AutoCloseable {
  private static final List<Path> PLUGIN_FOLDERS =
      List.of(Path.of("/usr/lib"), Path.of("/usr/lib64"), Path.of("/usr/local/lib"));

  private final Path folder;
  private final int port;
  private final ExternalProcess process;

  private XrootdServer(Path folder, int port, ExternalProcess process) {
    this.folder = folder;
    this.port = port;
    this.process = process;
  }

  /** Starts one that shows a certificate of that authority and trusts it. */
  public static XrootdServer start(ThrowAwayAuthority authority) {
    return start(authority, "", null);
  }

  /**
   * Starts one that admits by tokens of that issuer for that audience, and by nothing else. Where
   * {@link SciTokens#obstacle} is not empty it cannot.
   */
  public static XrootdServer withTokens(
      ThrowAwayAuthority authority, String issuer, String audience) {
    return start(
        authority,
        """
        ofs.authorize 1
        ofs.authlib libXrdAccSciTokens.so config=%s/scitokens.cfg
        http.header2cgi Authorization authz
        """,
        """
        [Global]
        audience = %s
        [Issuer only]
        issuer = %s
        base_path = /
        """
            .formatted(audience, issuer));
  }

  private static XrootdServer start(
      ThrowAwayAuthority authority, String more, @Nullable String issuers) {
    String program = Tool.XROOTD.path();
    requirePlugin("libXrdHttpTPC");
    if (issuers != null) {
      requirePlugin("libXrdAccSciTokens");
    }
    try {
      Path folder = Files.createTempDirectory("xrootd");
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
      for (String each : List.of("data", "admin", "run")) {
        Files.createDirectory(folder.resolve(each));
      }
      ThrowAwayAuthority.Host host = authority.localhost();
      Files.copy(authority.certificateFile(), folder.resolve("ca.pem"));
      Files.copy(host.certificate(), folder.resolve("host.pem"));
      Files.copy(host.key(), folder.resolve("host-key.pem"));
      int xrootPort = FreePort.next();
      int port = FreePort.next();
      Path config = folder.resolve("xrootd.cfg");
      Files.writeString(config, configuration(folder, xrootPort, port) + more.formatted(folder));
      if (issuers != null) {
        Files.writeString(folder.resolve("scitokens.cfg"), issuers);
      }
      Path log = folder.resolve("run/log");
      List<String> command = new ArrayList<>();
      if (issuers != null) {
        command.add(Tool.UNSHARE.path());
        command.addAll(SciTokens.believing(folder.resolve("ca.pem")));
      }
      command.addAll(Unprivileged.prefix());
      Unprivileged.own(folder);
      command.addAll(
          List.of(
              program,
              "-c",
              config.toString(),
              "-l",
              log.toString(),
              "-w",
              folder.resolve("run").toString()));
      ExternalProcess process =
          ExternalProcess.start(
              command,
              Map.of("XDG_CACHE_HOME", folder.resolve("run").toString()),
              folder.resolve("output"));
      XrootdServer server = new XrootdServer(folder, port, process);
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

  private static String configuration(Path folder, int xrootPort, int port) {
    return """
    all.export /
    oss.localroot %1$s/data
    all.adminpath %1$s/admin
    all.pidpath %1$s/run
    xrd.port %2$d
    xrd.protocol http:%3$d libXrdHttp.so
    xrd.tls %1$s/host.pem %1$s/host-key.pem
    xrd.tlsca certfile %1$s/ca.pem
    http.exthandler xrdtpc libXrdHttpTPC.so
    xrootd.chksum max 2 adler32 md5
    """
        .formatted(folder, xrootPort, port);
  }

  private static void requirePlugin(String name) {
    for (Path libraries : PLUGIN_FOLDERS) {
      if (!Files.isDirectory(libraries)) {
        continue;
      }
      try (Stream<Path> found =
          Files.find(
              libraries, 3, (path, about) -> path.getFileName().toString().startsWith(name))) {
        if (found.findAny().isPresent()) {
          return;
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    throw Tool.XROOTD.missing("XRootD's " + name);
  }

  /** The https URL of a path such as {@code /file}. */
  public String url(String path) {
    return "https://localhost:" + port + path;
  }

  /** The HTTPS door's port. */
  public int port() {
    return port;
  }

  /** The root of its files. */
  public Path dataFolder() {
    return folder.resolve("data");
  }

  /** Puts a file there that the server may read and replace. */
  public Path putFile(String name, byte[] content) {
    Path file = dataFolder().resolve(name);
    try {
      Files.write(file, content);
      Unprivileged.own(file);
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its log. */
  public String log() {
    Path log = folder.resolve("run/log");
    try {
      return Files.exists(log) ? Files.readString(log) : "";
    } catch (IOException e) {
      return "cannot read the log: " + e.getMessage();
    }
  }

  /** Ends it as {@code kill -9} does. */
  public void kill() {
    process.kill();
  }

  /** Ends it and deletes its folder. */
  @Override
  public void close() {
    process.close();
    Folders.delete(folder);
  }
}
