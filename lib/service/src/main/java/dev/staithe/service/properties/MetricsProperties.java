package dev.staithe.service.properties;

import dev.staithe.service.Settings;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationPropertiesSource;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Who may read {@code /.staithe/metrics}.
 *
 * @param allowFrom networks as CIDR
 */
@ConfigurationPropertiesSource
public record MetricsProperties(@DefaultValue({"127.0.0.0/8", "::1/128"}) List<String> allowFrom) {
  /** Checks the networks. */
  public MetricsProperties {
    Settings.requireNetworks(allowFrom, "allow-from");
    allowFrom = List.copyOf(allowFrom);
  }
}
