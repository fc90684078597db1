package dev.staithe.delegation.handlers;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A call that is being served: who makes it, and in whose name it acts further. Thread-safe. */
final class Call {
  /** Of the thread that serves, and of those that it forks inside a structured task scope. */
  private static final ScopedValue<Call> SERVED = ScopedValue.newInstance();

  private final List<X509Certificate> shown;
  private volatile @Nullable ActingFor acting;

  /**
   * @param shown certificates of the caller, its own first, not judged yet; may be empty
   */
  Call(List<X509Certificate> shown) {
    this.shown = List.copyOf(shown);
  }

  /** The one that this thread serves. */
  static Optional<Call> served() {
    return SERVED.isBound() ? Optional.of(SERVED.get()) : Optional.empty();
  }

  /** Serves it. */
  <T, X extends Throwable> T serve(ScopedValue.CallableOp<? extends T, X> how) throws X {
    return ScopedValue.where(SERVED, this).call(how);
  }

  List<X509Certificate> shown() {
    return shown;
  }

  /** In whose name it acts. */
  Optional<ActingFor> acting() {
    return Optional.ofNullable(acting);
  }

  /** From now on, and until its end. */
  void actFor(ActingFor whom) {
    acting = whom;
  }
}
