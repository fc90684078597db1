package dev.staithe.perf.services;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.perf.peers.ReleasedJar;
import dev.staithe.perf.peers.SettingsTemplate;
import dev.staithe.perf.peers.Site;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * Our gateway: one node of the released jar with an endpoint for each policy. Its settings are in
 * {@code xml-gateway.yml} beside this class. Immutable.
 */
public final class StaitheGatewayPeer extends ServicePeer {
  private static final String TEMPLATE = "xml-gateway.yml";

  /** One more endpoint: a gateway without TLS refuses a policy that demands it. */
  private static final String TRANSPORT =
      "    - {path: /transport, back-end: \"@back-end@\", policy: transport}\n";

  /** Like that of the peers in Java. */
  static final List<String> JAVA_OPTIONS =
      List.of("--enable-native-access=ALL-UNNAMED", "-Xmx512m", "-XX:ActiveProcessorCount=1");

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
    super(ReleasedJar.of(repository, "xml-gateway"), variant.peer);
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
    ReleasedJar jar = jar();
    ManagedProcess process =
        jar.start(
            name(), folder, core, options(folder), port -> settings(site, folder, port, backEnd));
    URI url = URI.create(url(process.port(0)) + "/");
    process.awaitAnswer(url, site.authority());
    return new GatewayServer(url, process, folder, jar.shown(JAVA_OPTIONS, shown()));
  }

  private List<String> options(Path folder) {
    var options = new ArrayList<>(JAVA_OPTIONS);
    if (variant == Variant.WATCHED) {
      options.add("-XX:+UseSerialGC");
      options.add("-Xlog:gc:file=" + folder.resolve("gc.log") + "::filecount=0");
    }
    return options;
  }

  private String shown() {
    return variant.tls
        ? "TLS"
        : variant.measuring ? "measuring: replays are taken, any time is fresh" : "plain HTTP";
  }

  private String url(int port) {
    return (variant.tls ? "https" : "http") + "://localhost:" + port;
  }

  private String settings(Site site, Path folder, int port, URI backEnd) throws IOException {
    var values = new LinkedHashMap<String, Object>();
    values.put("port", port);
    values.put("url", url(port));
    values.put("tls", variant.tls);
    values.put("measuring", variant.measuring);
    values.put("replay-most", variant.measuring ? 0 : 4_000_000);
    values.put("freshness", variant.measuring ? "1d" : "5m");
    values.put("folder", folder);
    values.put("certificate", site.certificate());
    values.put("key", site.key());
    values.put("message-certificate", site.certificate(GATEWAY));
    values.put("message-key", site.key(GATEWAY));
    values.put("back-end", backEnd);
    String settings = SettingsTemplate.filled(TEMPLATE, values);
    return variant.tls ? settings + TRANSPORT.replace("@back-end@", "" + backEnd) : settings;
  }

  /** Whose key the gateways sign with and have messages encrypted for. */
  public static final String GATEWAY = "gateway";
}
