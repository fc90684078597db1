package dev.staithe.service.properties;

import dev.staithe.service.Settings;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationPropertiesSource;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A reverse proxy in front.
 *
 * @param trusted networks of proxies, as CIDR, whose {@code Forwarded} or {@code X-Forwarded-…}
 *     headers count
 */
@ConfigurationPropertiesSource
public record ProxyProperties(@DefaultValue List<String> trusted)
    implements SharedProperties.Proxy {
  /** Checks the networks. */
  public ProxyProperties {
    Settings.requireNetworks(trusted, "trusted");
    trusted = List.copyOf(trusted);
  }
}
