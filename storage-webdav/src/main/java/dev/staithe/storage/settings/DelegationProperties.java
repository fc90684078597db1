package dev.staithe.storage.settings;

import dev.staithe.service.Settings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where the proxies of those come from who ask for {@code COPY} with {@code Credential: gridsite}.
 *
 * @param url of a delegation-service; absent: such copies are refused
 * @param certificate PEM file with the certificate, and its chain, by which we acquire; absent: the
 *     server's own
 * @param key PEM file with its private key
 * @param trust authorities for the delegation-service: a PEM bundle or a grid-security folder;
 *     default: as for other outgoing connections
 * @param timeout until a proxy is there
 * @param lifetime of a proxy that is asked for; the delegator may allow less
 */
public record DelegationProperties(
    @Nullable URI url,
    @Nullable Path certificate,
    @Nullable Path key,
    @Nullable Path trust,
    @DefaultValue("10s") Duration timeout,
    @DefaultValue("6h") Duration lifetime) {
  /** Checks the URL, the files and the ranges. */
  public DelegationProperties {
    if (url != null) {
      Settings.require(
          url.toString()
              .matches("https://([^/?#@:\\[\\]]+|\\[[0-9a-fA-F:.]+\\])(:[0-9]{1,5})?(/[^?#]*)?"),
          "url",
          url,
          "https://host:port");
    }
    Settings.require(
        (certificate == null) == (key == null),
        "certificate",
        certificate == null ? "" : certificate,
        "given together with key");
    if (certificate != null) {
      Settings.requireFile(certificate, "certificate");
      Settings.requireFile(key, "key");
    }
    Settings.requireWithin(timeout, Duration.ofSeconds(1), Duration.ofMinutes(1), "timeout");
    Settings.requireWithin(lifetime, Duration.ofMinutes(1), Duration.ofDays(7), "lifetime");
  }
}
