package dev.staithe.perf.services;

import dev.staithe.peers.GridSiteServer;
import dev.staithe.peers.HostFiles;
import dev.staithe.peers.ServerFolder;
import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.Readiness;
import dev.staithe.perf.peers.SingleProcess;
import dev.staithe.perf.peers.Site;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;

/**
 * GridSite's delegation service in Apache, by {@code perf/peers/gridsite}: SOAP of delegation 1.1,
 * RSA keys of 1024 bits, a process for each request. Immutable.
 */
public final class GridSitePeer {
  private static final String NAME = "gridsite";

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
    return GridSiteServer.readiness();
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
    var host = new HostFiles(clients, site.certificate(), site.key());
    return new Running(place, GridSiteServer.start(repository, host, place, core));
  }

  /** One that runs. */
  public static final class Running extends SingleProcess {
    private final ServerFolder place;

    private Running(ServerFolder place, ManagedProcess process) {
      super(process, "apache2 -D FOREGROUND (prefork, mod_cgi, gridsite-delegation.cgi, RSA-1024)");
      this.place = place;
    }

    /** Where it takes delegations. */
    public URI url() {
      return GridSiteServer.url(process());
    }

    /** What was delegated is below this folder. */
    public Path proxies() {
      return GridSiteServer.cache(place);
    }
  }
}
