package dev.staithe.gateway.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.gateway.trust.ContextLimits;
import dev.staithe.gateway.trust.ContextStore;
import dev.staithe.gateway.trust.ReplayCache;
import dev.staithe.peers.RedisServer;
import dev.staithe.pki.seal.MasterKeySource;
import dev.staithe.pki.seal.MasterKeys;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.MutableClock;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.wss.Caller;
import dev.staithe.wss.Findings;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two gateways with one real Redis. */
class RedisStoreIT {
  private static final ContextLimits LIMITS =
      new ContextLimits(Duration.ofMinutes(10), Duration.ofHours(8), 4, 2);
  private static final Instant START = Instant.parse("2026-11-21T20:00:00Z");

  private static RedisServer redis;
  @TempDir static Path shared;
  private static MasterKeys keys;

  private final MutableClock clock = MutableClock.at(START);
  private final List<RedisStore> open = new ArrayList<>();
  private RedisStore one;
  private RedisStore other;

  @BeforeAll
  static void start() throws IOException {
    redis = RedisServer.start();
    keys = MasterKeys.of(List.of(key("first")));
  }

  private static MasterKeySource key(String name) throws IOException {
    byte[] bytes = new byte[32];
    new SecureRandom().nextBytes(bytes);
    Path file = shared.resolve(name);
    Files.writeString(file, Base64.getEncoder().encodeToString(bytes) + "\n");
    return new MasterKeySource.Base64File(file);
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  @BeforeEach
  void openBoth() throws IOException {
    redis.command("FLUSHALL");
    one = gateway(keys);
    other = gateway(keys);
  }

  @AfterEach
  void closeAll() {
    open.forEach(RedisStore::close);
  }

  private RedisStore gateway(MasterKeys with) throws IOException {
    return gateway(with, Duration.ofSeconds(10));
  }

  private RedisStore gateway(MasterKeys with, Duration patience) throws IOException {
    RedisStore store =
        RedisStore.open(
            new RedisSettings(
                "127.0.0.1", redis.port(), null, redis.passwordFile(), null, patience),
            with,
            LIMITS,
            clock);
    open.add(store);
    return store;
  }

  private SecurityContext context(Caller owner) {
    byte[] secret = new byte[32];
    new SecureRandom().nextBytes(secret);
    return new SecurityContext(
        "urn:uuid:" + UUID.randomUUID(),
        null,
        Namespaces.SC_13,
        "orders",
        "0123456789abcdef",
        owner,
        clock.instant(),
        clock.instant().plus(Duration.ofMinutes(10)),
        secret);
  }

  private SecurityContext kept() {
    SecurityContext context = context(new Caller.Username("ada"));
    assertThat(one.contexts().keep(context)).isEqualTo(new ContextStore.WriteOutcome.Stored());
    return context;
  }

  private static SecurityContext renewed(SecurityContext of, @Nullable String instance, int fill) {
    return renewed(of, instance, fill, of.expires().plus(Duration.ofMinutes(5)));
  }

  private static SecurityContext renewed(
      SecurityContext of, @Nullable String instance, int fill, Instant expires) {
    byte[] secret = instance == null ? Objects.requireNonNull(of.secret()) : new byte[32];
    if (instance != null) {
      Arrays.fill(secret, (byte) fill);
    }
    return new SecurityContext(
        of.identifier(),
        instance,
        of.namespace(),
        of.endpoint(),
        of.policyVersion(),
        of.owner(),
        of.created(),
        expires,
        secret);
  }

  private static SecurityContext found(RedisStore in, SecurityContext like) {
    return Objects.requireNonNull(in.contexts().find(like.identifier(), like.instance()));
  }

  private static void assertSame(SecurityContext found, SecurityContext kept) {
    assertThat(found.secret()).isEqualTo(kept.secret());
    assertThat(found.owner()).isEqualTo(kept.owner());
    assertThat(found.endpoint()).isEqualTo(kept.endpoint());
    assertThat(found.policyVersion()).isEqualTo(kept.policyVersion());
    assertThat(found.namespace()).isEqualTo(kept.namespace());
    assertThat(found.created()).isEqualTo(kept.created());
    assertThat(found.expires()).isEqualTo(kept.expires());
    assertThat(found.instance()).isEqualTo(kept.instance());
  }

  @Test
  void findWhenAnotherGatewayIssuedThenHasAllOfIt() {
    List<Caller> owners =
        List.of(
            new Caller.Anonymous(),
            new Caller.Token("grace"),
            new Caller.Certificate(
                "/CN=localhost",
                ThrowAwayAuthority.in(shared.resolve("ca"), clock)
                    .localhost()
                    .credential()
                    .chain()));
    for (Caller owner : owners) {
      SecurityContext context = context(owner);
      one.contexts().keep(context);
      assertSame(found(other, context), context);
      assertThat(found(other, context)).isSameAs(found(other, context));
    }
    assertThat(other.contexts().live()).isEqualTo(3);
    assertThat(other.contexts().find("urn:uuid:none", null)).isNull();
    assertThat(other.contexts().find(context(owners.getFirst()).identifier(), "x")).isNull();
  }

  @Test
  void storeWhenReadByOthersThenShowsNoSecretAndNoSubject() {
    byte[] secret = Objects.requireNonNull(kept().secret());
    String script =
        """
            local secret = ARGV[1]:gsub('..', function(hex) return string.char(tonumber(hex, 16)) end)
            local all = ''
            for _, key in ipairs(redis.call('KEYS', '*')) do
              all = all .. redis.call('DUMP', key) .. key
            end
            if ARGV[2] then
              all = all .. secret
            end
            return redis.sha1hex(all) .. tostring(string.find(all, secret, 1, true))
                .. tostring(string.find(all, 'ada', 1, true))
                .. tostring(string.find(all, 'orders', 1, true))
            """;
    String sought = HexFormat.of().formatHex(secret, 0, 8);
    assertThat(redis.command("EVAL", script, "0", sought)).endsWith("nilnilnil");

    // And what is there would be found.
    assertThat(redis.command("EVAL", script, "0", sought, "with it"))
        .doesNotEndWith("nilnilnil")
        .endsWith("nilnil");
  }

  @Test
  void findWhenSomebodyPutsAContextUnderAnotherIdentifierThenRefusesIt() {
    SecurityContext mine = kept();
    redis.command(
        "EVAL",
        "return redis.call('RENAME', KEYS[1], KEYS[2])",
        "2",
        RedisScripts.CONTEXT + mine.identifier(),
        RedisScripts.CONTEXT + "urn:uuid:another");
    assertThatThrownBy(() -> other.contexts().find("urn:uuid:another", null))
        .isInstanceOf(Surroundings.Unavailable.class);
  }

  @Test
  void findWhenGatewayHasAnotherMasterKeyThenFailsClosed() throws IOException {
    SecurityContext mine = kept();
    RedisStore stranger = gateway(MasterKeys.of(List.of(key("strangers"))));
    assertThatThrownBy(() -> stranger.contexts().find(mine.identifier(), null))
        .isInstanceOf(Surroundings.Unavailable.class)
        .hasMessageContaining("which is not here");
  }

  @Test
  void findWhenMasterKeyIsRotatedThenOldContextsGoOn() throws IOException {
    SecurityContext mine = kept();
    MasterKeySource old = new MasterKeySource.Base64File(shared.resolve("first"));
    RedisStore rotated = gateway(MasterKeys.of(List.of(key("second"), old)));
    assertSame(found(rotated, mine), mine);
  }

  @Test
  void keepWhenOwnerHasTooManyOverAllGatewaysThenIsRefused() {
    kept();
    other.contexts().keep(context(new Caller.Username("ada")));
    assertThat(one.contexts().keep(context(new Caller.Username("ada"))))
        .isEqualTo(new ContextStore.WriteOutcome.TooMany(true));
    for (int i = 0; i < 2; i++) {
      assertThat(one.contexts().keep(context(new Caller.Username("grace"))))
          .isEqualTo(new ContextStore.WriteOutcome.Stored());
    }
    assertThat(other.contexts().keep(context(new Caller.Username("alan"))))
        .isEqualTo(new ContextStore.WriteOutcome.TooMany(false));
    clock.advance(Duration.ofMinutes(11));
    kept();
  }

  @Test
  void findWhenExpiredByOurClockThenIsGoneWhateverRedisHas() {
    SecurityContext mine = kept();
    clock.advance(Duration.ofMinutes(10));
    assertThat(one.contexts().find(mine.identifier(), null)).isNull();
    assertThat(other.contexts().find(mine.identifier(), null)).isNull();
    assertThat(redis.command("EXISTS", RedisScripts.CONTEXT + mine.identifier())).isEqualTo("1");
  }

  @Test
  void endWhenAnotherGatewayRemembersItThenForgetsItAndOverwritesTheSecret() {
    SecurityContext mine = kept();
    SecurityContext theirs = found(other, mine);
    assertThat(one.contexts().end(mine)).isEqualTo(new ContextStore.CancelOutcome.Cancelled());
    // Told by Redis, or, where it did not listen yet, by the next question after a second.
    Eventually.holds(
        "the other gateway forgets and overwrites it",
        () -> other.contexts().find(mine.identifier(), null) == null && theirs.secret() == null);
    assertThat(one.contexts().find(mine.identifier(), null)).isNull();
    assertThat(mine.secret()).isNotNull();
    assertThat(other.contexts().end(theirs)).isEqualTo(new ContextStore.CancelOutcome.Unknown());
    assertThat(redis.command("KEYS", "*context*")).isEmpty();
  }

  @Test
  void endWhenGatewayCannotBeToldThenItForgetsWithinASecond() {
    SecurityContext mine = kept();
    found(other, mine);
    redis.command("DEL", RedisScripts.CONTEXT + mine.identifier());
    Eventually.holds(
        "what is remembered grows old",
        () -> other.contexts().find(mine.identifier(), null) == null);
  }

  @Test
  void renewWhenKeyIsNewThenBothGatewaysHaveBothInstancesAndCancelEndsBoth() {
    SecurityContext mine = kept();
    SecurityContext theirs = found(other, mine);
    SecurityContext second = renewed(mine, "b", 7);
    assertThat(one.contexts().renew(second)).isEqualTo(new ContextStore.WriteOutcome.Stored());
    Eventually.holds(
        "the other gateway asks again",
        () -> other.contexts().find(mine.identifier(), "b") != null);
    assertSame(found(other, second), second);
    assertThat(other.contexts().find(mine.identifier(), null)).isSameAs(theirs);
    SecurityContext third = renewed(second, "c", 8);
    assertThat(other.contexts().renew(third)).isEqualTo(new ContextStore.WriteOutcome.Stored());
    assertThat(other.contexts().find(mine.identifier(), null)).isNull();
    assertSame(found(other, second), second);
    other.contexts().end(third);
    Eventually.holds(
        "no instance is left", () -> one.contexts().find(mine.identifier(), "b") == null);
    assertThat(one.contexts().renew(renewed(third, "d", 9)))
        .isEqualTo(new ContextStore.WriteOutcome.Unknown());
  }

  @Test
  void findWhenItWasRenewedThroughAnotherGatewayAMomentAgoThenIsKnownAtOnce() {
    SecurityContext mine = kept();
    found(other, mine);
    SecurityContext second = renewed(mine, "b", 7);
    assertThat(one.contexts().renew(second)).isEqualTo(new ContextStore.WriteOutcome.Stored());

    assertSame(found(other, second), second);
  }

  @Test
  void findWhenItsEndWasPutOffThroughAnotherGatewayAMomentAgoThenIsKnownAtOnce() {
    SecurityContext mine = kept();
    found(other, mine);
    SecurityContext longer = renewed(mine, null, 0);
    assertThat(one.contexts().renew(longer)).isEqualTo(new ContextStore.WriteOutcome.Stored());
    clock.advance(Duration.ofMinutes(12));

    assertSame(found(other, longer), longer);
  }

  /** Whoever has seen a message knows the context's name. */
  @Test
  void findWhenInstancesAreMadeUpThenRedisIsNotAskedForEach() {
    SecurityContext mine = kept();
    long before = asked();
    long begun = System.nanoTime();
    for (int i = 0; i < 3_000; i++) {
      assertThat(other.contexts().find(mine.identifier(), "made-up-" + i)).isNull();
    }
    long spent = Duration.ofNanos(System.nanoTime() - begun).toMillis();

    // The first time, twenty times a second for what does not fit, and once because it is old.
    assertThat(asked() - before).isBetween(1L, 3 + spent / 50 + spent / 1_000);
  }

  private static long asked() {
    return Pattern.compile("cmdstat_hmget:calls=(\\d+)")
        .matcher(redis.command("INFO", "commandstats"))
        .results()
        .mapToLong(each -> Long.parseLong(each.group(1)))
        .sum();
  }

  @Test
  void renewWhenKeyStaysThenLivesLonger() {
    SecurityContext mine = kept();
    SecurityContext longer = renewed(mine, null, 0);
    assertThat(one.contexts().renew(longer)).isEqualTo(new ContextStore.WriteOutcome.Stored());
    clock.advance(Duration.ofMinutes(12));
    assertThat(one.contexts().find(mine.identifier(), null)).isSameAs(longer);
    assertSame(found(other, longer), longer);
    assertThat(one.contexts().live()).isEqualTo(1);
  }

  @Test
  void renewWhenItHasEndedAMomentAgoThenItLivesOnUnderItsNewKeyInBothGateways() {
    SecurityContext mine = kept();
    clock.advance(Duration.ofMinutes(11));
    assertThat(one.contexts().find(mine.identifier(), null)).isNull();
    SecurityContext left = other.contexts().renewable(mine.identifier());
    assertThat(left).isNotNull();
    assertThat(left.owner()).isEqualTo(mine.owner());
    SecurityContext second = renewed(mine, "b", 7);

    assertThat(other.contexts().renew(second)).isEqualTo(new ContextStore.WriteOutcome.Stored());

    assertSame(found(other, second), second);
    Eventually.holds(
        "the other gateway asks again", () -> one.contexts().find(mine.identifier(), "b") != null);
    assertThat(one.contexts().find(mine.identifier(), null)).isNull();
    other.contexts().end(second);
    Eventually.holds("nothing is left", () -> one.contexts().renewable(mine.identifier()) == null);
  }

  /** What Redis does a minute after the end, and each gateway in a second. */
  private static void forgotten(SecurityContext context) {
    redis.command("DEL", RedisScripts.CONTEXT + context.identifier());
  }

  @Test
  void renewWhenItHasEndedHoursAgoThenItLivesOnAsOneInMemoryDoes() throws IOException {
    SecurityContext mine = kept();
    clock.advance(Duration.ofHours(7));
    forgotten(mine);
    SecurityContext left = other.contexts().renewable(mine.identifier());
    assertThat(left).isNotNull();
    assertThat(left.owner()).isEqualTo(mine.owner());
    assertThat(left.created()).isEqualTo(mine.created());
    assertThat(left.secret()).isNull();
    assertThat(other.contexts().find(mine.identifier(), null)).isNull();
    SecurityContext second = renewed(mine, "b", 7, clock.instant().plusSeconds(60));

    assertThat(other.contexts().renew(second)).isEqualTo(new ContextStore.WriteOutcome.Stored());

    assertSame(found(other, second), second);
    RedisStore third = gateway(keys);
    assertSame(found(third, second), second);
    other.contexts().end(second);
    assertThat(gateway(keys).contexts().renewable(mine.identifier())).isNull();
    assertThat(third.contexts().renew(renewed(second, "c", 8)))
        .isEqualTo(new ContextStore.WriteOutcome.Unknown());
  }

  @Test
  void renewableWhenOneLetsManyEndThenItsLatestAreRememberedAndThoseOfOthers() {
    SecurityContext others = context(new Caller.Username("grace"));
    one.contexts().keep(others);
    List<SecurityContext> all = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      all.add(kept());
      clock.advance(Duration.ofMinutes(11));
    }
    all.forEach(RedisStoreIT::forgotten);
    forgotten(others);
    assertThat(other.contexts().renewable(all.getFirst().identifier())).isNull();
    assertThat(other.contexts().renewable(all.get(40).identifier())).isNull();
    assertThat(other.contexts().renewable(all.get(60).identifier())).isNotNull();
    assertThat(other.contexts().renewable(others.identifier())).isNotNull();
  }

  /** It has no secret, so whoever knows that could sign with it. */
  @Test
  void findWhenSomebodyPutsTheRestInPlaceOfTheContextThenRefusesIt() {
    SecurityContext mine = kept();
    redis.command(
        "EVAL",
        "return redis.call('HSET', KEYS[1], 'current', redis.call('GET', KEYS[2]))",
        "2",
        RedisScripts.CONTEXT + mine.identifier(),
        RedisScripts.REST + mine.identifier());
    assertThatThrownBy(() -> other.contexts().find(mine.identifier(), null))
        .isInstanceOf(Surroundings.Unavailable.class);
  }

  @Test
  void renewWhenOwnerHasTooManyMeanwhileThenOneThatEndedDoesNotComeBack() {
    SecurityContext mine = kept();
    clock.advance(Duration.ofMinutes(11));
    kept();
    kept();
    assertThat(one.contexts().renew(renewed(mine, "b", 7)))
        .isEqualTo(new ContextStore.WriteOutcome.TooMany(true));
  }

  private List<Findings.Once> once(int... values) {
    List<Findings.Once> all = new ArrayList<>();
    for (int value : values) {
      byte[] digest = new byte[32];
      digest[31] = (byte) value;
      all.add(new Findings.Once(digest, clock.instant().plus(Duration.ofMinutes(6))));
    }
    return all;
  }

  @Test
  void markWhenAnotherGatewayTookTheMessageThenIsAReplayHere() {
    assertThat(one.replays().mark(once(1))).isEqualTo(new ReplayCache.Mark.First());
    assertThat(other.replays().mark(once(1))).isEqualTo(new ReplayCache.Mark.Replay());
    assertThat(one.replays().mark(once(1))).isEqualTo(new ReplayCache.Mark.Replay());
    assertThat(other.replays().mark(once(2, 1))).isEqualTo(new ReplayCache.Mark.Replay());
    assertThat(other.replays().mark(once(3, 4))).isEqualTo(new ReplayCache.Mark.First());
    long left =
        Long.parseLong(
            redis.command(
                "EVAL", "return redis.call('PTTL', redis.call('KEYS', '*mark*')[1])", "0"));
    assertThat(left)
        .isGreaterThan(0)
        .isLessThanOrEqualTo(Duration.ofMinutes(6).plusSeconds(10).toMillis());
  }

  @Test
  void markWhenRedisHasLostItsMemoryThenWhatWasMadeBeforeIsTooOld() throws IOException {
    assertThat(one.replays().mark(once(9))).isEqualTo(new ReplayCache.Mark.First());
    assertThat(one.replays().since()).isEqualTo(START);
    clock.advance(Duration.ofMinutes(1));
    redis.command("FLUSHALL");

    for (RedisStore each : List.of(one, other)) {
      assertThat(each.replays().mark(once(9))).isInstanceOf(ReplayCache.Mark.Unavailable.class);
      assertThat(each.replays().since()).isEqualTo(START.plus(Duration.ofMinutes(1)));
    }
    assertThat(one.replays().mark(once(9))).isEqualTo(new ReplayCache.Mark.First());
    assertThat(other.replays().mark(once(9))).isEqualTo(new ReplayCache.Mark.Replay());
    clock.advance(Duration.ofMinutes(1));
    assertThat(gateway(keys).replays().since())
        .as("one that starts afterwards")
        .isEqualTo(START.plus(Duration.ofMinutes(1)));
  }

  @Test
  void markWhenRedisIsFullThenRefusesRatherThanForgets() {
    redis.command("CONFIG", "SET", "maxmemory", "1");
    try {
      assertThat(one.replays().mark(once(5))).isInstanceOf(ReplayCache.Mark.Unavailable.class);
      redis.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
      assertThat(one.replays().trouble()).contains("noeviction");
    } finally {
      redis.command("CONFIG", "SET", "maxmemory", "0");
      redis.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
    }
    assertThat(one.replays().trouble()).isNull();
  }

  @Test
  void everythingWhenRedisIsSlowThenFailsClosedAndComesBack() throws IOException {
    SecurityContext mine = kept();
    RedisStore hasty = gateway(keys, Duration.ofSeconds(1));
    SecurityContext unknownThere = context(new Caller.Username("grace"));
    redis.pause();
    try {
      assertThatThrownBy(() -> hasty.contexts().find(mine.identifier(), null))
          .isInstanceOf(Surroundings.Unavailable.class);
      assertThat(hasty.contexts().keep(unknownThere))
          .isInstanceOf(ContextStore.WriteOutcome.Unavailable.class);
      assertThat(hasty.contexts().end(mine))
          .isInstanceOf(ContextStore.CancelOutcome.Unavailable.class);
      assertThat(hasty.replays().mark(once(6))).isInstanceOf(ReplayCache.Mark.Unavailable.class);
      assertThat(hasty.contexts().trouble()).contains("does not answer");
    } finally {
      redis.resume();
    }
    Eventually.holds("Redis answers again", () -> hasty.contexts().trouble() == null);
    assertThat(other.replays().mark(once(7))).isEqualTo(new ReplayCache.Mark.First());
  }

  @Test
  void everythingWhenRedisIsKilledThenFailsClosedAndNewContextsComeAfterItsReturn() {
    SecurityContext mine = kept();
    found(other, mine);
    redis.kill();
    try {
      assertThatThrownBy(() -> other.contexts().find("urn:uuid:none", null))
          .isInstanceOf(Surroundings.Unavailable.class);
      Eventually.holds(
          "what is remembered grows old, and then nobody can say",
          () -> {
            try {
              other.contexts().find(mine.identifier(), null);
              return false;
            } catch (Surroundings.Unavailable e) {
              return true;
            }
          });
      assertThat(one.replays().mark(once(8))).isInstanceOf(ReplayCache.Mark.Unavailable.class);
    } finally {
      redis.restart();
    }
    // Its memory is gone, and with it the context.
    Eventually.holds(
        "the context is unknown", () -> other.contexts().find(mine.identifier(), null) == null);
    List<SecurityContext> there = new ArrayList<>();
    Eventually.holds(
        "endings are heard again",
        () -> {
          SecurityContext again = kept();
          there.add(found(other, again));
          one.contexts().end(again);
          return there.stream().anyMatch(each -> each.secret() == null);
        });
  }

  @Test
  void openWhenPasswordIsWrongThenSaysSoInOneLineWithoutIt() throws IOException {
    Path file = Files.writeString(shared.resolve("wrong"), "not-the-password\n");
    assertThatThrownBy(
            () ->
                RedisStore.open(
                    new RedisSettings(
                        "127.0.0.1", redis.port(), null, file, null, Duration.ofSeconds(10)),
                    keys,
                    LIMITS,
                    clock))
        .isInstanceOf(IOException.class)
        .hasMessageNotContaining("not-the-password")
        .message()
        .hasLineCount(1);
  }
}
