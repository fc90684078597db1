package dev.staithe.authn.login;

import dev.staithe.authn.users.TestStore;
import java.time.Duration;

/** On the embedded default. */
class LoginGuardTests extends LoginGuardContract {
  @Override
  TestStore newStore() {
    return TestStore.h2();
  }

  @Override
  Duration attack() {
    return Duration.ofHours(24);
  }
}
