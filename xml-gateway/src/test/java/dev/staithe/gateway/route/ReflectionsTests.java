package dev.staithe.gateway.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.trust.MemoryReplays;
import dev.staithe.gateway.trust.ReplayCache;
import dev.staithe.testkit.MutableClock;
import dev.staithe.wss.Expectation;
import dev.staithe.wss.Findings;
import dev.staithe.wss.Reply;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whether answers are known when they come back. */
class ReflectionsTests {
  private static final byte[] IDENTITY = "ada".getBytes(StandardCharsets.UTF_8);
  private static final byte[] VALUE = {1, 2, 3};

  private final MutableClock clock = MutableClock.at(Instant.parse("2026-11-21T12:00:00Z"));

  static Stream<Reply.Keys> keys() {
    return Stream.of(
        new Reply.Keys.ByUsername("ada", new byte[16], 1_000, new byte[16]),
        new Reply.Keys.ByEncryptedKey(IDENTITY, new byte[16]));
  }

  private static Expectation expectation() {
    return new Expectation(
        "/pay",
        BuiltInPolicies.policy("username", AlgorithmList.MODERN),
        AlgorithmList.MODERN,
        Expectation.Limits.DEFAULT,
        false);
  }

  private Findings.Once request(byte[] value) throws NoSuchAlgorithmException {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    digest.update("signature".getBytes(StandardCharsets.US_ASCII));
    digest.update(value);
    digest.update(IDENTITY);
    return new Findings.Once(digest.digest(), clock.instant().plusSeconds(60));
  }

  @ParameterizedTest
  @MethodSource("keys")
  void answerUnderAnyKeyThatTheClientHasTooIsKnownAgain(Reply.Keys keys) throws Exception {
    try (var replays = new MemoryReplays(10, clock)) {
      var reflections = new Reflections(replays, clock);

      assertThat(reflections.remember(keys, VALUE, expectation())).isTrue();

      assertThat(replays.mark(List.of(request(VALUE)))).isInstanceOf(ReplayCache.Mark.Replay.class);
    }
  }

  @Test
  void answerThatNobodyWouldKnowAgainDoesNotLeave() throws Exception {
    try (var replays = new MemoryReplays(1, clock)) {
      replays.mark(List.of(request(new byte[] {9})));

      assertThat(
              new Reflections(replays, clock)
                  .remember(keys().findFirst().orElseThrow(), VALUE, expectation()))
          .isFalse();
    }
  }
}
