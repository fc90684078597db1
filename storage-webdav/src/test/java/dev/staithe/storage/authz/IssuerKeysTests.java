package dev.staithe.storage.authz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.MutableClock;
import dev.staithe.testkit.SigningKey;
import dev.staithe.testkit.SigningKey.Algorithm;
import dev.staithe.testkit.ThrowAwayAuthority;
import dev.staithe.testkit.TokenIssuer;
import dev.staithe.testkit.TokenIssuer.Answer;
import java.net.URI;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class IssuerKeysTests {
  private static final String METADATA = "/.well-known/openid-configuration";
  private static final String JWKS = "/jwks";

  /** Long, so that a slow machine does not fail what is not about waiting. */
  private static final KeyPolicy PATIENT = patience(Duration.ofSeconds(60));

  private final MutableClock clock = MutableClock.at(Instant.parse("2026-11-21T12:00:00Z"));
  private final TokenIssuer issuer = TokenIssuer.overHttp(clock);
  private final List<AutoCloseable> opened = new ArrayList<>(List.of(issuer));
  @TempDir Path folder;

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : opened.reversed()) {
      each.close();
    }
  }

  private record Door(TokenDoor door, IssuerKeys keys) {
    Identification show(TokenIssuer from) {
      return show(from.token().sign());
    }

    Identification show(String token) {
      return door.identify(List.of("Bearer " + token));
    }

    IssuerStatus status() {
      return keys.status().getFirst();
    }
  }

  private static TrustedIssuer trusted(String issuer, @Nullable URI jwks) {
    return new TrustedIssuer(issuer, Set.of("https://localhost"), true, false, jwks, true);
  }

  private Door door(TokenIssuer... issuers) throws NoSuchAlgorithmException {
    List<TrustedIssuer> all = new ArrayList<>();
    for (TokenIssuer each : issuers) {
      all.add(trusted(each.issuer(), null));
    }
    return door(all, SSLContext.getDefault(), PATIENT);
  }

  private Door door(List<TrustedIssuer> issuers, SSLContext ssl, KeyPolicy policy) {
    IssuerKeys keys = new IssuerKeys(issuers, Map.of(), ssl, policy, clock).start();
    opened.add(keys);
    return new Door(new TokenDoor(issuers, keys, clock), keys);
  }

  private static KeyPolicy patience(Duration patience) {
    return new KeyPolicy(Duration.ofHours(6), Duration.ofDays(2), Duration.ofMinutes(1), patience);
  }

  private static void assertGood(Identification identification) {
    assertThat(identification).isInstanceOf(Identification.Identified.class);
  }

  private static void assertUnavailable(Identification identification) {
    assertThat(identification)
        .isInstanceOfSatisfying(
            Identification.Unavailable.class,
            unavailable -> {
              assertThat(unavailable.reason()).contains("cannot be fetched now");
              assertThat(unavailable.retryAfterSeconds()).isBetween(1, 61);
            });
  }

  private long asked(TokenIssuer from, String path) {
    return from.requests().stream().filter(path::equals).count();
  }

  @Test
  void keysAreFetchedOverVerifiedHttps() {
    ThrowAwayAuthority authority = ThrowAwayAuthority.in(folder.resolve("good"), Clock.systemUTC());
    try (TokenIssuer secure = TokenIssuer.overHttps(authority, clock)) {
      Door door =
          door(
              List.of(TrustedIssuer.of(secure.issuer(), "https://localhost")),
              authority.clientContext(),
              PATIENT);

      assertGood(door.show(secure));
      assertThat(door.status())
          .isEqualTo(new IssuerStatus(secure.issuer(), 1, true, clock.instant(), null));
    }
  }

  @Test
  void anIssuerWithACertificateOfAnotherAuthorityIsNotBelieved() {
    ThrowAwayAuthority authority = ThrowAwayAuthority.in(folder.resolve("good"), Clock.systemUTC());
    ThrowAwayAuthority rogue = ThrowAwayAuthority.in(folder.resolve("rogue"), Clock.systemUTC());
    try (TokenIssuer impostor = TokenIssuer.overHttps(rogue, clock)) {
      Door door =
          door(
              List.of(TrustedIssuer.of(impostor.issuer(), "https://localhost")),
              authority.clientContext(),
              PATIENT);

      assertUnavailable(door.show(impostor));
      assertThat(door.status().lastError()).contains("TLS failed").doesNotContain("\n");
      assertThat(impostor.requests()).isEmpty();
    }
  }

  @Test
  void anIssuerThatIsDownAtTheStartIsFoundWhenItComesBack() throws Exception {
    issuer.goDown();
    Door door = door(issuer);

    assertUnavailable(door.show(issuer));
    assertThat(door.status().usable()).isFalse();
    assertThat(door.status().lastError()).contains("cannot connect");
    issuer.comeBack();
    clock.advance(Duration.ofMinutes(1));
    assertGood(door.show(issuer));
    assertThat(door.status().lastError()).isNull();
  }

  @Test
  void afterAFailureRequestsAreAnsweredAtOnceUntilTheNextTry() throws Exception {
    issuer.goDown();
    Door door =
        door(
            List.of(trusted(issuer.issuer(), null)),
            SSLContext.getDefault(),
            patience(Duration.ofDays(1)));
    Eventually.holds("the first try failed", () -> door.status().lastError() != null);
    issuer.comeBack();

    // A patience of a day: were it to wait for anything, this would never end.
    assertUnavailable(door.show(issuer));
    assertThat(issuer.requests()).isEmpty();
  }

  @Test
  void keysServeForTwoDaysWhileTheIssuerIsDownAndNoLonger() throws Exception {
    Door door = door(issuer);
    assertGood(door.show(issuer));
    issuer.goDown();

    clock.advance(Duration.ofHours(48).minusSeconds(1));
    assertGood(door.show(issuer));
    clock.advance(Duration.ofSeconds(1));
    assertUnavailable(door.show(issuer));
    assertThat(door.status().usable()).isFalse();
  }

  @Test
  void keysAreFetchedAnewAfterSixHoursWithoutDelayingARequest() throws Exception {
    Door door = door(issuer);
    assertGood(door.show(issuer));
    clock.advance(Duration.ofHours(6).minusSeconds(1));
    assertGood(door.show(issuer));
    assertThat(asked(issuer, JWKS)).isEqualTo(1);

    issuer.stall();
    clock.advance(Duration.ofSeconds(1));
    assertGood(door.show(issuer)); // while the issuer does not answer
    Eventually.holds("keys are asked for anew", () -> asked(issuer, METADATA) == 2);
    issuer.resume();
    Eventually.holds("keys are new", () -> clock.instant().equals(door.status().lastSuccess()));
  }

  @Test
  void aWithdrawnKeyIsForgottenWithTheNextFetch() throws Exception {
    Door door = door(issuer);
    SigningKey old = issuer.key();
    assertGood(door.show(issuer));
    issuer.rotate(Algorithm.ES256);
    assertGood(door.show(issuer));

    assertThat(door.show(issuer.token().signedBy(old).sign()))
        .isInstanceOf(Identification.Rejected.class);
  }

  @Test
  void aFloodOfUnknownKeysAsksTheIssuerOncePerMinute() throws Exception {
    Door door = door(issuer);
    assertGood(door.show(issuer));
    for (int i = 0; i < 50; i++) {
      assertThat(door.show(issuer.token().header("kid", "invented-" + i).sign()))
          .isInstanceOf(Identification.Rejected.class);
    }
    assertThat(asked(issuer, JWKS)).isEqualTo(2);

    clock.advance(Duration.ofMinutes(1));
    issuer.rotate(Algorithm.RS256);
    assertGood(door.show(issuer));
    assertThat(asked(issuer, JWKS)).isEqualTo(3);
  }

  @Test
  void anUnknownKeyWhileTheIssuerIsDownCannotBeJudged() throws Exception {
    Door door = door(issuer);
    assertGood(door.show(issuer));
    issuer.goDown();

    assertUnavailable(door.show(issuer.token().header("kid", "new").sign()));
    assertUnavailable(door.show(issuer.token().header("kid", "new").sign()));
    assertGood(door.show(issuer));
  }

  @Test
  void anIssuerThatNeverAnswersDelaysNobodyElsesRequest() throws Exception {
    TokenIssuer stalled = TokenIssuer.overHttp(clock);
    opened.add(stalled);
    stalled.stall();
    List<TrustedIssuer> both =
        List.of(trusted(stalled.issuer(), null), trusted(issuer.issuer(), null));
    Door door = door(both, SSLContext.getDefault(), patience(Duration.ofDays(1)));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Identification> waiting = threads.submit(() -> door.show(stalled));
      Eventually.holds("the stalled one is asked", () -> !stalled.requests().isEmpty());

      assertGood(door.show(issuer));
      assertThat(waiting).isNotDone();
      stalled.resume();
      assertGood(waiting.get());
    }
  }

  @Test
  void aRequestWaitsNoLongerThanThePatience() throws Exception {
    issuer.stall();
    Door door =
        door(
            List.of(trusted(issuer.issuer(), null)),
            SSLContext.getDefault(),
            patience(Duration.ofMillis(50)));

    assertUnavailable(door.show(issuer)); // though the issuer still does not answer
  }

  @Test
  void requestsThatWaitTogetherAskTheIssuerOnce() throws Exception {
    issuer.stall();
    Door door =
        door(
            List.of(trusted(issuer.issuer(), null)),
            SSLContext.getDefault(),
            patience(Duration.ofMillis(200)));
    String token = issuer.token().sign();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<Identification> request = () -> door.show(token);
      for (Future<Identification> each : threads.invokeAll(Collections.nCopies(8, request))) {
        assertUnavailable(each.get());
      }
    }
    issuer.resume();

    Eventually.holds("keys are there", () -> door.status().usable());
    assertThat(issuer.requests()).containsExactly(METADATA, JWKS);
  }

  @Test
  void aKeySetThatRedirectsToAnotherOriginIsNotFollowed() throws Exception {
    TokenIssuer internal = TokenIssuer.overHttp(clock);
    opened.add(internal);
    for (String target :
        List.of(
            internal.issuer() + JWKS,
            "http://127.0.0.1:" + issuer.port() + JWKS,
            "http://169.254.169.254/latest/meta-data",
            "file:///etc/passwd",
            "//127.0.0.1:1/jwks",
            "http://user@localhost:" + issuer.port() + JWKS)) {
      issuer.answer(JWKS, new Answer(302, Map.of("Location", target), ""));
      Door door = door(issuer);

      assertUnavailable(door.show(issuer));
      assertThat(door.status().lastError()).contains("redirects to another origin");
    }
    assertThat(internal.requests()).isEmpty();
  }

  @Test
  void aRedirectWithinTheIssuersOriginIsFollowedAFewTimes() throws Exception {
    issuer.answer(JWKS, new Answer(307, Map.of("Location", "/keys"), ""));
    issuer.answer("/keys", new Answer(200, Map.of(), issuer.keySet()));
    assertGood(door(issuer).show(issuer));

    issuer.answer("/keys", new Answer(307, Map.of("Location", JWKS), ""));
    Door circle = door(issuer);
    assertUnavailable(circle.show(issuer));
    assertThat(circle.status().lastError()).contains("redirects more than 3 times");
  }

  @Test
  void metadataOfAnotherIssuerOrWithAnUnsafeKeyAddressIsRefused() throws Exception {
    for (Map<String, Object> metadata :
        List.<Map<String, Object>>of(
            Map.of("issuer", "https://other.example", "jwks_uri", issuer.issuer() + JWKS),
            Map.of("issuer", issuer.issuer() + "/", "jwks_uri", issuer.issuer() + JWKS),
            Map.of("jwks_uri", issuer.issuer() + JWKS),
            Map.of("issuer", issuer.issuer()),
            Map.of("issuer", issuer.issuer(), "jwks_uri", "http://10.0.0.1/jwks"),
            Map.of("issuer", issuer.issuer(), "jwks_uri", "file:///etc/passwd"),
            Map.of("issuer", issuer.issuer(), "jwks_uri", "/jwks"),
            Map.of("issuer", issuer.issuer(), "jwks_uri", "https://"),
            Map.of("issuer", issuer.issuer(), "jwks_uri", 7))) {
      issuer.answer(METADATA, new Answer(200, Map.of(), JSONObjectUtils.toJSONString(metadata)));
      Door door = door(issuer);

      assertUnavailable(door.show(issuer));
      assertThat(asked(issuer, JWKS)).as(metadata.toString()).isZero();
      assertThat(door.status().lastError()).doesNotContain("\n");
    }
  }

  @Test
  void answersThatAreNoKeySetAreRefusedInOneLine() throws Exception {
    for (Answer answer :
        List.of(
            new Answer(500, Map.of(), issuer.keySet()),
            new Answer(204, Map.of(), ""),
            new Answer(200, Map.of(), ""),
            new Answer(200, Map.of(), "null"),
            new Answer(200, Map.of(), "<html>\n</html>"),
            new Answer(200, Map.of(), "{\"keys\":[]}"),
            new Answer(
                200,
                Map.of(),
                issuer.keySet() + " ".repeat((1 << 20) - issuer.keySet().length() + 1)))) {
      issuer.answer(JWKS, answer);
      Door door = door(issuer);

      assertUnavailable(door.show(issuer));
      assertThat(door.status().lastError()).contains(JWKS).doesNotContain("\n");
    }
    issuer.answer(JWKS, new Answer(200, Map.of(), issuer.keySet() + " ".repeat(1000)));
    assertGood(door(issuer).show(issuer));
  }

  @Test
  void theMetadataOfRfc8414IsUsedWhereThereIsNoOpenIdConfiguration() throws Exception {
    String name = issuer.issuer() + "/tenant";
    issuer.answer(
        "/.well-known/oauth-authorization-server/tenant",
        new Answer(
            200,
            Map.of(),
            JSONObjectUtils.toJSONString(
                Map.of("issuer", name, "jwks_uri", issuer.issuer() + JWKS))));
    Door door = door(List.of(trusted(name, null)), SSLContext.getDefault(), PATIENT);

    assertGood(door.show(issuer.token().claim("iss", name).sign()));
    assertThat(issuer.requests())
        .containsExactly(
            "/tenant" + METADATA, "/.well-known/oauth-authorization-server/tenant", JWKS);
  }

  @Test
  void whereTheKeysAddressIsGivenMetadataIsNotAsked() throws Exception {
    Door door =
        door(
            List.of(trusted(issuer.issuer(), URI.create(issuer.issuer() + JWKS))),
            SSLContext.getDefault(),
            PATIENT);

    assertGood(door.show(issuer));
    assertThat(issuer.requests()).containsExactly(JWKS);
  }

  @Test
  void aFailureIsLoggedOncePerChangeOfStateAndInOneLine() throws Exception {
    ListAppender<ILoggingEvent> appender = new ListAppender<>();
    Logger logger = (Logger) LoggerFactory.getLogger(IssuerKeyring.class);
    appender.start();
    logger.addAppender(appender);
    try {
      issuer.goDown();
      Door door = door(issuer);
      for (int i = 0; i < 4; i++) {
        assertUnavailable(door.show(issuer));
        clock.advance(Duration.ofMinutes(1));
      }
      issuer.comeBack();
      assertGood(door.show(issuer));
    } finally {
      logger.detachAppender(appender);
    }

    assertThat(appender.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .contains(issuer.issuer())
                    .contains("cannot be fetched")
                    .doesNotContain("\n"),
            line -> assertThat(line).contains("1 keys fetched"));
  }

  @Test
  void closingAnswersThoseWhoWait() throws Exception {
    issuer.stall();
    Door door =
        door(
            List.of(trusted(issuer.issuer(), null)),
            SSLContext.getDefault(),
            patience(Duration.ofDays(1)));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Identification> waiting = threads.submit(() -> door.show(issuer));
      Eventually.holds("the issuer is asked", () -> !issuer.requests().isEmpty());
      door.keys().close();

      assertUnavailable(waiting.get());
    }
  }

  @Test
  void aFixedKeySetThatIsNoneIsRefusedWithItsIssuer() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new IssuerKeys(
                    List.of(TrustedIssuer.of("https://a.example", "x")),
                    Map.of("https://a.example", "{}"),
                    SSLContext.getDefault(),
                    PATIENT,
                    clock))
        .withMessageContaining("https://a.example");
  }

  @Test
  void timesOutsideTheProfileAreRefused() {
    Duration minute = Duration.ofMinutes(1);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new KeyPolicy(Duration.ofMinutes(59), Duration.ofDays(2), minute, minute));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new KeyPolicy(Duration.ofHours(6), Duration.ofDays(5), minute, minute));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new KeyPolicy(Duration.ofHours(30), Duration.ofDays(1), minute, minute));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new KeyPolicy(Duration.ofHours(6), Duration.ofDays(2), minute, Duration.ZERO));
  }
}
