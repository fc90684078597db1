package dev.staithe.peers;

import dev.staithe.peers.process.Checkout;
import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.PeerScript;
import dev.staithe.peers.process.Program;
import dev.staithe.peers.process.Readiness;
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
   * @throws IOException where it does not start, in one line
   */
  public static ManagedProcess start(Path repository, HostFiles host, ServerFolder place, Core core)
      throws IOException {
    place.give(host);
    return new PeerScript(repository, "gridsite").start(place.path(), 1, core);
  }

  /** Starts one for a test. */
  public static GridSiteServer start(HostFiles host) {
    try {
      ServerFolder place = ServerFolder.temporary("gridsite");
      return new GridSiteServer(place, start(Checkout.root(), host, place, Core.ANY));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where one takes delegations. */
  public static URI url(ManagedProcess process) {
    return URI.create("https://localhost:%d/gridsite-delegation.cgi".formatted(process.port(0)));
  }

  /** What was delegated to one is below this folder. */
  public static Path cache(ServerFolder place) {
    return place.path().resolve("proxycache");
  }

  /** Where it takes delegations. */
  public URI url() {
    return url(process());
  }

  /** The proxies that were delegated: each a file with the proxy, its key and its chain. */
  public List<Path> proxies() {
    // A folder for each client and in it one for each id: these stay, while files come and go.
    return within(cache(place()))
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
