package dev.staithe.delegation.handlers;

import dev.staithe.delegation.client.AcquireWish;
import dev.staithe.delegation.client.Acquired;
import dev.staithe.delegation.client.ArcClient;
import dev.staithe.delegation.client.DelegationApi;
import dev.staithe.delegation.client.DelegationRefusal;
import dev.staithe.delegation.client.DelegationRefusal.Kind;
import dev.staithe.delegation.client.Outcome;
import dev.staithe.pki.Credential;
import dev.staithe.pki.GridSubject;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.grid.ClientVerdict;
import dev.staithe.tls.ClientCertificates;
import dev.staithe.tls.ClientTls;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Acquires the proxies by which a service acts for those who call it: one for each caller and
 * delegation, asked for again before it ends. Only from services that are allowed, and only a
 * caller's own: an id alone buys nothing. Keeps keys in memory only. Thread-safe.
 */
public final class Delegatee implements AutoCloseable {
  /**
   * How proxies are acquired.
   *
   * @param key kind of the fresh key of each
   * @param lifetime of each, as far as the delegation allows; after it a revocation is noticed
   * @param renewBefore how long before its end another one is asked for
   * @param mostKept how many are kept; those that were not used for the longest time go first
   */
  public record Rules(KeyKind key, Duration lifetime, Duration renewBefore, int mostKept) {
    /** Checks the values. */
    public Rules {
      if (!lifetime.isPositive() || renewBefore.isNegative() || mostKept < 1) {
        throw new IllegalArgumentException("a proxy is kept for some time");
      }
      if (renewBefore.compareTo(lifetime) >= 0) {
        throw new IllegalArgumentException("a proxy is renewed within its lifetime");
      }
    }
  }

  private record Session(String caller, AllowedService service, String id) {}

  private final List<AllowedService> allowed;
  private final Rules rules;
  private final ClientCertificates callers;
  private final Supplier<Credential> as;
  private final ActingConnections connections;
  private final Clock clock;
  private final Renewals<Session, ActingFor> sessions;

  /**
   * Opens nothing yet.
   *
   * @param callers judges who calls
   * @param as whom this service acquires; delegators name its subject
   * @param tls for calling the services
   */
  public Delegatee(
      List<AllowedService> allowed,
      Rules rules,
      ClientCertificates callers,
      Supplier<Credential> as,
      ClientTls tls,
      Clock clock) {
    this.allowed = List.copyOf(allowed);
    this.rules = rules;
    this.callers = callers;
    this.as = as;
    this.connections = new ActingConnections(Optional::empty, tls, new Destinations(List.of()), 1);
    this.clock = clock;
    this.sessions =
        new Renewals<>(
            rules.mostKept(), rules.renewBefore(), ActingFor::notAfter, Kind::passes, clock);
  }

  /**
   * Lets a call act for its caller from now on, where it says how.
   *
   * @param services all addresses that it tells
   * @param ids all ids that it tells
   * @return empty where it goes on
   */
  Optional<DelegationRefusal> take(Call call, List<String> services, List<String> ids) {
    if (services.isEmpty() && ids.isEmpty()) {
      return Optional.empty();
    }
    // A message may say the same in two places. Two different ones would let each reader on the way
    // believe another.
    List<String> service = services.stream().map(String::strip).distinct().toList();
    List<String> id = ids.stream().map(String::strip).distinct().toList();
    if (service.size() != 1 || id.size() != 1 || call.acting().isPresent()) {
      return refusal(Kind.BAD_REQUEST, "a call tells one delegation, with one service and one id");
    }
    if (call.shown().isEmpty()) {
      return refusal(
          Kind.NOT_ALLOWED, "a call with a delegation needs a certificate of its caller");
    }
    return switch (callers.verdict(call.shown())) {
      case ClientVerdict.Refused(String reason) -> refusal(Kind.NOT_ALLOWED, reason);
      case ClientVerdict.Accepted accepted ->
          switch (act(accepted.subject(), new Notice(service.getFirst(), id.getFirst()))) {
            case Outcome.Refused<ActingFor>(DelegationRefusal refused) -> Optional.of(refused);
            case Outcome.Done<ActingFor>(ActingFor acting) -> {
              call.actFor(acting);
              yield Optional.empty();
            }
          };
    };
  }

  private static Optional<DelegationRefusal> refusal(Kind kind, String line) {
    return Optional.of(new DelegationRefusal(kind, line));
  }

  /**
   * The proxy for a call.
   *
   * @param caller who calls, by the certificate that was judged in TLS, proxies stripped
   * @param notice what the call says
   */
  Outcome<ActingFor> act(GridSubject caller, Notice notice) {
    Optional<AllowedService> service =
        allowed.stream().filter(each -> each.isAt(notice.service())).findFirst();
    if (service.isEmpty()) {
      return Outcome.refused(
          Kind.NOT_ALLOWED, "the delegation is at a service that is not asked from here");
    }
    if (notice.id().isEmpty() || notice.id().length() > 128) {
      return Outcome.refused(Kind.BAD_REQUEST, "the delegation's id has 1 to 128 characters");
    }
    return sessions.get(
        new Session(caller.name(), service.get(), notice.id()),
        last ->
            switch (acquire(caller, service.get(), notice.id())) {
              case Outcome.Done<Acquired>(Acquired acquired) ->
                  new Outcome.Done<>(new ActingFor(acquired));
              case Outcome.Refused<Acquired>(DelegationRefusal refusal) ->
                  new Outcome.Refused<>(refusal);
            });
  }

  private Outcome<Acquired> acquire(GridSubject caller, AllowedService service, String id) {
    var wish = new AcquireWish(rules.key(), caller, rules.lifetime(), null, false);
    HttpClient http = connections.as(as.get());
    return switch (service.language()) {
      case STAITHE -> new DelegationApi(http, service.url(), clock).acquire(id, wish);
      case ARC -> new ArcClient(http, service.url(), clock).acquire(id, wish);
    };
  }

  /** Forgets all keys. */
  @Override
  public void close() {
    sessions.clear();
    connections.close();
  }
}
