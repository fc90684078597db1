package dev.staithe.delegation;

import dev.staithe.delegation.key.KeyPool;
import dev.staithe.delegation.store.DelegationStore;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.dao.DataAccessException;

/** Whether the store answers; how many keys are in stock beside it. */
final class StoreHealth implements HealthIndicator {
  private final DelegationStore store;
  private final KeyPool pool;

  StoreHealth(DelegationStore store, KeyPool pool) {
    this.store = store;
    this.pool = pool;
  }

  @Override
  public Health health() {
    Health.Builder health = Health.up();
    try {
      store.check();
    } catch (DataAccessException e) {
      health = Health.down().withDetail("error", "the database does not answer; the log says why");
    }
    return health
        .withDetail("keysStocked", pool.stocked())
        .withDetail("keysMissed", pool.missed())
        .build();
  }
}
