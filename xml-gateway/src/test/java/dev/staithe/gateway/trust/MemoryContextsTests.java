package dev.staithe.gateway.trust;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.MutableClock;
import dev.staithe.wss.Caller;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.SecurityContext;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MemoryContextsTests {
  private final MutableClock clock = MutableClock.at(Instant.parse("2026-11-21T12:00:00Z"));
  private final MemoryContexts contexts =
      new MemoryContexts(
          new ContextLimits(Duration.ofMinutes(10), Duration.ofHours(8), 10, 10), clock);

  private SecurityContext context(@Nullable String instance) {
    return new SecurityContext(
        "urn:uuid:1",
        instance,
        Namespaces.SC_13,
        "/pay",
        "1",
        new Caller.Username("ada"),
        clock.instant(),
        clock.instant().plus(Duration.ofHours(8)),
        new byte[32]);
  }

  @Test
  void whoRenewsAgainAndAgainFillsNoMemory() {
    contexts.keep(context(null));
    for (int i = 0; i < 1_000; i++) {
      assertThat(contexts.renew(context("key-" + i)))
          .isInstanceOf(ContextStore.WriteOutcome.Stored.class);
      assertThat(contexts.renew(context("key-" + i)))
          .isInstanceOf(ContextStore.WriteOutcome.Stored.class);
    }

    assertThat(contexts.waiting()).isLessThanOrEqualTo(2);
    assertThat(contexts.find("urn:uuid:1", "key-999")).isNotNull();
    assertThat(contexts.find("urn:uuid:1", "key-998")).isNotNull();
    assertThat(contexts.find("urn:uuid:1", "key-997")).isNull();
  }

  @Test
  void whoCancelsWhatItAsksForFillsNoMemory() {
    for (int i = 0; i < 1_000; i++) {
      SecurityContext context = context(null);
      contexts.keep(context);
      assertThat(contexts.end(context)).isInstanceOf(ContextStore.CancelOutcome.Cancelled.class);
    }

    assertThat(contexts.waiting()).isZero();
    assertThat(contexts.live()).isZero();
  }

  private SecurityContext of(String subject, String identifier) {
    return new SecurityContext(
        identifier,
        null,
        Namespaces.SC_13,
        "/pay",
        "1",
        new Caller.Username(subject),
        clock.instant(),
        clock.instant().plusSeconds(1),
        new byte[32]);
  }

  @Test
  void whoLetsContextsEndIsRememberedWithoutSecretsAndDrivesNobodyOut() {
    contexts.keep(of("ada", "urn:ada"));
    for (int i = 0; i < 20_000; i++) {
      contexts.keep(of("mallory", "urn:mallory:" + i));
      clock.advance(Duration.ofSeconds(1));
    }
    assertThat(contexts.live()).isZero();

    assertThat(contexts.remembered()).isEqualTo(101);
    assertThat(contexts.renewable("urn:mallory:19999")).isNotNull();
    assertThat(contexts.renewable("urn:mallory:1")).isNull();
    SecurityContext left = contexts.renewable("urn:ada");
    assertThat(left).isNotNull();
    assertThat(left.secret()).isNull();
    assertThat(contexts.find("urn:ada", null)).isNull();
  }

  @Test
  void whoAreManyAndLetContextsEndFillNoMemory() {
    for (int i = 0; i < 11_000; i++) {
      contexts.keep(of("user-" + i, "urn:" + i));
      clock.advance(Duration.ofSeconds(1));
    }
    assertThat(contexts.live()).isZero();

    assertThat(contexts.remembered()).isEqualTo(10_000);
    assertThat(contexts.renewable("urn:10999")).isNotNull();
  }
}
