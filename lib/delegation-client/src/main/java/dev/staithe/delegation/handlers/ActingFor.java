package dev.staithe.delegation.handlers;

import dev.staithe.delegation.client.Acquired;
import dev.staithe.pki.Credential;
import dev.staithe.pki.GridSubject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * In whose name the call that is being served may act further. Kept in memory only.
 *
 * @param credential proxy of that person with a key of our own
 * @param subject the person
 * @param notAfter when the proxy ends
 */
public record ActingFor(Credential credential, GridSubject subject, Instant notAfter) {
  ActingFor(Acquired acquired) {
    this(acquired.credential(), acquired.subject(), acquired.notAfter());
  }

  /** In whose name; empty where nobody delegated, and outside of a call. */
  public static Optional<ActingFor> current() {
    return Call.served().flatMap(Call::acting);
  }

  /**
   * Does something in this person's name: for work that a call leaves to another thread.
   *
   * @param <T> what it gives
   * @param <X> what it throws
   */
  public <T, X extends Throwable> T call(ScopedValue.CallableOp<? extends T, X> operation)
      throws X {
    var call = new Call(List.of());
    call.actFor(this);
    return call.serve(operation);
  }

  /** Names the person only. */
  @Override
  public String toString() {
    return "ActingFor[" + subject + " until " + notAfter + "]";
  }
}
