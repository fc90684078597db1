package dev.staithe.perf.services;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.perf.peers.ReleasedJar;
import dev.staithe.perf.peers.SettingsTemplate;
import dev.staithe.perf.peers.Site;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Our delegation service: one node of the released jar with its embedded database. Its settings are
 * in {@code delegation-service.yml} beside this class. Immutable.
 */
public final class StaitheDelegationPeer extends ServicePeer {
  private static final List<String> JAVA_OPTIONS =
      List.of("--enable-native-access=ALL-UNNAMED", "-Xmx384m", "-XX:ActiveProcessorCount=1");

  private static final String TEMPLATE = "delegation-service.yml";

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
    super(ReleasedJar.of(repository, "delegation-service"), variant.peer);
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
    ReleasedJar jar = jar();
    ManagedProcess process =
        jar.start(name(), folder, core, JAVA_OPTIONS, port -> settings(site, folder, port));
    URI url = url(process.port(0));
    process.awaitAnswer(url.resolve("/"), site.authority());
    String shown = "keys %s, %d RSA keys in stock, H2 embedded".formatted(variant.kind, stock);
    return new DelegationServer(
        url, process, site.authority(), stock, jar.shown(JAVA_OPTIONS, shown));
  }

  private static URI url(int port) {
    return URI.create("https://localhost:" + port);
  }

  private String settings(Site site, Path folder, int port) throws IOException {
    return SettingsTemplate.filled(
        TEMPLATE,
        Map.of(
            "port",
            port,
            "url",
            url(port),
            "folder",
            folder,
            "certificate",
            site.certificate(),
            "key",
            site.key(),
            "clients",
            site.clients(),
            "kind",
            variant.kind,
            "stock",
            stock));
  }
}
