package dev.staithe.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * GridSite's own delegation service in Apache, as Debian packages both: the counterpart of
 * delegation clients that nobody here has written. It speaks the SOAP of delegation 1.1, makes RSA
 * keys of 1024 bits, and takes clients with a certificate; no proxies. Started by {@code
 * perf/peers/gridsite}, as the measurements start it.
 */
public final class GridSiteServer implements AutoCloseable {
  private static final String SCRIPT = "perf/peers/gridsite";

  private final Path folder;
  private final int port;
  private final ExternalProcess process;

  private GridSiteServer(Path folder, int port, ExternalProcess process) {
    this.folder = folder;
    this.port = port;
    this.process = process;
  }

  /**
   * Starts one.
   *
   * @param hosts whose certificate for {@code localhost} it shows
   * @param clients a PEM file with the authorities of its clients
   * @throws AssertionError where it does not start, with what it has said
   */
  public static GridSiteServer start(ThrowAwayAuthority hosts, Path clients) {
    try {
      // Not a test's own folder: it does not run as root, and must get there.
      Path folder = Files.createTempDirectory("gridsite");
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
      ThrowAwayAuthority.Host host = hosts.localhost();
      Files.copy(host.certificate(), folder.resolve("host.pem"));
      Files.copy(host.key(), folder.resolve("host-key.pem"));
      Files.copy(clients, folder.resolve("ca.pem"));
      int port = FreePort.next();
      ExternalProcess process =
          ExternalProcess.start(
              List.of(
                  Checkout.program(SCRIPT).toString(),
                  "run",
                  folder.toString(),
                  Integer.toString(port)),
              Map.of(),
              folder.resolve("output"));
      var server = new GridSiteServer(folder, port, process);
      try {
        // Before that it is asked by its script, whose delegation is deleted again.
        Path ready = folder.resolve("ready");
        Eventually.holds("ready", () -> Files.exists(ready) || !process.isAlive());
        if (!Files.exists(ready)) {
          throw new AssertionError("it has ended");
        }
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

  /** Where it takes delegations. */
  public URI url() {
    return URI.create("https://localhost:" + port + "/gridsite-delegation.cgi");
  }

  /** The port that it listens at. */
  public int port() {
    return port;
  }

  /** The proxies that were delegated: each a file with the proxy, its key and its chain. */
  public List<Path> proxies() {
    // A folder for each client and in it one for each id: these stay, while files come and go.
    return within(folder.resolve("proxycache"))
        .flatMap(client -> within(client).map(id -> id.resolve("userproxy.pem")))
        .filter(Files::isRegularFile)
        .sorted()
        .toList();
  }

  private static Stream<Path> within(Path folder) {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What it complained of, and what it was asked. */
  public String log() {
    var text = new StringBuilder(process.output());
    for (String each : List.of("run/errors", "run/access")) {
      try {
        text.append(Files.readString(folder.resolve(each)));
      } catch (IOException none) {
        text.append("no ").append(each).append('\n');
      }
    }
    return text.toString();
  }

  /** Ends it and deletes its folder. */
  @Override
  public void close() {
    process.close();
    Folders.delete(folder);
  }
}
