package dev.staithe.authn.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.persistence.Revocation;
import dev.staithe.authn.persistence.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class RevocationSetPropertyTests {
  /** Few ids, that collide in all ways, zeros included; few minutes. */
  record Step(SessionId id, int minute, boolean add, int forget) {}

  @Provide
  Arbitrary<List<Step>> steps() {
    Arbitrary<Long> half = Arbitraries.longs().between(-3, 3);
    Arbitrary<SessionId> ids =
        Arbitraries.oneOf(
            Combinators.combine(half, half).as(SessionId::new),
            Combinators.combine(Arbitraries.longs(), half).as(SessionId::new));
    return Combinators.combine(
            ids,
            Arbitraries.integers().between(0, 5),
            Arbitraries.of(true, true, true, false),
            Arbitraries.integers().between(0, 8))
        .as(Step::new)
        .list()
        .ofMaxSize(300);
  }

  @Property(tries = 500)
  void isTheSetThatAModelIs(@ForAll("steps") List<Step> steps) {
    var set = new RevocationSet();
    Map<SessionId, Map<Integer, Boolean>> model = new HashMap<>();
    for (Step step : steps) {
      Instant expires = TestTime.START.plusSeconds(step.minute * 60L + 7);
      if (step.add) {
        boolean news = set.add(new Revocation.OfSession(step.id, expires));
        boolean known =
            model.computeIfAbsent(step.id, id -> new HashMap<>()).put(step.minute, true) != null;
        assertThat(news).isEqualTo(!known);
      } else {
        set.forget(TestTime.START.plus(Duration.ofMinutes(step.forget)));
        model.values().forEach(minutes -> minutes.keySet().removeIf(m -> m <= step.forget - 2));
      }
    }

    int size = 0;
    for (Map.Entry<SessionId, Map<Integer, Boolean>> each : model.entrySet()) {
      size += each.getValue().size();
      for (int minute = 0; minute <= 5; minute++) {
        assertThat(set.contains(each.getKey(), TestTime.START.plusSeconds(minute * 60L)))
            .isEqualTo(each.getValue().containsKey(minute));
      }
    }
    assertThat(set.size()).isEqualTo(size);
  }
}
