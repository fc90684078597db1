package dev.staithe.peers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * GridSite's own delegation service in Apache, as Debian packages both: the counterpart of
 * delegation clients that nobody here has written. It speaks the SOAP of delegation 1.1, makes RSA
 * keys of 1024 bits, a process for each request, and takes clients with a certificate; no proxies.
 * Started by {@code perf/peers/gridsite}. Not thread-safe.
 */
public final class GridSiteServer extends LocalServer {
  private static final Path PROGRAM = Path.of("/usr/lib/gridsite/cgi-bin/gridsite-delegation.cgi");

  private GridSiteServer(ServerFolder place, ManagedProcess process) {
    super(place, process);
  }

  /** Whether it can be started here. */
  public static Readiness readiness() {
    return Files.isExecutable(PROGRAM)
        ? Program.APACHE.readiness("-v")
        : new Program("" + PROGRAM, "gridsite").missing("" + PROGRAM);
  }

  /**
   * Starts it.
   *
   * @param repository the checkout, below which its script is
   * @param host what it shows for {@code localhost}, and the authorities of its clients
   * @param folder an empty folder of its own, reachable for {@code nobody}
   * @throws IOException where it does not start, in one line
   */
  public static GridSiteServer start(Path repository, HostFiles host, Path folder, Core core)
      throws IOException {
    ServerFolder place = ServerFolder.in(folder);
    place.give(host);
    return new GridSiteServer(
        place, new PeerScript(repository, "gridsite").start(place.path(), 1, core));
  }

  /** Starts one for a test. */
  public static GridSiteServer start(HostFiles host) {
    try {
      return start(Checkout.root(), host, Files.createTempDirectory("gridsite"), Core.ANY);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where it takes delegations. */
  public URI url() {
    return URI.create("https://localhost:" + port() + "/gridsite-delegation.cgi");
  }

  /** Its process id. */
  public long pid() {
    return process().pid();
  }

  /** What was delegated is below this folder. */
  public Path cache() {
    return place().path().resolve("proxycache");
  }

  /** The proxies that were delegated: each a file with the proxy, its key and its chain. */
  public List<Path> proxies() {
    // A folder for each client and in it one for each id: these stay, while files come and go.
    return within(cache())
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
  @Override
  public String log() {
    var text = new StringBuilder(process().output());
    for (String each : List.of("run/errors", "run/access")) {
      try {
        text.append(Files.readString(place().path().resolve(each)));
      } catch (IOException none) {
        text.append("no ").append(each).append('\n');
      }
    }
    return text.toString();
  }
}
