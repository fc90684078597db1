package dev.staithe.slcs.saml.response;

import dev.staithe.slcs.saml.metadata.Providers;
import dev.staithe.slcs.saml.metadata.SamlSettings;
import dev.staithe.slcs.saml.metadata.ServiceProvider;
import java.time.Clock;
import javax.sql.DataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The parts of this package. */
@Configuration(proxyBeanMethods = false)
public final class ResponseConfiguration {
  @Bean
  SentRequests sentRequests(DataSource store, SamlSettings settings, Clock clock) {
    return new SentRequests(store, settings.requestLifetime(), clock);
  }

  @Bean
  ConsumedIds consumedIds(DataSource store, Clock clock) {
    return new ConsumedIds(store, clock);
  }

  @Bean
  ResponseJudge responseJudge(
      Providers providers,
      ServiceProvider self,
      SentRequests sent,
      ConsumedIds consumed,
      SamlSettings settings,
      Clock clock) {
    return new ResponseJudge(providers, self, sent, consumed, settings, clock);
  }
}
