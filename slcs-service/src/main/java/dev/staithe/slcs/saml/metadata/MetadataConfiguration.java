package dev.staithe.slcs.saml.metadata;

import static dev.staithe.service.OneLineFailure.started;

import dev.staithe.service.OneLineFailure;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The parts of this package. */
@Configuration(proxyBeanMethods = false)
public final class MetadataConfiguration {
  private static final Logger log = LoggerFactory.getLogger(MetadataConfiguration.class);

  @Bean
  ServiceProvider serviceProvider(SamlSettings settings) {
    return new ServiceProvider(settings);
  }

  @Bean
  Providers providers(SamlSettings settings, ServiceProvider self, Clock clock) {
    var download = new Download(settings.trust());
    List<MetadataSource<Provider>> named = new ArrayList<>();
    var refused = new ArrayList<OneLineFailure.NotStarted>();
    for (int i = 0; i < settings.providers().size(); i++) {
      SamlSettings.NamedProvider each = settings.providers().get(i);
      var source =
          new MetadataSource<>(
              each.name(),
              each.metadata(),
              settings.state(),
              file -> MetadataFile.read(each, file, self),
              download,
              clock);
      start("staithe.saml.providers[" + i + "].metadata", source, refused);
      named.add(source);
    }
    Set<String> taken =
        settings.providers().stream()
            .map(SamlSettings.NamedProvider::name)
            .collect(Collectors.toSet());
    SamlSettings.FederationSource federation = settings.federation();
    MetadataSource<Aggregate> aggregate =
        federation == null
            ? null
            : new MetadataSource<>(
                "federation",
                federation.metadata(),
                settings.state().resolve("federation"),
                file -> Aggregate.read(file, federation.signer(), taken, clock.instant()),
                download,
                clock);
    if (aggregate != null) {
      start("staithe.saml.federation.metadata", aggregate, refused);
    }
    int sources = named.size() + (aggregate == null ? 0 : 1);
    if (!refused.isEmpty() && refused.size() == sources) {
      throw refused.getFirst();
    }
    // One campus that is broken keeps none of the others out.
    refused.forEach(each -> log.error("{}; nobody can log in by it", each.getMessage()));
    return new Providers(named, aggregate, self, clock);
  }

  private static void start(
      String key, MetadataSource<?> source, List<OneLineFailure.NotStarted> refused) {
    try {
      started(
          key,
          () -> {
            source.start();
            return source;
          });
    } catch (OneLineFailure.NotStarted e) {
      refused.add(e);
    }
  }
}
