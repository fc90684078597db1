package dev.staithe.service.certificates;

import static dev.staithe.service.OneLineFailure.started;

import dev.staithe.service.OneLineFailure;
import dev.staithe.tls.ClientTls;
import dev.staithe.tls.ClientTlsSettings;
import dev.staithe.tls.ServerTlsSettings;
import dev.staithe.tls.TlsProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whom a service trusts when it connects to others. */
public final class ClientTrust {
  private static final List<Path> USUAL =
      List.of(
          Path.of("/etc/grid-security/certificates"),
          Path.of("/etc/ssl/certs/ca-certificates.crt"),
          Path.of("/etc/pki/tls/certs/ca-bundle.crt"));

  private ClientTrust() {}

  /**
   * Opens our end of outgoing TLS.
   *
   * @param key of the setting that names the trust, such as {@code staithe.trust}
   * @param trust a PEM bundle or a grid-security folder; absent: the first of the usual places that
   *     there is
   * @param checkInterval how often it is looked at for a change
   * @throws OneLineFailure.NotStarted where it cannot be read, or none is named and none is usual
   */
  public static ClientTls open(
      String key, @Nullable Path trust, Duration checkInterval, TlsProvider provider, Clock clock) {
    Path anchors = trust != null ? trust : usual(key);
    return started(
        key,
        () ->
            ClientTls.open(
                new ClientTlsSettings(
                    anchors, checkInterval, ServerTlsSettings.DEFAULT_BATCH_BYTES),
                provider,
                clock));
  }

  private static Path usual(String key) {
    return USUAL.stream()
        .filter(Files::exists)
        .findFirst()
        .orElseThrow(
            () ->
                new OneLineFailure.NotStarted(
                    key + " is not set: must be a PEM bundle or a folder of trusted authorities",
                    null));
  }
}
