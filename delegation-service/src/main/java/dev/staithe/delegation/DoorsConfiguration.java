package dev.staithe.delegation;

import static java.util.Objects.requireNonNull;

import dev.staithe.delegation.door.RestConfiguration;
import dev.staithe.delegation.door.SoapDoorConfiguration;
import dev.staithe.delegation.door.SoapSettings;
import dev.staithe.delegation.pages.PagesConfiguration;
import dev.staithe.service.door.Origins;
import java.net.URI;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** What the ways into the service are told. */
@Configuration(proxyBeanMethods = false)
@Import({SoapDoorConfiguration.class, RestConfiguration.class, PagesConfiguration.class})
final class DoorsConfiguration {
  @Bean
  Origins origins(DelegationProperties properties) {
    return new Origins(url(properties));
  }

  @Bean
  SoapSettings soapSettings(DelegationProperties properties) {
    return properties.soap().settings(url(properties));
  }

  @Bean
  RestConfiguration.Place place(DelegationProperties properties) {
    return new RestConfiguration.Place(url(properties));
  }

  private static URI url(DelegationProperties properties) {
    return requireNonNull(properties.url());
  }
}
