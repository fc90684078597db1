package dev.staithe.authn.users;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** On what several nodes share. */
class JdbcUsersOnPostgresIT extends UserStoreContract {
  private static PostgresStores stores;

  @BeforeAll
  static void start() {
    stores = new PostgresStores();
  }

  @AfterAll
  static void stop() {
    stores.close();
  }

  @Override
  TestStore newStore() {
    return stores.newStore();
  }
}
