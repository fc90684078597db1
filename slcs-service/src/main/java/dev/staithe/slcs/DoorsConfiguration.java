package dev.staithe.slcs;

import static java.util.Objects.requireNonNull;

import dev.staithe.service.certificates.ClientDoor;
import dev.staithe.service.certificates.OutgoingTls;
import dev.staithe.service.door.Origins;
import dev.staithe.slcs.ca.CertificateAuthority;
import dev.staithe.slcs.door.LoginNeeded;
import dev.staithe.slcs.echo.EchoConfiguration;
import dev.staithe.slcs.issue.IssueSettings;
import dev.staithe.slcs.protect.ProtectConfiguration;
import dev.staithe.slcs.saml.SignIn;
import dev.staithe.tls.TlsProvider;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the ways into the service are told. */
@Configuration(proxyBeanMethods = false)
final class DoorsConfiguration {
  @Bean
  IssueSettings issueSettings(SlcsProperties properties) {
    return properties.issue().settings(url(properties));
  }

  @Bean
  LoginNeeded loginNeeded(SlcsProperties properties, SignIn signIn) {
    return new LoginNeeded(
        (request, response, why) -> signIn.ask(request, response), url(properties));
  }

  @Bean
  Origins origins(SlcsProperties properties) {
    return new Origins(url(properties));
  }

  @Bean
  EchoConfiguration.Place echoPlace(SlcsProperties properties) {
    return new EchoConfiguration.Place(url(properties));
  }

  @Bean
  OutgoingTls outgoing(SlcsProperties properties, TlsProvider provider, Clock clock) {
    return OutgoingTls.open(
        Stream.concat(
            Stream.ofNullable(properties.authn()).map(AuthnProperties::url),
            services(properties).stream().map(ServiceProperties::upstream)),
        properties.trust(),
        properties.tls().checkInterval(),
        provider,
        clock);
  }

  @Bean
  ProtectConfiguration.Parts protectParts(
      SlcsProperties properties,
      ClientDoor clients,
      CertificateAuthority authority,
      OutgoingTls outgoing) {
    return new ProtectConfiguration.Parts(
        services(properties).stream().map(ServiceProperties::settings).toList(),
        properties.authn() == null ? null : properties.authn().settings(),
        clients.certificates(),
        authority::withdrew,
        outgoing.context());
  }

  private static List<ServiceProperties> services(SlcsProperties properties) {
    return requireNonNull(properties.services());
  }

  private static URI url(SlcsProperties properties) {
    return requireNonNull(properties.url());
  }
}
