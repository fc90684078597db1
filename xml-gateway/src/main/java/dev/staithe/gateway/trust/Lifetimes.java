package dev.staithe.gateway.trust;

import dev.staithe.wss.Caller;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.trust.Lifetime;
import dev.staithe.wss.trust.TrustFault;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * For how long contexts are given out. What is asked for counts as a length of time, since clocks
 * differ, and is cut at what the limits and the owner's certificate allow. Immutable.
 */
final class Lifetimes {
  private final ContextLimits limits;

  Lifetimes(ContextLimits limits) {
    this.limits = limits;
  }

  /** What is granted. */
  sealed interface Grant {
    /** So long. */
    record Until(Instant expires) implements Grant {}

    /** Not at all. */
    record Refused(TrustFault fault, String line) implements Grant {}
  }

  /** Of a new context. */
  Grant first(@Nullable Lifetime wanted, Caller owner, Instant now) {
    return within(wanted, owner, now, now);
  }

  /**
   * Of one that is renewed; never shorter than it had.
   *
   * @param owner as they are known now
   */
  Grant further(@Nullable Lifetime wanted, SecurityContext context, Caller owner, Instant now) {
    Grant grant = within(wanted, owner, context.created(), now);
    if (!(grant instanceof Grant.Until(Instant expires)) || expires.isAfter(context.expires())) {
      return grant;
    }
    return last(owner, context.created()).isAfter(context.expires())
        ? new Grant.Until(context.expires())
        : new Grant.Refused(TrustFault.UNABLE_TO_RENEW, "the context is as old as one may become");
  }

  private Grant within(@Nullable Lifetime wanted, Caller owner, Instant born, Instant now) {
    Duration length = limits.lifetime();
    if (wanted != null && wanted.expires() != null) {
      Instant from = wanted.created() == null ? now : wanted.created();
      length = Duration.between(from, wanted.expires());
      if (!length.isPositive()) {
        return new Grant.Refused(
            TrustFault.INVALID_TIME_RANGE, "the wanted lifetime ends before it begins");
      }
    }
    if (length.compareTo(limits.longest()) > 0) {
      length = limits.longest();
    }
    Instant last = last(owner, born);
    Instant end = now.plus(length);
    if (!last.isAfter(now)) {
      return new Grant.Refused(
          TrustFault.REQUEST_FAILED, "the certificate of the owner ends, or the longest lifetime");
    }
    return new Grant.Until(end.isBefore(last) ? end : last);
  }

  /** When it must end, whatever is asked for. */
  private Instant last(Caller owner, Instant born) {
    Instant last = born.plus(limits.longest());
    if (owner instanceof Caller.Certificate certificate) {
      for (X509Certificate each : certificate.chain()) {
        Instant end = each.getNotAfter().toInstant();
        last = end.isBefore(last) ? end : last;
      }
    }
    return last;
  }
}
