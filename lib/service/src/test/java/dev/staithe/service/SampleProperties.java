package dev.staithe.service;

import dev.staithe.service.properties.AccessLogProperties;
import dev.staithe.service.properties.LimitsProperties;
import dev.staithe.service.properties.MetricsProperties;
import dev.staithe.service.properties.ProxyProperties;
import dev.staithe.service.properties.SharedProperties;
import dev.staithe.service.properties.TlsProperties;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** What the service of these tests can be told: every kind of key that a service may have. */
@ConfigurationProperties(prefix = "staithe", ignoreUnknownFields = false)
public record SampleProperties(
    @DefaultValue List<String> hosts,
    @DefaultValue TlsProperties tls,
    @Nullable Path trust,
    @DefaultValue List<Area> areas,
    @DefaultValue LimitsProperties limits,
    @DefaultValue AccessLogProperties accessLog,
    @DefaultValue MetricsProperties metrics,
    @DefaultValue ProxyProperties proxy,
    @DefaultValue("false") boolean http2)
    implements SharedProperties {
  public SampleProperties {
    tls.requireFiles();
    Settings.requireDistinct(areas.stream().map(Area::name).toList(), "areas", "name");
  }

  /** One of several. */
  public record Area(
      @DefaultValue("") String name,
      @Nullable Path root,
      @DefaultValue List<String> accessPoints,
      @DefaultValue List<Grant> grants) {
    public Area {
      Settings.requireFolder(root, "root");
    }
  }

  /** One of several in one of several. */
  public record Grant(@DefaultValue("") String issuer, @DefaultValue List<String> groups) {}
}
