package dev.staithe.authn.users;

/** On the embedded default. */
class JdbcUsersTests extends UserStoreContract {
  @Override
  TestStore newStore() {
    return TestStore.h2();
  }
}
