package dev.staithe.tls;

import dev.staithe.pki.Credential;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS for a server, with a host certificate that is read again when its files change. Connections
 * that exist go on; new ones get the new certificate. Where the new files are broken, or do not
 * belong together, the old certificate stays and {@link #status()} tells. Thread-safe.
 */
public final class ServerTls implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ServerTls.class);

  private record Material(Generation generation, Credential credential) {
    Instant notAfter() {
      return credential.chain().stream()
          .map(certificate -> certificate.getNotAfter().toInstant())
          .min(Comparator.naturalOrder())
          .orElseThrow();
    }
  }

  private final Reloadable<Material> material;
  private final ReloadingContext context;
  private final int batchBytes;

  private ServerTls(Reloadable<Material> material, int batchBytes) {
    this.material = material;
    this.batchBytes = batchBytes;
    this.context = new ReloadingContext(() -> material.current().generation(), false, batchBytes);
  }

  /**
   * Reads the files and begins to watch them.
   *
   * @throws IOException where the files cannot be used; the message is one line
   */
  public static ServerTls open(ServerTlsSettings settings, TlsProvider provider, Clock clock)
      throws IOException {
    try {
      var material =
          new Reloadable<>(
              "Host certificate " + settings.certificateFile(),
              List.of(settings.certificateFile(), settings.keyFile()),
              settings.checkInterval(),
              clock,
              () -> read(settings, provider, clock));
      return new ServerTls(material, settings.batchBytes());
    } catch (GeneralSecurityException e) {
      throw new IOException(
          "TLS cannot be started with " + settings.certificateFile() + ": " + e.getMessage(), e);
    }
  }

  /**
   * The context for a server: it makes engines with TLS 1.3 and 1.2, ALPN {@code http/1.1} and no
   * client authentication. It stays the same object for as long as this one is open. When a
   * connection ends, its engine should be given to {@link TlsProvider#release}.
   */
  public SSLContext context() {
    return context;
  }

  /** The host certificate in use. */
  public X509Certificate certificate() {
    return material.current().credential().certificate();
  }

  /** What is in use, and what went wrong since. */
  public TlsStatus status() {
    return new TlsStatus(material.loadedAt(), material.current().notAfter(), material.lastError());
  }

  /**
   * The largest buffer, in bytes, that the engines ask for. A buffer pool above them should pool
   * buffers of this size, or each call allocates one.
   */
  public int largestBuffer() {
    return BatchSize.largestBuffer(batchBytes);
  }

  /**
   * Looks at the files now, beside the regular looks.
   *
   * @return whether another certificate is in use now
   */
  public boolean reloadIfChanged() {
    return material.check();
  }

  /** Stops watching. The context goes on with what it has. */
  @Override
  public void close() {
    material.close();
  }

  private static Material read(ServerTlsSettings settings, TlsProvider provider, Clock clock)
      throws IOException, GeneralSecurityException {
    var credential = Credential.read(settings.certificateFile(), settings.keyFile());
    var generation =
        Generation.of(
            provider, new KeyManager[] {new HostKeyManager(credential)}, new TrustManager[0]);
    var material = new Material(generation, credential);
    if (material.notAfter().isBefore(clock.instant())) {
      LOG.warn(
          "Host certificate {} has expired at {}: peers will refuse it",
          settings.certificateFile(),
          material.notAfter());
    }
    return material;
  }
}
