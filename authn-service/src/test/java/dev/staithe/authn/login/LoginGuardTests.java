package dev.staithe.authn.login;

import dev.staithe.authn.users.TestStore;

/** On the embedded default. */
class LoginGuardTests extends LoginGuardContract {
  @Override
  TestStore newStore() {
    return TestStore.h2();
  }
}
