package dev.staithe.perf.services;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.perf.peers.Site;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Our gateway: one node of the released jar with an endpoint for each policy. Its settings are in
 * {@code xml-gateway.yml}. Immutable.
 */
public final class StaitheGatewayPeer extends ServicePeer {
  /** Whose key the gateways sign with and have messages encrypted for. */
  public static final String GATEWAY = "gateway";

  /** One more endpoint: a gateway without TLS refuses a policy that demands it. */
  private static final String TRANSPORT =
      "- {path: /transport, back-end: \"%s\", policy: transport}";

  /** What is told apart. */
  public enum Variant {
    /** As it is used: nothing is taken twice, timestamps count. */
    HONEST("staithe", false, false),
    /** The same behind TLS. */
    TLS("staithe-tls", true, false),
    /** As the article measured: the same messages again and again. */
    ARTICLE("staithe-article", false, true),
    /** As it is used, of another checkout. */
    BEFORE("staithe-before", false, false),
    /** As it is used, with a record of what each collection of garbage has left. */
    WATCHED("staithe-memory", false, false);

    private final String peer;
    private final boolean tls;
    private final boolean measuring;

    Variant(String peer, boolean tls, boolean measuring) {
      this.peer = peer;
      this.tls = tls;
      this.measuring = measuring;
    }

    /** Short and unique. */
    public String peer() {
      return peer;
    }
  }

  private final Variant variant;

  /**
   * Makes one.
   *
   * @param repository the checkout, in which its jar is built
   */
  public StaitheGatewayPeer(Path repository, Variant variant) {
    super(repository, "xml-gateway", variant.peer, variant.tls, "512m");
    this.variant = variant;
  }

  /**
   * Starts it and waits until it answers.
   *
   * @param site with two people: {@code gateway}, whose key is its own for messages, and one who
   *     calls
   * @param folder an empty folder of its own
   * @param backEnd what it stands before
   * @throws IOException where it does not start, in one line
   */
  public GatewayServer start(Site site, Path folder, Core core, URI backEnd) throws IOException {
    Path trust = Files.createDirectories(folder.resolve("trust"));
    Files.copy(site.clients(), trust.resolve("people.pem"));
    var values =
        Map.of(
            "measuring",
            variant.measuring,
            "replay-most",
            variant.measuring ? 0 : 4_000_000,
            "freshness",
            variant.measuring ? "1d" : "5m",
            "message-certificate",
            site.certificate(GATEWAY),
            "message-key",
            site.key(GATEWAY),
            "back-end",
            backEnd,
            "transport",
            variant.tls ? TRANSPORT.formatted(backEnd) : "");
    ManagedProcess process = start(site, folder, core, values, collections(folder));
    URI url = URI.create(url(process.port(0)) + "/");
    process.awaitAnswer(url, site.authority());
    return new GatewayServer(url, process, folder, shown(about()));
  }

  /** Has it record collections of garbage, where they are looked at. */
  private List<String> collections(Path folder) {
    return variant == Variant.WATCHED
        ? List.of("-XX:+UseSerialGC", "-Xlog:gc:file=" + folder.resolve("gc.log") + "::filecount=0")
        : List.of();
  }

  private String about() {
    return variant.tls
        ? "TLS"
        : variant.measuring ? "measuring: replays are taken, any time is fresh" : "plain HTTP";
  }
}
