package dev.staithe.storage;

import static dev.staithe.service.OneLineFailure.started;

import dev.staithe.service.certificates.ClientDoor;
import dev.staithe.service.certificates.ClientTrust;
import dev.staithe.storage.authz.IssuerKeys;
import dev.staithe.storage.authz.KeyPolicy;
import dev.staithe.storage.authz.TokenDoor;
import dev.staithe.storage.authz.TrustedIssuer;
import dev.staithe.tls.ClientTls;
import dev.staithe.tls.TlsProvider;
import dev.staithe.tls.VomsServers;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Whom the service trusts and how it shows itself: TLS of both directions, token issuers. */
@Configuration(proxyBeanMethods = false)
final class TrustConfiguration {
  @Bean
  VomsServers vomsServers(StorageProperties properties, Clock clock) {
    return started(
        "staithe.voms.trust",
        () -> VomsServers.open(properties.voms().trust(), properties.tls().checkInterval(), clock));
  }

  @Bean
  ClientDoor clientDoor(StorageProperties properties, VomsServers voms, Clock clock) {
    return ClientDoor.open(
        properties.clientCertificates(), voms, properties.tls().checkInterval(), clock);
  }

  @Bean
  ClientTls clientTls(StorageProperties properties, TlsProvider provider, Clock clock) {
    return ClientTrust.open(
        "staithe.trust", properties.trust(), properties.tls().checkInterval(), provider, clock);
  }

  /** Our end of TLS towards token issuers. */
  record IssuerTls(ClientTls tls) implements AutoCloseable {
    @Override
    public void close() {
      tls.close();
    }
  }

  @Bean
  IssuerTls issuerTls(
      StorageProperties properties, ClientTls others, TlsProvider provider, Clock clock) {
    Path trust = properties.issuerTrust();
    return new IssuerTls(
        trust == null
            ? others
            : ClientTrust.open(
                "staithe.issuer-trust", trust, properties.tls().checkInterval(), provider, clock));
  }

  @Bean
  IssuerKeys issuerKeys(StorageProperties properties, IssuerTls tls, Clock clock) {
    return started(
        "staithe.issuers",
        () -> {
          Map<String, Path> keySets = new HashMap<>();
          for (StorageProperties.Issuer issuer : properties.issuers()) {
            if (issuer.jwksFile() != null) {
              keySets.put(issuer.issuer(), issuer.jwksFile());
            }
          }
          return new IssuerKeys(
                  trusted(properties),
                  keySets,
                  properties.tls().checkInterval(),
                  tls.tls().context(),
                  KeyPolicy.DEFAULT,
                  clock)
              .start();
        });
  }

  @Bean
  TokenDoor tokenDoor(StorageProperties properties, IssuerKeys keys, Clock clock) {
    return started("staithe.issuers", () -> new TokenDoor(trusted(properties), keys, clock));
  }

  private static List<TrustedIssuer> trusted(StorageProperties properties) {
    List<TrustedIssuer> trusted = new ArrayList<>();
    for (int i = 0; i < properties.issuers().size(); i++) {
      StorageProperties.Issuer issuer = properties.issuers().get(i);
      trusted.add(
          started(
              "staithe.issuers[" + i + "]",
              () ->
                  new TrustedIssuer(
                      issuer.issuer(),
                      issuer.audiences(),
                      issuer.acceptWlcgAny(),
                      issuer.acceptScitokensAny(),
                      issuer.jwksUri(),
                      issuer.plainHttpOnLoopback())));
    }
    return trusted;
  }
}
