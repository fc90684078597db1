package dev.staithe.tls;

import dev.staithe.pki.Credential;
import dev.staithe.pki.TrustAnchors;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * TLS for outgoing connections, with trust anchors and revocation lists that are read again when
 * their files change. A server's chain and name are always checked, whatever the caller sets on an
 * engine. Thread-safe.
 */
public final class ClientTls implements AutoCloseable {
  private record Material(Generation generation, TrustAnchors anchors) {}

  private final Reloadable<Material> material;
  private final ReloadingContext context;
  private final TlsProvider provider;
  private final int batchBytes;
  private final Clock clock;

  private ClientTls(
      Reloadable<Material> material, TlsProvider provider, int batchBytes, Clock clock) {
    this.material = material;
    this.provider = provider;
    this.batchBytes = batchBytes;
    this.context =
        new ReloadingContext(
            () -> material.current().generation(), ReloadingContext.Side.CLIENT, batchBytes);
    this.clock = clock;
  }

  /**
   * Reads the trust anchors and begins to watch their files.
   *
   * @throws IOException where no anchor can be read; the message is one line
   */
  public static ClientTls open(ClientTlsSettings settings, TlsProvider provider, Clock clock)
      throws IOException {
    TrustFiles files = new TrustFiles("Trust anchors", settings.trust());
    try {
      var material =
          new Reloadable<>(
              "Trust anchors " + settings.trust(),
              List.of(settings.trust()),
              settings.checkInterval(),
              clock,
              () -> {
                var anchors = files.anchors();
                files.tell(anchors.skipped());
                return new Material(
                    generation(provider, new KeyManager[0], anchors, clock), anchors);
              });
      return new ClientTls(material, provider, settings.batchBytes(), clock);
    } catch (GeneralSecurityException e) {
      throw new IOException(
          "TLS cannot be started with " + settings.trust() + ": " + e.getMessage(), e);
    }
  }

  /**
   * The context for a client. Its engines must be made with the host that is called ({@link
   * SSLContext#createSSLEngine(String, int)}, as HTTP clients do): without one every server is
   * refused.
   */
  public SSLContext context() {
    return context;
  }

  /**
   * The same context, but one that shows a certificate to the servers that ask for one: for those
   * who act as somebody. Shares the trust anchors, and no session with any other context.
   *
   * @param as key and chain; the key is kept as long as the context is
   */
  public SSLContext contextAs(Credential as) {
    return new ReloadingContext(
        new ShownGeneration(new KeyManager[] {new OneKeyManager(as)}),
        ReloadingContext.Side.CLIENT,
        batchBytes);
  }

  /** Makes a generation anew where the anchors are other ones. */
  private final class ShownGeneration implements Supplier<Generation> {
    private record Made(TrustAnchors anchors, Generation generation) {}

    private final KeyManager[] keys;
    private volatile @Nullable Made made;

    ShownGeneration(KeyManager[] keys) {
      this.keys = keys;
    }

    @Override
    public Generation get() {
      TrustAnchors anchors = material.current().anchors();
      Made last = made;
      if (last == null || last.anchors() != anchors) {
        try {
          last = new Made(anchors, generation(provider, keys, anchors, clock));
        } catch (GeneralSecurityException e) {
          throw new IllegalStateException("TLS was started before and cannot be any more", e);
        }
        made = last;
      }
      return last.generation();
    }
  }

  private static Generation generation(
      TlsProvider provider, KeyManager[] keys, TrustAnchors anchors, Clock clock)
      throws GeneralSecurityException {
    return Generation.of(provider, keys, new TrustManager[] {new PeerVerifier(anchors, clock)});
  }

  /**
   * An engine in client mode for one connection, with server name indication for a DNS name and
   * ALPN {@code http/1.1}.
   *
   * @param host a DNS name or an address literal, brackets allowed; the server's certificate must
   *     be for it
   * @param port 1 to 65535
   */
  public SSLEngine engine(String host, int port) {
    return engine(context, host, port);
  }

  /**
   * Makes engines as {@link #engine} does, but ones that show a certificate to the servers that ask
   * for one. They resume sessions of one another and of nobody else.
   *
   * @param as key and chain; the key is kept as long as the function and its engines are
   */
  public BiFunction<String, Integer, SSLEngine> enginesAs(Credential as) {
    SSLContext shown = contextAs(as);
    return (host, port) -> engine(shown, host, port);
  }

  private static SSLEngine engine(SSLContext context, String host, int port) {
    SSLEngine engine = context.createSSLEngine(host, port);
    SSLParameters parameters = engine.getSSLParameters();
    String serverName = HostIdentity.of(host).serverName();
    if (serverName != null) {
      parameters.setServerNames(List.of(new SNIHostName(serverName)));
    }
    parameters.setApplicationProtocols(new String[] {"http/1.1"});
    engine.setSSLParameters(parameters);
    return engine;
  }

  /** The trust anchors in use, with the files that were skipped. */
  public TrustAnchors anchors() {
    return material.current().anchors();
  }

  /** What is in use, and what went wrong since. */
  public TlsStatus status() {
    return new TlsStatus(
        material.loadedAt(),
        material.current().anchors().nextExpiry(clock.instant()).orElse(null),
        material.lastError());
  }

  /**
   * Looks at the files now, beside the regular looks.
   *
   * @return whether other trust anchors are in use now
   */
  public boolean reloadIfChanged() {
    return material.check();
  }

  /**
   * Why a connection failed, where the reason is the server's certificate: one line for people, as
   * {@code certificate of se.example.org has expired}.
   *
   * @param failure what the connection threw; its causes are searched
   */
  public static Optional<String> rejection(Throwable failure) {
    var seen = new HashSet<Throwable>();
    for (Throwable cause = failure; cause != null && seen.add(cause); cause = cause.getCause()) {
      if (cause instanceof PeerRejectedException) {
        return Optional.ofNullable(cause.getMessage());
      }
    }
    return Optional.empty();
  }

  /** Stops watching. The context goes on with what it has. */
  @Override
  public void close() {
    material.close();
  }
}
