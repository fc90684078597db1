package dev.staithe.service.certificates;

import static dev.staithe.service.OneLineFailure.started;

import dev.staithe.pki.grid.ClientChainRules;
import dev.staithe.service.OneLineFailure;
import dev.staithe.service.properties.ClientCertificateProperties;
import dev.staithe.tls.ClientCertificateSettings;
import dev.staithe.tls.ClientCertificates;
import dev.staithe.tls.VomsServers;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Judges the certificates of clients, if they are asked for; its files are read again when they
 * change.
 *
 * @param certificates absent where clients are not asked
 */
public record ClientDoor(@Nullable ClientCertificates certificates) implements AutoCloseable {
  /**
   * Opens it from {@code staithe.client-certificates}.
   *
   * @param checkInterval how often the files are looked at
   * @throws OneLineFailure.NotStarted where the trust cannot be read
   */
  public static ClientDoor open(
      ClientCertificateProperties properties, Duration checkInterval, Clock clock) {
    return open(properties, VomsServers.none(), checkInterval, clock);
  }

  /**
   * The same, with trust in those who say which groups people belong to.
   *
   * @param voms not closed together with this
   * @throws OneLineFailure.NotStarted where the trust cannot be read
   */
  public static ClientDoor open(
      ClientCertificateProperties properties,
      VomsServers voms,
      Duration checkInterval,
      Clock clock) {
    Path trust = properties.trust();
    if (trust == null) {
      return new ClientDoor(null);
    }
    ClientCertificateSettings settings =
        new ClientCertificateSettings(
            trust,
            rules(properties),
            properties.refuseIn() == ClientCertificateProperties.RefuseIn.HANDSHAKE,
            checkInterval);
    return started(
        "staithe.client-certificates.trust",
        () -> new ClientDoor(ClientCertificates.open(settings, voms, clock)));
  }

  /** How strictly {@code staithe.client-certificates} judges. */
  public static ClientChainRules rules(ClientCertificateProperties properties) {
    return new ClientChainRules(
        properties.revocation(), properties.namespaces(), properties.legacyProxies());
  }

  @Override
  public void close() {
    if (certificates != null) {
      certificates.close();
    }
  }
}
