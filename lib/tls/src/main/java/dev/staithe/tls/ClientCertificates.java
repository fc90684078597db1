package dev.staithe.tls;

import dev.staithe.pki.TrustAnchors;
import dev.staithe.pki.grid.ClientChainRules;
import dev.staithe.pki.grid.ClientChainValidator;
import dev.staithe.pki.grid.ClientTrustFolder;
import dev.staithe.pki.grid.ClientVerdict;
import dev.staithe.pki.grid.VomsAttributes;
import dev.staithe.pki.grid.VomsTrust;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Judges the certificates that clients show, by trust, revocation lists and namespaces that are
 * read again when their files change. Thread-safe.
 *
 * <p>A verdict is remembered by the certificates themselves, so that it serves all requests of a
 * connection and the connections after it, whether these resume a session of TLS or not. It is
 * formed anew when the files have changed, when the first certificate ends, and after a minute,
 * since lists become overdue too. No file is read and nothing is fetched while a client waits.
 */
public final class ClientCertificates implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClientCertificates.class);
  private static final int MOST_ACCEPTED = 1024;
  private static final int MOST_REFUSED = 128;
  private static final Duration ACCEPTED_FOR = Duration.ofMinutes(1);

  /**
   * Short, since a clock or a list may yet change it; long enough that repetition costs nothing.
   */
  private static final Duration REFUSED_FOR = Duration.ofSeconds(5);

  private record Material(ClientTrustFolder trust, ClientChainValidator validator) {}

  /**
   * What was judged.
   *
   * @param by judged by this
   * @param attributes of VOMS
   * @param servers and by these
   * @param since when; before it, the clock was ahead then and is right again
   */
  private record Remembered(
      Material by,
      VomsTrust servers,
      ClientVerdict verdict,
      List<VomsAttributes> attributes,
      Instant since,
      Instant until) {
    boolean counts(Material newest, VomsTrust trusted, Instant now) {
      return by == newest && servers == trusted && !now.isBefore(since) && now.isBefore(until);
    }
  }

  /** In order of use, so that the bound costs those whom nobody asks about. For one thread. */
  private static final class Verdicts<K> extends LinkedHashMap<K, Remembered> {
    private static final long serialVersionUID = 1;
    private final int most;

    Verdicts(int most) {
      super(16, 0.75f, true);
      this.most = most;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, Remembered> eldest) {
      return size() > most;
    }
  }

  private final ClientCertificateSettings settings;
  private final Reloadable<Material> material;
  private final VomsServers voms;
  private final Clock clock;

  // Each guarded by itself. Apart, so that no flood of bad certificates forgets the good ones.
  private final Verdicts<List<X509Certificate>> accepted = new Verdicts<>(MOST_ACCEPTED);
  // By SHA-256, so that strangers cannot fill the memory with certificates of their own making.
  private final Verdicts<ByteBuffer> refused = new Verdicts<>(MOST_REFUSED);

  private ClientCertificates(
      ClientCertificateSettings settings,
      Reloadable<Material> material,
      VomsServers voms,
      Clock clock) {
    this.settings = settings;
    this.material = material;
    this.voms = voms;
    this.clock = clock;
  }

  /**
   * Reads the files and begins to watch them.
   *
   * @throws IOException where no authority can be read; the message is one line
   */
  public static ClientCertificates open(ClientCertificateSettings settings, Clock clock)
      throws IOException {
    return open(settings, VomsServers.none(), clock);
  }

  /**
   * The same, with trust in those who say which groups people belong to.
   *
   * @param voms not closed together with this
   * @throws IOException where no authority can be read; the message is one line
   */
  public static ClientCertificates open(
      ClientCertificateSettings settings, VomsServers voms, Clock clock) throws IOException {
    TrustFiles files = new TrustFiles("Trust for clients", settings.trust());
    try {
      var material =
          new Reloadable<>(
              "Trust for clients " + settings.trust(),
              List.of(settings.trust()),
              settings.checkInterval(),
              clock,
              () -> read(files, settings, clock));
      return new ClientCertificates(settings, material, voms, clock);
    } catch (GeneralSecurityException e) {
      throw new IOException(settings.trust() + " cannot be used: " + e.getMessage(), e);
    }
  }

  private static Material read(TrustFiles files, ClientCertificateSettings settings, Clock clock)
      throws IOException {
    ClientTrustFolder trust = ClientTrustFolder.read(settings.trust(), files.anchors());
    files.tell(trust.skipped());
    return new Material(trust, new ClientChainValidator(trust, settings.rules(), clock));
  }

  /**
   * Judges certificates.
   *
   * @param chain as the client sent it, its own first
   */
  public ClientVerdict verdict(List<X509Certificate> chain) {
    return judged(chain).verdict();
  }

  /**
   * What organizations say of the holder of a chain that is accepted, each with the doubt that
   * there is.
   *
   * @param chain as the client sent it, its own first
   * @return empty where it is refused, or carries nothing of the kind that can be read
   */
  public List<VomsAttributes> attributes(List<X509Certificate> chain) {
    return judged(chain).attributes();
  }

  private Remembered judged(List<X509Certificate> chain) {
    List<X509Certificate> key = List.copyOf(chain);
    Material newest = material.current();
    VomsTrust servers = voms.trust();
    Instant now = clock.instant();
    Remembered good = known(accepted, key);
    if (good != null && good.counts(newest, servers, now)) {
      return good;
    }
    ByteBuffer digest = digest(key);
    Remembered bad = known(refused, digest);
    if (bad != null && bad.counts(newest, servers, now)) {
      return bad;
    }
    return switch (newest.validator().validate(key)) {
      case ClientVerdict.Accepted verdict -> {
        List<VomsAttributes> attributes =
            verdict.proxy() ? newest.validator().attributes(key, servers) : List.of();
        Instant until = earlier(verdict.notAfter(), now.plus(ACCEPTED_FOR));
        for (VomsAttributes each : attributes) {
          if (each.verified()) {
            until = earlier(each.notAfter(), until);
          }
        }
        yield remember(
            accepted, key, new Remembered(newest, servers, verdict, attributes, now, until));
      }
      case ClientVerdict.Refused verdict ->
          remember(
              refused,
              digest,
              new Remembered(newest, servers, verdict, List.of(), now, now.plus(REFUSED_FOR)));
    };
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  private static <K> @Nullable Remembered known(Verdicts<K> in, K chain) {
    synchronized (in) {
      return in.get(chain);
    }
  }

  private static <K> Remembered remember(Verdicts<K> in, K chain, Remembered verdict) {
    synchronized (in) {
      in.put(chain, verdict);
    }
    return verdict;
  }

  /** One after the other, which needs no separator: each says how long it is. */
  private static ByteBuffer digest(List<X509Certificate> chain) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      for (X509Certificate each : chain) {
        sha256.update(each.getEncoded());
      }
      return ByteBuffer.wrap(sha256.digest());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a certificate that was read cannot be written", e);
    }
  }

  /** Why the handshake ends for that chain, or null where it goes on. */
  @Nullable String objection(List<X509Certificate> chain) {
    if (settings.inHandshake() && verdict(chain) instanceof ClientVerdict.Refused(String reason)) {
      // The client learns no more than the number of an alert.
      LOG.info("Client refused in the handshake: {}", reason);
      return reason;
    }
    return null;
  }

  /** Files that could not be used. */
  public List<TrustAnchors.Skipped> skipped() {
    return material.current().trust().skipped();
  }

  /** What is in use: the same object until the files change. */
  public ClientTrustFolder trust() {
    return material.current().trust();
  }

  /** The authorities in use. */
  public TrustAnchors anchors() {
    return material.current().trust().anchors();
  }

  /** How strictly clients are judged. */
  public ClientChainRules rules() {
    return settings.rules();
  }

  /** What is in use, and what went wrong since. */
  public TlsStatus status() {
    return new TlsStatus(
        material.loadedAt(),
        anchors().nextExpiry(clock.instant()).orElse(null),
        material.lastError());
  }

  /**
   * Looks at the files now, beside the regular looks.
   *
   * @return whether something new is in use now
   */
  public boolean reloadIfChanged() {
    return material.check();
  }

  /** Stops watching; what was read stays in use. */
  @Override
  public void close() {
    material.close();
  }
}
