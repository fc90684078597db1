package dev.staithe.service.certificates;

import static dev.staithe.service.OneLineFailure.started;

import dev.staithe.service.OneLineFailure;
import dev.staithe.service.properties.TlsProperties;
import dev.staithe.tls.ServerTls;
import dev.staithe.tls.ServerTlsSettings;
import dev.staithe.tls.TlsProvider;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * Our end of incoming TLS, if there is one; its files are read again when they change.
 *
 * @param tls absent where the server speaks plain HTTP
 */
public record TlsEnd(@Nullable ServerTls tls) implements AutoCloseable {
  /**
   * Opens it from {@code staithe.tls}.
   *
   * @param batchBytes how much data one call of an engine may encrypt or decrypt: {@link
   *     ServerTlsSettings#DEFAULT_BATCH_BYTES} where files are moved, 0 for single records of 16
   *     KiB where answers are small
   * @throws OneLineFailure.NotStarted where certificate or key cannot be used
   */
  public static TlsEnd open(
      TlsProperties properties,
      int batchBytes,
      TlsProvider provider,
      ClientDoor clients,
      Clock clock) {
    if (!properties.enabled() || properties.certificate() == null || properties.key() == null) {
      return new TlsEnd(null);
    }
    ServerTlsSettings settings =
        new ServerTlsSettings(
            properties.certificate(), properties.key(), properties.checkInterval(), batchBytes);
    return started(
        "staithe.tls",
        () -> new TlsEnd(ServerTls.open(settings, provider, clients.certificates(), clock)));
  }

  /**
   * The implementation of TLS that {@code staithe.tls.provider} asks for.
   *
   * @throws OneLineFailure.NotStarted where it does not load
   */
  public static TlsProvider provider(TlsProperties properties) {
    return started(
        "staithe.tls.provider",
        () -> TlsProvider.choose(TlsProvider.Choice.valueOf(properties.provider().name())));
  }

  @Override
  public void close() {
    if (tls != null) {
      tls.close();
    }
  }
}
