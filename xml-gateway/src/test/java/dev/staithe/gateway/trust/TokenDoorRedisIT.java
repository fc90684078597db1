package dev.staithe.gateway.trust;

import static dev.staithe.gateway.trust.Asking.ADA;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.store.RedisSettings;
import dev.staithe.gateway.store.RedisStore;
import dev.staithe.peers.RedisServer;
import dev.staithe.pki.seal.MasterKeySource;
import dev.staithe.pki.seal.MasterKeys;
import dev.staithe.testkit.MutableClock;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.trust.TrustVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The door with contexts in a real Redis that goes away. */
class TokenDoorRedisIT {
  @TempDir Path folder;

  @Test
  void doorWhenRedisIsKilledThenGivesNothingOutAndCancelsNothing() throws IOException {
    Path key = folder.resolve("key");
    Files.writeString(key, Base64.getEncoder().encodeToString(new byte[32]));
    try (RedisServer redis = RedisServer.start();
        RedisStore store =
            RedisStore.open(
                new RedisSettings(
                    "127.0.0.1",
                    redis.port(),
                    null,
                    redis.passwordFile(),
                    null,
                    Duration.ofSeconds(10)),
                MasterKeys.of(List.of(new MasterKeySource.Base64File(key))),
                ContextLimits.DEFAULT,
                MutableClock.at(Instant.parse("2026-11-21T20:00:00Z")))) {
      Asking asking = new Asking(folder, ContextLimits.DEFAULT, store.contexts());
      SecurityContext context =
          asking.granted(Asking.issue(TrustVersion.OASIS, null), null).context();
      SecurityContext longer = asking.granted(Asking.renew(context), context).context();
      assertThat(store.contexts().find(context.identifier(), null)).isSameAs(longer);
      redis.kill();
      for (TokenOutcome outcome :
          List.of(
              asking.ask(Asking.issue(TrustVersion.OASIS, null), ADA, null),
              asking.ask(Asking.cancel(longer.identifier()), ADA, longer))) {
        TokenOutcome.Refused refused = Asking.refused(outcome);
        assertThat(refused.reason()).isEqualTo(Refusal.UNAVAILABLE);
        assertThat(refused.envelope()).isNull();
      }
      assertThat(longer.secret()).isNotNull();
      assertThat(asking.audit().getLast())
          .contains("\"event\":\"context.cancel\"", "\"outcome\":\"unavailable\"");
    }
  }
}
