package dev.staithe.service.properties;

import dev.staithe.service.Settings;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationPropertiesSource;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * What one client may take.
 *
 * @param connections open at once, of all clients
 * @param connectionsPerAddress open at once, of one address or IPv6 network of 64 bits that is no
 *     trusted proxy
 * @param idleTimeout of a connection without a byte in either direction
 * @param headTimeout for a whole request head, on a new connection with the TLS handshake
 * @param headerSize of a request's head
 * @param minUploadRate bytes in a second of the content of a request; 0 for any
 * @param minDownloadRate bytes in a second that an answer is taken with; 0 for any
 * @param rateWindow what the two rates are averaged over
 */
@ConfigurationPropertiesSource
public record LimitsProperties(
    @DefaultValue("2000") int connections,
    @DefaultValue("1000") int connectionsPerAddress,
    @DefaultValue("60s") Duration idleTimeout,
    @DefaultValue("30s") Duration headTimeout,
    @DefaultValue("32KB") DataSize headerSize,
    @DefaultValue("1KB") DataSize minUploadRate,
    @DefaultValue("1KB") DataSize minDownloadRate,
    @DefaultValue("60s") Duration rateWindow) {
  /** Checks the ranges. */
  public LimitsProperties {
    Duration second = Duration.ofSeconds(1);
    Duration hour = Duration.ofHours(1);
    Settings.requireWithin(connections, 1, 100_000, "connections");
    Settings.requireWithin(connectionsPerAddress, 1, 100_000, "connections-per-address");
    Settings.requireWithin(idleTimeout, second, hour, "idle-timeout");
    Settings.requireWithin(headTimeout, second, hour, "head-timeout");
    Settings.requireWithin(
        headerSize, DataSize.ofKilobytes(4), DataSize.ofMegabytes(1), "header-size");
    DataSize least = DataSize.ofBytes(0);
    DataSize most = DataSize.ofGigabytes(1);
    Settings.requireWithin(minUploadRate, least, most, "min-upload-rate");
    Settings.requireWithin(minDownloadRate, least, most, "min-download-rate");
    Settings.requireWithin(rateWindow, second, hour, "rate-window");
  }
}
