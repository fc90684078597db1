package dev.staithe.storage.tpc;

import dev.staithe.delegation.client.AcquireWish;
import dev.staithe.delegation.client.Acquired;
import dev.staithe.delegation.client.Connections;
import dev.staithe.delegation.client.DelegationApi;
import dev.staithe.delegation.client.DelegationRefusal;
import dev.staithe.delegation.client.DelegationRefusal.Kind;
import dev.staithe.delegation.client.Outcome;
import dev.staithe.delegation.client.StandardId;
import dev.staithe.pki.Credential;
import dev.staithe.pki.GridSubject;
import dev.staithe.pki.KeyKind;
import dev.staithe.storage.authz.CertificateCaller;
import dev.staithe.storage.remote.ActingAs;
import dev.staithe.tls.ClientTls;
import java.net.URI;
import java.net.http.HttpClient;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Proxies of those who ask for {@code COPY} with {@code Credential: gridsite}, from a
 * delegation-service: one for each copy, with a key of its own that never leaves this process.
 * Thread-safe.
 */
public final class DelegatedCredentials implements AutoCloseable {
  /** None are to be had: {@code Credential: gridsite} is refused. */
  public static final DelegatedCredentials NONE = new DelegatedCredentials(null);

  /** Requests to the service at once; more wait, within their time. */
  private static final int MOST_AT_ONCE = 32;

  /** What a delegation-service answers in GridSite's language at. */
  private static final String GRIDSITE = "services/delegation";

  /**
   * Where and how.
   *
   * @param service the delegation-service's URL, https
   * @param timeout until a proxy is there, positive
   * @param lifetime that is asked for; what the delegator allows may be less
   */
  public record Settings(URI service, Duration timeout, Duration lifetime) {}

  /** What came of asking. */
  sealed interface Asked {
    /** A proxy is there. */
    record Granted(ActingAs as) implements Asked {}

    /** The caller has delegated nothing that we may use; it could. */
    record Missing(String line) implements Asked {}

    /** Delegating does not help; {@code line} is safe to show. */
    record Refused(int status, String line) implements Asked {}
  }

  private record Own(X509Certificate certificate, HttpClient http) {}

  private record Parts(
      Settings settings,
      Supplier<Credential> own,
      ClientTls service,
      ClientTls others,
      Clock clock) {}

  private final @Nullable Parts parts;
  private final Semaphore asking = new Semaphore(MOST_AT_ONCE, true);
  private final Object changing = new Object();
  private @Nullable Own shown;

  private DelegatedCredentials(@Nullable Parts parts) {
    this.parts = parts;
  }

  /**
   * Opens nothing yet.
   *
   * @param own the certificate by which we acquire; asked each time, as it may be renewed
   * @param service trust for the delegation-service
   * @param others trust for passive parties
   */
  public static DelegatedCredentials of(
      Settings settings,
      Supplier<Credential> own,
      ClientTls service,
      ClientTls others,
      Clock clock) {
    return new DelegatedCredentials(new Parts(settings, own, service, others, clock));
  }

  /** Whether there is a service to ask. */
  boolean offered() {
    return parts != null;
  }

  /** Where clients delegate, for {@code X-Delegate-To}; only where {@link #offered}. */
  String delegateTo() {
    String url = parts().settings().service().toString();
    return (url.endsWith("/") ? url : url + "/") + GRIDSITE;
  }

  /** Gets a proxy of the caller; only where {@link #offered}. Blocks for the settings' timeout. */
  Asked acquire(CertificateCaller caller) {
    Parts with = parts();
    Duration timeout = with.settings().timeout();
    long began = System.nanoTime();
    try {
      if (!asking.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
        return new Asked.Refused(503, "too many copies wait for the delegation-service");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Asked.Refused(503, "the request was interrupted");
    }
    try {
      Credential own = with.own().get();
      return switch (ask(with, own, caller, began)) {
        case Outcome.Done<Acquired>(Acquired acquired) ->
            new Asked.Granted(
                new ActingAs(with.others().enginesAs(acquired.credential()), acquired.notAfter()));
        case Outcome.Refused<Acquired>(DelegationRefusal refusal) -> refused(refusal, own, caller);
      };
    } finally {
      asking.release();
    }
  }

  private Outcome<Acquired> ask(Parts with, Credential own, CertificateCaller caller, long began) {
    AcquireWish wish =
        new AcquireWish(
            KeyKind.EC_P256,
            caller.subject(),
            with.settings().lifetime(),
            // Nothing is to be signed by it, and a limited caller is not to gain by us.
            0,
            caller.limited());
    // Clients of GridSite let the service choose an id, which no COPY tells us; where there are
    // several delegations the one of the standard id counts, by VOMS attributes or without.
    Outcome<Acquired> found = api(with, own, began).acquireAny(wish);
    if (!refusedFor(found, Kind.CONFLICT)) {
      return found;
    }
    for (List<String> fqans : List.of(caller.fqans(), List.<String>of())) {
      Outcome<Acquired> standard =
          api(with, own, began).acquire(StandardId.of(caller.subject(), fqans), wish);
      if (!refusedFor(standard, Kind.UNKNOWN)) {
        return standard;
      }
    }
    return found;
  }

  private static boolean refusedFor(Outcome<Acquired> found, Kind kind) {
    return found instanceof Outcome.Refused<Acquired>(DelegationRefusal refusal)
        && refusal.kind() == kind;
  }

  private DelegationApi api(Parts with, Credential own, long began) {
    Duration left = with.settings().timeout().minusNanos(System.nanoTime() - began);
    return new DelegationApi(
        http(with, own),
        with.settings().service(),
        left.isPositive() ? left : Duration.ofMillis(1),
        with.clock());
  }

  private static Asked refused(
      DelegationRefusal refusal, Credential own, CertificateCaller caller) {
    String said = "delegation-service: " + refusal.line();
    return switch (refusal.kind()) {
      case EXPIRED ->
          new Asked.Missing(
              "what " + caller.subject() + " has delegated serves no more: " + refusal.line());
      case UNKNOWN, NO_REQUEST ->
          new Asked.Missing(
              caller.subject()
                  + " has delegated nothing to "
                  + GridSubject.of(own.certificate().getSubjectX500Principal())
                  + ", or it has ended");
      case NOT_ALLOWED -> new Asked.Refused(403, said);
      case UNAVAILABLE, UNREACHABLE, TOO_MANY -> new Asked.Refused(503, said);
      case LATE -> new Asked.Refused(504, said);
      case CONFLICT ->
          new Asked.Refused(
              409,
              "several delegations of " + caller.subject() + " name this server, none by default");
      case BAD_PROXY, TOO_LARGE, BAD_REQUEST, BAD_ANSWER, SIGNING -> new Asked.Refused(502, said);
    };
  }

  /** Another client once our own certificate is renewed; the old one ends with its requests. */
  private HttpClient http(Parts with, Credential own) {
    synchronized (changing) {
      Own last = shown;
      if (last != null && last.certificate().equals(own.certificate())) {
        return last.http();
      }
      HttpClient http = Connections.as(own, with.service());
      shown = new Own(own.certificate(), http);
      if (last != null) {
        last.http().shutdown();
      }
      return http;
    }
  }

  private Parts parts() {
    if (parts == null) {
      throw new IllegalStateException("no delegation-service is configured");
    }
    return parts;
  }

  /** Breaks off what is under way. */
  @Override
  public void close() {
    synchronized (changing) {
      if (shown != null) {
        shown.http().shutdownNow();
        shown = null;
      }
    }
  }
}
