package dev.staithe.perf.services;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.FirstAnswer;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.perf.peers.ReleasedJar;
import dev.staithe.perf.peers.SettingsTemplate;
import dev.staithe.perf.peers.Site;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * Our credential service: one node of the released jar with its embedded database. Its settings are
 * in {@code slcs-service.yml} beside this class. Immutable.
 */
public final class StaitheSlcsPeer extends ServicePeer {
  private static final List<String> JAVA_OPTIONS =
      List.of("--enable-native-access=ALL-UNNAMED", "-Xmx512m", "-XX:ActiveProcessorCount=1");

  private static final String TEMPLATE = "slcs-service.yml";
  private static final String METADATA = "/saml2/metadata";

  /** What there is over TLS only, beside the template. */
  private static final String CERTIFICATE_DOOR =
      """
          - path: /echo/certificate
            protection: certificate
        client-certificates:
          trust: "@authority@"
      """;

  /** What is told apart. */
  public enum Variant {
    /** TLS with client certificates where clients have one; the authority's key is RSA-2048. */
    RSA("staithe", "TLS, RSA-2048 authority", true, ThrowAwayKeys.Kind.RSA_2048),
    /** The same with a P-256 key. */
    EC("staithe-p256", "TLS, P-256 authority", true, ThrowAwayKeys.Kind.P_256),
    /** Without encryption. */
    PLAIN("staithe-plain", "plain HTTP, RSA-2048 authority", false, ThrowAwayKeys.Kind.RSA_2048);

    private final String peer;
    private final String shown;
    private final boolean tls;
    private final ThrowAwayKeys.Kind authorityKey;

    Variant(String peer, String shown, boolean tls, ThrowAwayKeys.Kind authorityKey) {
      this.peer = peer;
      this.shown = shown;
      this.tls = tls;
      this.authorityKey = authorityKey;
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
  public StaitheSlcsPeer(Path repository, Variant variant) {
    super(ReleasedJar.of(repository, "slcs-service"), variant.peer);
    this.variant = variant;
  }

  /**
   * Starts it, has it and the provider know each other, and waits until it answers.
   *
   * @param folder an empty folder of its own
   * @throws IOException where it does not start, in one line
   */
  public CredentialServer start(Site site, Path folder, Core core, IdentityProvider provider)
      throws IOException {
    // What the floor signs with; by itself the service makes one of 3072 bits.
    ThrowAwayKeys.selfSigned(
        folder, "saml", ThrowAwayKeys.Kind.RSA_2048, "/O=Staithe/CN=service provider");
    ThrowAwayKeys.selfSigned(
        folder,
        "people",
        variant.authorityKey,
        "/DC=org/DC=example/CN=Throw-away people",
        "basicConstraints=critical,CA:TRUE",
        "keyUsage=critical,keyCertSign,cRLSign");
    ReleasedJar jar = jar();
    ManagedProcess process =
        jar.start(
            name(), folder, core, JAVA_OPTIONS, port -> settings(site, folder, port, provider));
    String url = url(process.port(0));
    URI metadata = URI.create(url + METADATA);
    process.awaitAnswer(metadata, site.authority());
    try {
      provider.trust(name(), FirstAnswer.fetched(metadata, site.authority()));
      return new CredentialServer(
          url, process, jar.shown(JAVA_OPTIONS, variant.shown + ", H2 embedded"));
    } catch (IOException e) {
      process.close();
      throw e;
    }
  }

  private String url(int port) {
    return (variant.tls ? "https" : "http") + "://localhost:" + port;
  }

  private String settings(Site site, Path folder, int port, IdentityProvider provider)
      throws IOException {
    var values = new LinkedHashMap<String, Object>();
    values.put("port", port);
    values.put("url", url(port));
    values.put("tls", variant.tls);
    values.put("folder", folder);
    values.put("certificate", site.certificate());
    values.put("key", site.key());
    values.put("authority", site.authority());
    values.put("provider-metadata", provider.metadata());
    return SettingsTemplate.filled(TEMPLATE, values)
        + (variant.tls ? CERTIFICATE_DOOR.replace("@authority@", "" + site.authority()) : "");
  }
}
