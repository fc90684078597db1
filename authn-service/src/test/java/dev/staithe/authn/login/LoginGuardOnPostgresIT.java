package dev.staithe.authn.login;

import dev.staithe.authn.users.PostgresStores;
import dev.staithe.authn.users.TestStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** On what several nodes share. */
class LoginGuardOnPostgresIT extends LoginGuardContract {
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
