package dev.staithe.delegation.handlers;

import dev.staithe.delegation.client.AcquireRules;
import dev.staithe.delegation.client.Connections;
import dev.staithe.delegation.client.DelegationApi;
import dev.staithe.delegation.client.DelegationRefusal;
import dev.staithe.delegation.client.DelegationWish;
import dev.staithe.delegation.client.HeldDelegation;
import dev.staithe.delegation.client.Outcome;
import dev.staithe.pki.Credential;
import dev.staithe.pki.grid.ProxyTerms;
import dev.staithe.tls.ClientTls;
import java.net.URI;
import java.net.http.HttpClient;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Delegates to a service once for each credential that calls are made with, renews before the end,
 * and says what to tell beside the calls. The credential is the one by which the call that is being
 * served acts for somebody, else this program's own. Thread-safe.
 */
public final class Delegator implements AutoCloseable {
  private static final SecureRandom RANDOM = new SecureRandom();

  /**
   * What is delegated.
   *
   * @param service of delegation, one of our own kind
   * @param acquirers which services may then act, and how far
   * @param lifetime of what is delegated, as far as the credential's own goes
   * @param renewBefore how long before its end it is renewed
   * @param mostKept how many delegations are remembered
   * @param to which calls are told of it
   */
  public record Rules(
      URI service,
      AcquireRules acquirers,
      Duration lifetime,
      Duration renewBefore,
      int mostKept,
      Destinations to) {
    /** Checks the values. */
    public Rules {
      if (!lifetime.isPositive() || renewBefore.isNegative() || mostKept < 1) {
        throw new IllegalArgumentException("what is delegated is valid for some time");
      }
      if (renewBefore.compareTo(lifetime) >= 0) {
        throw new IllegalArgumentException("what is delegated is renewed within its lifetime");
      }
    }
  }

  private final Rules rules;
  private final Supplier<Optional<Credential>> own;
  private final ClientTls tls;
  private final Clock clock;
  private final Renewals<PublicKey, HeldDelegation> sessions;

  /**
   * Opens nothing yet.
   *
   * @param own as whom this program calls where it acts for nobody; empty for calls without a
   *     delegation then
   * @param tls for calling the service
   */
  public Delegator(Rules rules, Supplier<Optional<Credential>> own, ClientTls tls, Clock clock) {
    this.rules = rules;
    this.own = own;
    this.tls = tls;
    this.clock = clock;
    this.sessions =
        new Renewals<>(
            rules.mostKept(), rules.renewBefore(), HeldDelegation::notAfter, kind -> true, clock);
  }

  /**
   * What to tell beside a call that is made now.
   *
   * @return empty where there is nobody to delegate, or nobody to tell
   */
  Optional<Outcome<Notice>> notice(URI called) {
    return !rules.to().cover(called)
        ? Optional.empty()
        : ActingFor.current().map(ActingFor::credential).or(own).map(this::notice);
  }

  private Outcome<Notice> notice(Credential by) {
    return switch (sessions.get(by.certificate().getPublicKey(), last -> delegated(last, by))) {
      case Outcome.Refused<HeldDelegation>(DelegationRefusal refusal) ->
          new Outcome.Refused<>(refusal);
      case Outcome.Done<HeldDelegation>(HeldDelegation delegated) ->
          new Outcome.Done<>(new Notice(rules.service().toString(), delegated.id()));
    };
  }

  private Outcome<HeldDelegation> delegated(@Nullable HeldDelegation last, Credential by) {
    if (last == null) {
      return delegate(by, fresh());
    }
    Outcome<HeldDelegation> given = delegate(by, last.id());
    // Where it was ended at the service meanwhile, or does not take this proxy any more. One that
    // is
    // busy or away is so for another id too, and has perhaps taken the first.
    return given instanceof Outcome.Refused<HeldDelegation>(DelegationRefusal refusal)
            && !refusal.kind().passes()
        ? delegate(by, fresh())
        : given;
  }

  private Outcome<HeldDelegation> delegate(Credential by, String id) {
    // Once for hours: no connection is worth keeping, and closing it forgets the key.
    try (HttpClient http = Connections.as(by, tls)) {
      return new DelegationApi(http, rules.service(), clock)
          .delegate(
              by, new DelegationWish(id, null, rules.acquirers(), ProxyTerms.of(rules.lifetime())));
    }
  }

  /** Never the standard one of a person, which others who act for the person would replace. */
  private static String fresh() {
    byte[] bits = new byte[16];
    RANDOM.nextBytes(bits);
    return HexFormat.of().formatHex(bits);
  }

  /** Forgets all delegations; the service keeps them until they end. */
  @Override
  public void close() {
    sessions.clear();
  }
}
