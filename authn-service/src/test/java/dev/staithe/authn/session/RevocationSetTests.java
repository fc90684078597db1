package dev.staithe.authn.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.persistence.Assurance;
import dev.staithe.authn.persistence.Revocation;
import dev.staithe.authn.persistence.SessionId;
import dev.staithe.authn.session.RevocationSet.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RevocationSetTests {
  private static final Instant START = TestTime.START;

  private final RevocationSet set = new RevocationSet();
  private final SessionToken token = TestTokens.token("anna");

  RevocationSetTests() {
    set.epoch(token.epoch());
  }

  private static Revocation.OfSession endOf(SessionToken token) {
    return new Revocation.OfSession(token.id(), token.expires());
  }

  @Test
  void endedSessionIsEndedAndItsNeighboursAreNot() {
    assertThat(set.of(token)).isEqualTo(Status.GOOD);
    assertThat(set.add(endOf(token))).isTrue();
    assertThat(set.add(endOf(token))).isFalse();

    assertThat(set.of(token)).isEqualTo(Status.ENDED);
    SessionId id = token.id();
    for (SessionId other :
        List.of(
            new SessionId(id.high(), id.low() + 1),
            new SessionId(id.high() + 1, id.low()),
            new SessionId(id.low(), id.high()))) {
      assertThat(set.of(TestTokens.token(other, "anna", START, Duration.ofHours(2))))
          .isEqualTo(Status.GOOD);
    }
    assertThat(set.size()).isOne();
  }

  @Test
  void tokenOfAnotherEpochIsNotGood() {
    set.epoch(token.epoch() + 1);

    assertThat(set.of(token)).isEqualTo(Status.OTHER_EPOCH);
  }

  @Test
  void sessionsOfAUserBegunBeforeTheTimeAreEndedToTheMillisecond() {
    set.add(new Revocation.OfUser("anna", START.plusMillis(5), START.plusSeconds(7200)));

    assertThat(set.of(at("anna", 4))).isEqualTo(Status.ENDED);
    assertThat(set.of(at("anna", 5))).isEqualTo(Status.GOOD);
    assertThat(set.of(at("bert", 4))).isEqualTo(Status.GOOD);
  }

  @Test
  void olderEndOfAUserDoesNotUndoANewerOne() {
    set.add(new Revocation.OfUser("anna", START.plusMillis(5), START.plusSeconds(7200)));
    set.add(new Revocation.OfUser("anna", START.plusMillis(3), START.plusSeconds(60)));

    assertThat(set.of(at("anna", 4))).isEqualTo(Status.ENDED);
    set.forget(START.plusSeconds(600));
    assertThat(set.of(at("anna", 4))).isEqualTo(Status.ENDED);
  }

  private static SessionToken at(String subject, int millis) {
    return new SessionToken(
        SessionId.random(TestTokens.RANDOM),
        0x0123456789abcdefL,
        subject,
        Assurance.PASSWORD,
        START.plusMillis(millis),
        START.plusSeconds(7200),
        Duration.ofMinutes(30));
  }

  @Test
  void tablesAreDroppedAMinuteAfterTheirOwn() {
    List<SessionToken> tokens = new ArrayList<>();
    for (int minute = 1; minute <= 10; minute++) {
      SessionToken each =
          TestTokens.token(
              SessionId.random(TestTokens.RANDOM), "anna", START, Duration.ofMinutes(minute));
      tokens.add(each);
      set.add(endOf(each));
    }
    long full = set.bytes();

    // Those that expire at 12:01 lie in the minute that is over at 12:02, and go at 12:03.
    set.forget(START.plusSeconds(3 * 60 - 1));
    assertThat(set.size()).isEqualTo(10);
    set.forget(START.plusSeconds(3 * 60));
    assertThat(set.size()).isEqualTo(9);
    set.forget(START.plusSeconds(7 * 60));
    assertThat(set.size()).isEqualTo(5);
    assertThat(set.bytes()).isEqualTo(full / 2);
    for (SessionToken each : tokens.subList(5, 10)) {
      assertThat(set.of(each)).isEqualTo(Status.ENDED);
    }
  }

  @Test
  void afterAClockThatCameBackNothingThatWasForgottenIsGoodAgain() {
    SessionToken neighbour = TestTokens.token("bert");
    set.add(endOf(token));
    set.add(new Revocation.OfUser("carl", START.plusMillis(1), START.plusSeconds(9000)));
    SessionToken carls =
        TestTokens.token(
            SessionId.random(TestTokens.RANDOM), "carl", START, Duration.ofSeconds(9000));
    set.forget(START.plus(Duration.ofDays(1)));

    assertThat(set.size()).isZero();
    assertThat(set.of(token)).isEqualTo(Status.FORGOTTEN);
    assertThat(set.of(neighbour)).isEqualTo(Status.FORGOTTEN);
    assertThat(set.of(carls)).isEqualTo(Status.FORGOTTEN);

    set.add(endOf(token));
    set.reloaded();
    assertThat(set.of(token)).isEqualTo(Status.ENDED);
    assertThat(set.of(neighbour)).isEqualTo(Status.GOOD);
  }

  private static RevocationSet holding(Revocation... entries) {
    var holding = new RevocationSet();
    holding.addAll(List.of(entries));
    return holding;
  }

  @Test
  void lackingIsWhatTheOtherDoesNotHave() {
    SessionToken other = TestTokens.token("bert");
    var ofAnna = new Revocation.OfUser("anna", START.plusMillis(9), START.plusSeconds(7200));
    set.addAll(List.of(endOf(token), endOf(other), ofAnna));

    assertThat(set.lacking(holding(endOf(token), endOf(other), ofAnna))).isEmpty();
    List<Revocation> lacking =
        set.lacking(
            holding(
                endOf(other),
                new Revocation.OfUser("anna", START.plusMillis(8), START.plusSeconds(7200))));
    assertThat(lacking).hasSize(2).contains(ofAnna);

    var told = new RevocationSet();
    told.epoch(token.epoch());
    told.addAll(lacking);
    assertThat(told.of(token)).isEqualTo(Status.ENDED);
    assertThat(told.of(other)).isEqualTo(Status.GOOD);
  }

  @Test
  void sizeInMemoryStaysNearThirtyBytesPerEntry() {
    List<Revocation> many = new ArrayList<>();
    for (int i = 0; i < 200_000; i++) {
      many.add(
          new Revocation.OfSession(
              SessionId.random(TestTokens.RANDOM), START.plusSeconds(60 + i % 7200)));
    }
    set.addAll(many);

    assertThat(set.size()).isEqualTo(200_000);
    assertThat(set.bytes()).isBetween(200_000L * 24, 200_000L * 48);
    assertThat(many).allMatch(each -> set.contains(idOf(each), each.expires()));
  }

  private static SessionId idOf(Revocation revocation) {
    return ((Revocation.OfSession) revocation).id();
  }

  @Test
  void whatOneThreadHasAddedEveryReaderSeesWhileTablesGrowAndGo()
      throws InterruptedException, ExecutionException {
    int count = 100_000;
    List<Revocation.OfSession> ends = new ArrayList<>();
    List<SessionToken> never = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ends.add(
          new Revocation.OfSession(
              SessionId.random(TestTokens.RANDOM), START.plusSeconds(600 + i % 600)));
      if (i < 1000) {
        never.add(TestTokens.token("anna"));
      }
    }
    var added = new AtomicInteger();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<Integer>> readers = new ArrayList<>();
      for (int reader = 0; reader < 3; reader++) {
        int seed = reader;
        readers.add(
            threads.submit(
                () -> {
                  var choice = new Random(seed);
                  int wrong = 0;
                  while (added.get() < count) {
                    int known = added.get();
                    if (known > 0) {
                      Revocation.OfSession end = ends.get(choice.nextInt(known));
                      wrong += set.contains(end.id(), end.expires()) ? 0 : 1;
                    }
                    SessionToken good = never.get(choice.nextInt(never.size()));
                    wrong += set.of(good) == Status.GOOD ? 0 : 1;
                  }
                  return wrong;
                }));
      }
      for (int i = 0; i < count; i++) {
        set.add(ends.get(i));
        added.set(i + 1);
        if (i % 1000 == 0) {
          // Minutes that are over come and go meanwhile.
          set.add(new Revocation.OfSession(ends.get(i).id(), START.minusSeconds(600 + i)));
          set.forget(START);
        }
      }
      for (Future<Integer> reader : readers) {
        assertThat(reader.get()).isZero();
      }
    }
    assertThat(set.size()).isEqualTo(count);
  }
}
