package dev.staithe.storage;

import static dev.staithe.service.OneLineFailure.started;
import static java.util.Objects.requireNonNull;

import dev.staithe.service.certificates.ClientDoor;
import dev.staithe.service.certificates.ClientTrust;
import dev.staithe.storage.issuers.IssuerKeys;
import dev.staithe.storage.issuers.KeyPolicy;
import dev.staithe.storage.issuers.OpaqueTokens;
import dev.staithe.storage.issuers.TokenDoor;
import dev.staithe.storage.issuers.TrustedIssuer;
import dev.staithe.storage.settings.IssuerProperties;
import dev.staithe.storage.settings.StorageProperties;
import dev.staithe.storage.state.SecretFile;
import dev.staithe.tls.ClientTls;
import dev.staithe.tls.TlsProvider;
import dev.staithe.tls.VomsServers;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
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
          for (IssuerProperties issuer : properties.issuers()) {
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

  /** Whom to ask about opaque tokens; nobody where no issuer has any. */
  record Opaque(@Nullable OpaqueTokens tokens) implements AutoCloseable {
    @Override
    public void close() {
      if (tokens != null) {
        tokens.close();
      }
    }
  }

  @Bean
  Opaque opaqueTokens(StorageProperties properties, IssuerTls tls, Clock clock) {
    List<TrustedIssuer> trusted = trusted(properties);
    for (int i = 0; i < trusted.size(); i++) {
      TrustedIssuer issuer = trusted.get(i);
      IssuerProperties.Introspection asked = properties.issuers().get(i).introspection();
      URI url = asked.url();
      if (url != null) {
        return new Opaque(
            started(
                "staithe.issuers[" + i + "].introspection",
                () ->
                    new OpaqueTokens(
                        new OpaqueTokens.Source(
                            issuer,
                            url,
                            asked.clientId(),
                            secret(requireNonNull(asked.clientSecretFile())),
                            asked.cache()),
                        tls.tls().context(),
                        clock)));
      }
    }
    return new Opaque(null);
  }

  private static String secret(Path file) throws IOException {
    return new String(SecretFile.read(file), StandardCharsets.UTF_8).strip();
  }

  @Bean
  TokenDoor tokenDoor(StorageProperties properties, IssuerKeys keys, Opaque opaque, Clock clock) {
    return started(
        "staithe.issuers", () -> new TokenDoor(trusted(properties), keys, opaque.tokens(), clock));
  }

  private static List<TrustedIssuer> trusted(StorageProperties properties) {
    List<TrustedIssuer> trusted = new ArrayList<>();
    for (int i = 0; i < properties.issuers().size(); i++) {
      IssuerProperties issuer = properties.issuers().get(i);
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
                      issuer.plainHttpOnLoopback(),
                      issuer.tokens())));
    }
    return trusted;
  }
}
