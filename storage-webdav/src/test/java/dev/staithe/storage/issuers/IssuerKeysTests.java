package dev.staithe.storage.issuers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.sun.management.HotSpotDiagnosticMXBean;
import dev.staithe.storage.authz.Identification;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.trust.SigningKey;
import dev.staithe.testkit.trust.SigningKey.Algorithm;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** How long keys serve, when they are fetched anew, and who waits for that. */
class IssuerKeysTests extends IssuerKeysFixture {
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
    String remembered = issuer.token().sign();
    for (int i = 0; i < 3; i++) {
      assertGood(door.show(remembered));
    }
    issuer.rotate(Algorithm.ES256);
    assertGood(door.show(issuer));

    assertThat(door.show(issuer.token().signedBy(old).sign()))
        .isInstanceOf(Identification.Refused.class);
    assertThat(door.show(remembered)).isInstanceOf(Identification.Refused.class);
  }

  @Test
  void fixedKeysAreReadAgainWhenTheirFileChangesAndADamagedOneChangesNothing() throws Exception {
    Path file = Files.writeString(folder.resolve("keys.json"), issuer.keySet());
    IssuerKeys keys =
        new IssuerKeys(
            List.of(trusted(issuer.issuer(), null)),
            Map.of(issuer.issuer(), file),
            Duration.ZERO,
            SSLContext.getDefault(),
            PATIENT,
            clock);
    opened.add(keys);
    Door door = new Door(new TokenDoor(List.of(trusted(issuer.issuer(), null)), keys, clock), keys);
    String old = issuer.token().sign();
    assertGood(door.show(old));
    assertGood(door.show(old));

    Files.writeString(file, "{\"keys\": [");
    keys.lookAtFiles();
    assertGood(door.show(old));
    assertThat(door.status().lastError()).isEqualTo(file + ": the key set is not JSON");

    issuer.rotate(Algorithm.ES256);
    Files.writeString(file, issuer.keySet());
    keys.lookAtFiles();
    assertThat(door.show(old)).isInstanceOf(Identification.Refused.class);
    assertGood(door.show(issuer));
    assertThat(door.status().lastError()).isNull();
  }

  @Test
  void aFloodOfUnknownKeysAsksTheIssuerOncePerMinute() throws Exception {
    Door door = door(issuer);
    assertGood(door.show(issuer));
    for (int i = 0; i < 50; i++) {
      assertThat(door.show(issuer.token().header("kid", "invented-" + i).sign()))
          .isInstanceOf(Identification.Refused.class);
      Trials.held();
    }
    assertThat(asked(issuer, JWKS)).isEqualTo(2);

    clock.advance(Duration.ofMinutes(1));
    issuer.rotate(Algorithm.RS256);
    assertGood(door.show(issuer));
    assertThat(asked(issuer, JWKS)).isEqualTo(3);
  }

  @Test
  void alsoTheNextMinutesFloodAsksOnce() throws Exception {
    Door door = door(issuer);
    assertGood(door.show(issuer));
    for (int minute = 1; minute <= 3; minute++) {
      for (int i = 0; i < 5; i++) {
        assertThat(door.show(issuer.token().header("kid", minute + "-" + i).sign()))
            .isInstanceOf(Identification.Refused.class);
      }
      assertThat(asked(issuer, JWKS)).isEqualTo(1 + minute);
      clock.advance(Duration.ofMinutes(1));
    }
  }

  @Test
  void requestsWithANewKeyWaitForOneFetchTogether() throws Exception {
    Door door = door(issuer);
    assertGood(door.show(issuer));
    issuer.rotate(Algorithm.ES256);
    issuer.stall();
    List<String> tokens =
        IntStream.range(0, 8).mapToObj(i -> issuer.token().subject("s" + i).sign()).toList();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Identification>> waiting =
          tokens.stream().map(token -> threads.submit(() -> door.show(token))).toList();
      Eventually.holds("keys are asked for anew", () -> asked(issuer, METADATA) == 2);
      issuer.resume();
      for (Future<Identification> each : waiting) {
        assertGood(each.get());
      }
    }
    assertThat(asked(issuer, JWKS)).isEqualTo(2);
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

  /** As where the machine starts with a wrong clock, by which no certificate is good. */
  @Test
  void anIssuerThatFailedWhileTheClockWasAheadIsAskedOnceItIsRight() throws Exception {
    clock.advance(Duration.ofDays(30));
    issuer.goDown();
    Door door = door(issuer);
    assertUnavailable(door.show(issuer));
    issuer.comeBack();

    clock.advance(Duration.ofDays(-30));
    assertGood(door.show(issuer));
  }

  @Test
  void keysThatWereFetchedWhileTheClockWasAheadAreFetchedAnewOnceItIsRight() throws Exception {
    clock.advance(Duration.ofDays(30));
    Door door = door(issuer);
    assertGood(door.show(issuer));
    assertThat(door.show(issuer.token().header("kid", "invented").sign()))
        .isInstanceOf(Identification.Refused.class);

    clock.advance(Duration.ofDays(-30));
    assertGood(door.show(issuer));
    Eventually.holds("keys are new", () -> clock.instant().equals(door.status().lastSuccess()));
    issuer.rotate(Algorithm.ES256);
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
  void theThreadsEndWithTheKeys() throws Exception {
    Door door = door(issuer);
    assertGood(door.show(issuer));
    assertThat(threads()).contains("keys of " + issuer.issuer());

    door.keys().close();
    assertThat(threads()).doesNotContain("keys of " + issuer.issuer());
  }

  private String threads() throws IOException {
    Path dump = folder.resolve("threads");
    Files.deleteIfExists(dump);
    ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
        .dumpThreads(dump.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
    return Files.readString(dump);
  }

  @Test
  void aFixedKeySetThatIsNoneIsRefusedWithItsIssuer() throws IOException {
    Path file = Files.writeString(folder.resolve("keys.json"), "{}");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new IssuerKeys(
                    List.of(TrustedIssuer.of("https://a.example", "x")),
                    Map.of("https://a.example", file),
                    Duration.ZERO,
                    SSLContext.getDefault(),
                    PATIENT,
                    clock))
        .withMessage("issuer https://a.example: " + file + ": the key set has no member keys");
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
