package dev.staithe.perf.services;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.perf.peers.Site;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Our delegation service: one node of the released jar with its embedded database. Its settings are
 * in {@code delegation-service.yml}. Immutable.
 */
public final class StaitheDelegationPeer extends ServicePeer {
  /** What is told apart: who shows a certificate of RSA-2048 is asked to sign that kind of key. */
  public enum Variant {
    /** RSA keys come from the stock. */
    STOCKED("staithe", "like-owner", true),
    /** RSA keys are made when they are asked for, as where more are asked for than can be made. */
    BARE("staithe-bare", "like-owner", false),
    /** All keys are P-256. */
    EC("staithe-p256", "p-256", false);

    private final String peer;
    private final String kind;
    private final boolean stocked;

    Variant(String peer, String kind, boolean stocked) {
      this.peer = peer;
      this.kind = kind;
      this.stocked = stocked;
    }

    /** Short and unique. */
    public String peer() {
      return peer;
    }
  }

  private final Variant variant;
  private final int stock;

  /**
   * Makes one.
   *
   * @param repository the checkout, in which its jar is built
   * @param stock how many RSA keys are made ahead, where the variant has a stock
   */
  public StaitheDelegationPeer(Path repository, Variant variant, int stock) {
    super(repository, "delegation-service", variant.peer, true, "384m");
    this.variant = variant;
    this.stock = variant.stocked ? stock : 0;
  }

  /**
   * Starts it and waits until it answers; it may take longer to fill its stock.
   *
   * @param site whose people delegate, and whose host may acquire what they do
   * @param folder an empty folder of its own
   * @throws IOException where it does not start, in one line
   */
  public DelegationServer start(Site site, Path folder, Core core) throws IOException {
    var values = Map.of("kind", variant.kind, "stock", stock);
    ManagedProcess process = start(site, folder, core, values, List.of());
    URI url = URI.create(url(process.port(0)));
    process.awaitAnswer(url.resolve("/"), site.authority());
    return new DelegationServer(
        url,
        process,
        site.authority(),
        stock,
        shown("keys %s, %d RSA keys in stock, H2 embedded".formatted(variant.kind, stock)));
  }
}
