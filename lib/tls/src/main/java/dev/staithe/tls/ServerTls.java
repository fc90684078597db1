package dev.staithe.tls;

import dev.staithe.pki.Credential;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
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

  private final boolean asksClients;

  private ServerTls(Reloadable<Material> material, int batchBytes, boolean asksClients) {
    this.material = material;
    this.batchBytes = batchBytes;
    this.asksClients = asksClients;
    this.context =
        new ReloadingContext(
            () -> material.current().generation(),
            asksClients ? ReloadingContext.Side.SERVER_THAT_ASKS : ReloadingContext.Side.SERVER,
            batchBytes);
  }

  /**
   * Reads the files and begins to watch them. Clients are not asked for certificates.
   *
   * @throws IOException where the files cannot be used; the message is one line
   */
  public static ServerTls open(ServerTlsSettings settings, TlsProvider provider, Clock clock)
      throws IOException {
    return open(settings, provider, null, clock);
  }

  /**
   * Reads the files and begins to watch them.
   *
   * @param clients judges the certificates for which clients are asked, and which they may do
   *     without; null not to ask. It is to be closed after this
   * @throws IOException where the files cannot be used; the message is one line
   */
  public static ServerTls open(
      ServerTlsSettings settings,
      TlsProvider provider,
      @Nullable ClientCertificates clients,
      Clock clock)
      throws IOException {
    TrustManager[] trust =
        clients == null ? new TrustManager[0] : new TrustManager[] {new ClientVerifier(clients)};
    try {
      var material =
          new Reloadable<>(
              "Host certificate " + settings.certificateFile(),
              List.of(settings.certificateFile(), settings.keyFile()),
              settings.checkInterval(),
              clock,
              () -> read(settings, provider, trust, clock));
      return new ServerTls(material, settings.batchBytes(), clients != null);
    } catch (GeneralSecurityException e) {
      throw new IOException(
          "TLS cannot be started with " + settings.certificateFile() + ": " + e.getMessage(), e);
    }
  }

  /**
   * The context for a server: it makes engines with TLS 1.3 and 1.2, ALPN {@code http/1.1} and, as
   * {@link #asksClients} says, client authentication that is wanted and not needed. It stays the
   * same object for as long as this one is open. When a connection ends, its engine should be given
   * to {@link TlsProvider#release}.
   */
  public SSLContext context() {
    return context;
  }

  /** Whether clients are asked for certificates. */
  public boolean asksClients() {
    return asksClients;
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

  private static Material read(
      ServerTlsSettings settings, TlsProvider provider, TrustManager[] trust, Clock clock)
      throws IOException, GeneralSecurityException {
    var credential = Credential.read(settings.certificateFile(), settings.keyFile());
    var generation =
        Generation.of(provider, new KeyManager[] {new OneKeyManager(credential)}, trust);
    var material = new Material(generation, credential);
    if (material.notAfter().isBefore(clock.instant())) {
      LOG.warn(
          "Host certificate {} has expired at {}: peers will refuse it",
          settings.certificateFile(),
          material.notAfter());
    }
    if (isOpenToAll(settings.keyFile())) {
      LOG.warn(
          "Private key {} can be read by every user of this machine: chmod o= {}",
          settings.keyFile(),
          settings.keyFile());
    }
    return material;
  }

  private static boolean isOpenToAll(Path file) throws IOException {
    PosixFileAttributeView view =
        Files.getFileAttributeView(file, PosixFileAttributeView.class); // null where there is none
    return view != null
        && view.readAttributes().permissions().contains(PosixFilePermission.OTHERS_READ);
  }
}
