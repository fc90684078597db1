package dev.staithe.authn.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.persistence.Assurance;
import dev.staithe.authn.persistence.MemorySessions;
import dev.staithe.authn.persistence.Session;
import dev.staithe.authn.persistence.SessionId;
import dev.staithe.authn.session.LastUses.Use;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** The contract of {@link LastUses} over random schedules of uses on several nodes. */
class LastUsesPropertyTests {
  private static final long IDLE = 100_000;
  private static final long G = IDLE / 10;

  /**
   * A use after a pause.
   *
   * @param pause in ms
   * @param node which node is asked
   * @param write whether that node's thread comes by before the use
   */
  record Step(long pause, int node, boolean write) {}

  @Provide
  Arbitrary<List<Step>> steps() {
    Arbitrary<Long> pauses =
        Arbitraries.oneOf(
            Arbitraries.longs().between(0, 600),
            Arbitraries.longs().between(0, 2 * G),
            Arbitraries.longs().between(IDLE / 2 - 600, IDLE / 2 + 600),
            Arbitraries.longs().between(IDLE - G - 600, IDLE + 600));
    return Combinators.combine(
            pauses, Arbitraries.integers().between(0, 2), Arbitraries.of(true, false))
        .as(Step::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(60);
  }

  @Property(tries = 3000)
  void idleSessionIsRefusedAndUsedOneIsNot(
      @ForAll("steps") List<Step> steps, @ForAll @IntRange(min = 1, max = 3) int nodes) {
    var time = new TestTime();
    var store = new FaultyStore(new MemorySessions(time.clock));
    SessionToken token =
        new SessionToken(
            SessionId.random(TestTokens.RANDOM),
            1,
            "anna",
            Assurance.PASSWORD,
            TestTime.START,
            TestTime.START.plus(Duration.ofDays(1)),
            Duration.ofMillis(IDLE));
    store.open(
        new Session(
            token.id(),
            "anna",
            token.issued(),
            token.expires(),
            token.issued(),
            Assurance.PASSWORD,
            "",
            ""),
        Duration.ZERO);
    List<LastUses> uses = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      uses.add(new LastUses(store, Duration.ofSeconds(1), time::nanos));
    }
    // When each node's thread has to have come by.
    long[] due = new long[nodes];
    Arrays.fill(due, Long.MAX_VALUE);
    Instant last = token.issued();

    for (Step step : steps) {
      int node = step.node % nodes;
      time.pass(Duration.ofMillis(step.pause));
      long now = time.clock.millis();
      for (int i = 0; i < nodes; i++) {
        if (due[i] <= now || i == node && step.write) {
          uses.get(i).write();
          due[i] = Long.MAX_VALUE;
        }
      }
      long unused = Duration.between(last, time.clock.instant()).toMillis();

      Use use = uses.get(node).use(token, now);

      if (unused >= IDLE) {
        assertThat(use).as("not used for %d ms", unused).isEqualTo(Use.IDLE);
      } else if (unused <= IDLE - G) {
        assertThat(use).as("used %d ms ago", unused).isEqualTo(Use.GOOD);
      }
      if (use == Use.GOOD) {
        last = time.clock.instant();
        due[node] = Math.min(due[node], now + LastUses.FLUSH.toMillis());
      }
    }
    // At most one write per node, session and g.
    long lasted = Duration.between(token.issued(), time.clock.instant()).toMillis();
    uses.forEach(LastUses::write);
    assertThat((long) store.touches.get()).isLessThanOrEqualTo(nodes * (lasted / G));
  }
}
