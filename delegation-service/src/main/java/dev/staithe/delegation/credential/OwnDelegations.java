package dev.staithe.delegation.credential;

import dev.staithe.delegation.store.DelegationRow;
import dev.staithe.delegation.store.DelegationStore;
import dev.staithe.delegation.store.RuleRow;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** What owners do with what they delegated. Thread-safe. */
final class OwnDelegations {
  private final DelegationStore store;
  private final SealedKeys sealed;
  private final Clock clock;

  OwnDelegations(DelegationStore store, SealedKeys sealed, Clock clock) {
    this.store = store;
    this.sealed = sealed;
    this.clock = clock;
  }

  DelegationRow look(Actor actor, DelegationId id) throws Refusal {
    return visible(actor, store.find(actor.name(), id.text())).orElseThrow(OwnDelegations::none);
  }

  List<DelegationRow> list(Actor actor) {
    Instant now = clock.instant();
    return store.ofOwner(actor.name()).stream()
        .filter(row -> DelegationRequests.lives(row, now) && actor.mayChange(row))
        .toList();
  }

  DelegationRow allow(Actor actor, DelegationId id, RuleRow rules) throws Refusal {
    return RowChange.together(
        store,
        () -> {
          DelegationRow row =
              visible(actor, store.lock(actor.name(), id.text())).orElseThrow(OwnDelegations::none);
          DelegationRow other = sealed.seal(row.with(rules), row);
          store.replace(other);
          return other;
        });
  }

  /** Forgets it, and what was delegated through it: whose ids are given back. */
  List<String> destroy(Actor actor, DelegationId id) throws Refusal {
    Optional<List<String>> gone = store.together(() -> destroyTogether(actor, id));
    return gone.orElseThrow(OwnDelegations::none);
  }

  private Optional<List<String>> destroyTogether(Actor actor, DelegationId id) {
    boolean asked = store.removeRequests(actor.name(), id.text(), actor.through());
    if (visible(actor, store.lock(actor.name(), id.text())).isEmpty()) {
      return asked ? Optional.of(List.of()) : Optional.empty();
    }
    List<String> below = new ArrayList<>();
    Deque<String> left = new ArrayDeque<>(List.of(id.text()));
    while (!left.isEmpty()) {
      String next = left.pop();
      for (String each : store.through(actor.name(), next)) {
        if (!below.contains(each) && !each.equals(id.text())) {
          below.add(each);
          left.add(each);
        }
      }
      store.remove(actor.name(), next);
    }
    return Optional.of(below);
  }

  private Optional<DelegationRow> visible(Actor actor, Optional<DelegationRow> found) {
    Instant now = clock.instant();
    return found.filter(row -> DelegationRequests.lives(row, now) && actor.mayChange(row));
  }

  private static Refusal none() {
    return Refusal.unknown("the caller has none of this id");
  }
}
