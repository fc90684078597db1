package dev.staithe.perf.services;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.FirstAnswer;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.perf.peers.Site;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Our credential service: one node of the released jar with its embedded database. Its settings are
 * in {@code slcs-service.yml}. Immutable.
 */
public final class StaitheSlcsPeer extends ServicePeer {
  private static final String METADATA = "/saml2/metadata";

  /** What there is over TLS only. */
  private static final String CERTIFICATE_DOOR =
      """
      - path: /echo/certificate
            protection: certificate
        client-certificates:
          trust: "%s"
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
    super(repository, "slcs-service", variant.peer, variant.tls, "512m");
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
    var values =
        Map.of(
            "provider-metadata",
            provider.metadata(),
            "certificate-door",
            variant.tls ? CERTIFICATE_DOOR.formatted(site.authority()) : "");
    ManagedProcess process = start(site, folder, core, values, List.of());
    String url = url(process.port(0));
    URI metadata = URI.create(url + METADATA);
    process.awaitAnswer(metadata, site.authority());
    try {
      provider.trust(name(), FirstAnswer.fetched(metadata, site.authority()));
      return new CredentialServer(url, process, shown(variant.shown + ", H2 embedded"));
    } catch (IOException e) {
      process.close();
      throw e;
    }
  }
}
