package dev.staithe.delegation;

import static java.util.Objects.requireNonNull;

import dev.staithe.delegation.door.RestConfiguration;
import dev.staithe.delegation.door.SoapSettings;
import dev.staithe.service.door.Origins;
import java.net.URI;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the ways into the service are told. */
@Configuration(proxyBeanMethods = false)
final class DoorsConfiguration {
  @Bean
  Origins origins(DelegationProperties properties) {
    return new Origins(url(properties));
  }

  @Bean
  RestConfiguration.Place restPlace(DelegationProperties properties) {
    return new RestConfiguration.Place(url(properties));
  }

  @Bean
  SoapSettings soapSettings(DelegationProperties properties) {
    return properties.soap().settings(url(properties));
  }

  private static URI url(DelegationProperties properties) {
    return requireNonNull(properties.url());
  }
}
