package dev.staithe.perf.peers;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * GridSite's delegation service in Apache, by {@code perf/peers/gridsite}: SOAP of delegation 1.1,
 * RSA keys of 1024 bits, a process for each request. Immutable.
 */
public final class GridSitePeer {
  private static final String NAME = "gridsite";
  private static final Path PROGRAM = Path.of("/usr/lib/gridsite/cgi-bin/gridsite-delegation.cgi");

  private final Path repository;

  /**
   * Makes one.
   *
   * @param repository the checkout, below which its script is
   */
  public GridSitePeer(Path repository) {
    this.repository = repository;
  }

  /** Short and unique. */
  public String name() {
    return NAME;
  }

  /** Whether it can be started here. */
  public Readiness readiness() {
    if (!Files.isExecutable(PROGRAM)) {
      return new Readiness.Missing(PROGRAM + " is missing: install the Debian package gridsite");
    }
    return Program.APACHE.readiness("-v");
  }

  /**
   * Starts it.
   *
   * @param site whose host certificate it shows
   * @param clients a PEM file with the authorities of its clients
   * @param folder an empty folder of its own, reachable for {@code nobody}
   * @throws IOException where it does not start, in one line
   */
  public Running start(Site site, Path clients, Path folder, Core core) throws IOException {
    ServerFolder place = ServerFolder.in(folder);
    Files.copy(site.certificate(), place.path().resolve("host.pem"));
    Files.copy(site.key(), place.path().resolve("host-key.pem"));
    Files.copy(clients, place.path().resolve("ca.pem"));
    return new Running(place.path(), new PeerScript(repository, NAME).start(place.path(), 1, core));
  }

  /** One that runs. */
  public static final class Running implements Party {
    private final Path folder;
    private final ManagedProcess process;

    private Running(Path folder, ManagedProcess process) {
      this.folder = folder;
      this.process = process;
    }

    /** Where it takes delegations. */
    public URI url() {
      return URI.create("https://localhost:%d/gridsite-delegation.cgi".formatted(process.port(0)));
    }

    /** The process ids whose CPU time, with that of their children, is the server's. */
    @Override
    public Set<Long> processes() {
      return Set.of(process.pid());
    }

    /** What was delegated is below this folder. */
    public Path proxies() {
      return folder.resolve("proxycache");
    }

    @Override
    public String command() {
      return "apache2 -D FOREGROUND (prefork, mod_cgi, gridsite-delegation.cgi, RSA-1024)";
    }

    @Override
    public void close() {
      process.close();
    }
  }
}
