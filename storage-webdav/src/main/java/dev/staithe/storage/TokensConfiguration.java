package dev.staithe.storage;

import dev.staithe.service.certificates.ClientDoor;
import dev.staithe.storage.authz.CertificateDoor;
import dev.staithe.storage.dav.DavHandler;
import dev.staithe.storage.exchange.Answers;
import dev.staithe.storage.exchange.Areas;
import dev.staithe.storage.settings.StorageProperties;
import dev.staithe.storage.settings.TokensProperties;
import dev.staithe.storage.tokens.GivenTokens;
import dev.staithe.storage.tokens.TokenEndpoint;
import dev.staithe.storage.tokens.TokenSettings;
import dev.staithe.tls.ClientCertificates;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Objects;
import org.eclipse.jetty.server.Handler;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts together what makes tokens. */
@Configuration(proxyBeanMethods = false)
final class TokensConfiguration {
  /** In the folder that clients of an area cannot reach. */
  private static final Path USUAL_KEYS = Path.of(".staithe", "tokens", "keys");

  /** What stands before the storage namespace. */
  @FunctionalInterface
  interface Front {
    Handler before(Handler storage);
  }

  @Bean
  TokenSettings tokenSettings(StorageProperties properties) {
    TokensProperties tokens = properties.tokens();
    Path root = Objects.requireNonNull(properties.areas().getFirst().root());
    Path keys = tokens.keyFile() == null ? root.resolve(USUAL_KEYS) : tokens.keyFile();
    Path sealingKey =
        tokens.sealingKeyFile() == null
            ? keys.resolveSibling("sealing.key")
            : tokens.sealingKeyFile();
    return new TokenSettings(keys, sealingKey, tokens.usual(), tokens.longest(), tokens.rotation());
  }

  @Bean
  GivenTokens givenTokens(TokenSettings settings, Areas areas, Clock clock) {
    return new GivenTokens(settings, areas, clock);
  }

  @Bean
  Front tokenFront(
      StorageProperties properties,
      TokenSettings settings,
      GivenTokens tokens,
      Areas areas,
      DavHandler.Door door,
      ClientDoor clients,
      Answers answers,
      Clock clock) {
    ClientCertificates judge = clients.certificates();
    CertificateDoor certificates = judge == null ? null : new CertificateDoor(judge);
    return storage ->
        properties.tokens().enabled()
            ? new TokenEndpoint(
                settings, tokens, areas, door, certificates, answers, clock, storage)
            : storage;
  }

  @Bean
  MeterBinder givenTokenMeters(GivenTokens tokens) {
    return registry -> {
      FunctionCounter.builder("staithe.tokens.given", tokens, GivenTokens::made).register(registry);
      FunctionCounter.builder("staithe.tokens.given.refused", tokens, GivenTokens::refused)
          .register(registry);
    };
  }
}
