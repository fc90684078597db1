package dev.staithe.storage;

import static dev.staithe.storage.OneLineFailure.started;

import dev.staithe.storage.authz.IssuerKeys;
import dev.staithe.storage.authz.KeyPolicy;
import dev.staithe.storage.authz.TokenDoor;
import dev.staithe.storage.authz.TrustedIssuer;
import dev.staithe.storage.files.StateFolder;
import dev.staithe.tls.ClientTls;
import dev.staithe.tls.ClientTlsSettings;
import dev.staithe.tls.ServerTls;
import dev.staithe.tls.ServerTlsSettings;
import dev.staithe.tls.TlsProvider;
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
  private static final List<Path> USUAL_TRUST =
      List.of(
          Path.of("/etc/grid-security/certificates"),
          Path.of("/etc/ssl/certs/ca-certificates.crt"),
          Path.of("/etc/pki/tls/certs/ca-bundle.crt"));

  @Bean
  TlsProvider tlsProvider(StorageProperties properties) {
    return started(
        "staithe.tls.provider",
        () -> TlsProvider.choose(TlsProvider.Choice.valueOf(properties.tls().provider().name())));
  }

  /** Absent where the server speaks plain HTTP. */
  @Bean
  TlsEnd tlsEnd(StorageProperties properties, TlsProvider provider, Clock clock) {
    StorageProperties.Tls tls = properties.tls();
    if (!tls.enabled() || tls.certificate() == null || tls.key() == null) {
      return new TlsEnd(null);
    }
    ServerTlsSettings settings =
        new ServerTlsSettings(
            tls.certificate(),
            tls.key(),
            tls.checkInterval(),
            ServerTlsSettings.DEFAULT_BATCH_BYTES);
    return started("staithe.tls", () -> new TlsEnd(ServerTls.open(settings, provider, clock)));
  }

  /** Our end of incoming TLS, if there is one. */
  record TlsEnd(@Nullable ServerTls tls) implements AutoCloseable {
    @Override
    public void close() {
      if (tls != null) {
        tls.close();
      }
    }
  }

  @Bean
  ClientTls clientTls(StorageProperties properties, TlsProvider provider, Clock clock) {
    Path trust =
        properties.trust() != null
            ? properties.trust()
            : USUAL_TRUST.stream()
                .filter(StateFolder::exists)
                .findFirst()
                .orElseThrow(
                    () ->
                        new OneLineFailure.NotStarted(
                            "staithe.trust is not set: must be a PEM bundle or a folder of trusted"
                                + " authorities",
                            null));
    return clientTls("staithe.trust", trust, properties, provider, clock);
  }

  private static ClientTls clientTls(
      String key, Path trust, StorageProperties properties, TlsProvider provider, Clock clock) {
    return started(
        key,
        () ->
            ClientTls.open(
                new ClientTlsSettings(
                    trust, properties.tls().checkInterval(), ServerTlsSettings.DEFAULT_BATCH_BYTES),
                provider,
                clock));
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
            : clientTls("staithe.issuer-trust", trust, properties, provider, clock));
  }

  @Bean
  IssuerKeys issuerKeys(StorageProperties properties, IssuerTls tls, Clock clock) {
    return started(
        "staithe.issuers",
        () -> {
          Map<String, String> keySets = new HashMap<>();
          for (StorageProperties.Issuer issuer : properties.issuers()) {
            if (issuer.jwksFile() != null) {
              keySets.put(issuer.issuer(), StateFolder.text(issuer.jwksFile()));
            }
          }
          return new IssuerKeys(
                  trusted(properties), keySets, tls.tls().context(), KeyPolicy.DEFAULT, clock)
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
