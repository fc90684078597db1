package dev.staithe.wss;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SecurityContextTests {
  private static SecurityContext context(byte[] secret) {
    Instant now = Instant.parse("2026-11-21T20:00:00Z");
    return new SecurityContext(
        "urn:uuid:1",
        "2",
        Namespaces.SC_13,
        "say",
        "0123456789abcdef",
        new Caller.Username("ada"),
        now,
        now.plusSeconds(60),
        secret);
  }

  private static byte[] secret(int value) {
    byte[] secret = new byte[32];
    Arrays.fill(secret, (byte) value);
    return secret;
  }

  @Test
  void secretWhenItIsOverwrittenByWhoAskedThenIsStillThere() {
    SecurityContext context = context(secret(7));
    byte[] copy = context.secret();
    assertThat(copy).isEqualTo(secret(7));
    Arrays.fill(copy, (byte) 0);
    assertThat(context.secret()).isEqualTo(secret(7));
  }

  @Test
  void secretWhenItEndedThenIsGoneAndItsBytesAreOverwritten() {
    byte[] held = secret(7);
    SecurityContext context = context(held);
    context.end();
    assertThat(context.secret()).isNull();
    assertThat(held).containsOnly(0);
    context.end();
    assertThat(context.secret()).isNull();
  }

  @Test
  void contextWithoutItsSecretKeepsAllElse() {
    SecurityContext context = context(secret(7));
    SecurityContext left = context.withoutSecret();
    assertThat(left.secret()).isNull();
    assertThat(context.secret()).isEqualTo(secret(7));
    assertThat(left)
        .returns("urn:uuid:1", SecurityContext::identifier)
        .returns("2", SecurityContext::instance)
        .returns(Namespaces.SC_13, SecurityContext::namespace)
        .returns("say", SecurityContext::endpoint)
        .returns("0123456789abcdef", SecurityContext::policyVersion)
        .returns(new Caller.Username("ada"), SecurityContext::owner)
        .returns(context.created(), SecurityContext::created)
        .returns(context.expires(), SecurityContext::expires);
  }

  @Test
  void textNamesTheContextAndNothingOfItsSecret() {
    assertThat(context(secret('s')).toString()).isEqualTo("SecurityContext[urn:uuid:1]");
  }

  /** A cancellation from elsewhere, in the middle of somebody's asking. */
  @Test
  void secretWhenItEndsMeanwhileThenIsWholeOrNone() throws InterruptedException {
    for (int round = 0; round < 500; round++) {
      SecurityContext context = context(secret(7));
      var ready = new CountDownLatch(1);
      var torn = new AtomicInteger();
      Thread reader =
          Thread.ofPlatform()
              .start(
                  () -> {
                    byte[] found = context.secret();
                    ready.countDown();
                    while (found != null) {
                      if (!Arrays.equals(found, secret(7))) {
                        torn.incrementAndGet();
                      }
                      found = context.secret();
                    }
                  });
      ready.await();
      context.end();
      reader.join();
      assertThat(torn).hasValue(0);
    }
  }
}
