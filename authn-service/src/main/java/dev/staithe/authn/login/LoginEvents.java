package dev.staithe.authn.login;

/** Hears of every login, on the thread that logs in: it must not block for long, nor throw. */
@FunctionalInterface
public interface LoginEvents {
  /** A login has ended. */
  void happened(LoginEvent event);
}
