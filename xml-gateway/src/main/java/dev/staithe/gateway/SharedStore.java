package dev.staithe.gateway;

import static dev.staithe.service.OneLineFailure.started;

import dev.staithe.gateway.store.RedisSettings;
import dev.staithe.gateway.store.RedisStore;
import dev.staithe.pki.seal.MasterKeySource;
import dev.staithe.pki.seal.MasterKeys;
import dev.staithe.service.certificates.ClientTrust;
import dev.staithe.tls.ClientTls;
import dev.staithe.tls.TlsProvider;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * What several gateways share.
 *
 * @param redis null where this one is alone
 * @param tls our end of its TLS; null where there is none
 */
record SharedStore(@Nullable RedisStore redis, @Nullable ClientTls tls) implements AutoCloseable {

  static SharedStore open(GatewayProperties properties, TlsProvider provider, Clock clock) {
    ContextsProperties.Redis place = properties.contexts().redis();
    if (place == null) {
      return new SharedStore(null, null);
    }
    ClientTls tls =
        place.tls()
            ? ClientTrust.open(
                "staithe.contexts.redis.trust",
                place.trust() == null ? properties.trust() : place.trust(),
                properties.tls().checkInterval(),
                provider,
                clock)
            : null;
    MasterKeys keys =
        started(
            "staithe.contexts.sealing",
            () ->
                MasterKeys.of(
                    properties.contexts().sealing().stream()
                        .<MasterKeySource>map(MasterKeySource.Base64File::new)
                        .toList()));
    RedisSettings settings =
        new RedisSettings(
            place.host(),
            place.port(),
            place.user(),
            place.passwordFile(),
            tls == null ? null : tls.context().getSocketFactory(),
            place.timeout());
    return new SharedStore(
        started(
            "staithe.contexts.redis",
            () -> RedisStore.open(settings, keys, properties.contexts().limits(), clock)),
        tls);
  }

  @Override
  public void close() {
    if (redis != null) {
      redis.close();
    }
    if (tls != null) {
      tls.close();
    }
  }
}
