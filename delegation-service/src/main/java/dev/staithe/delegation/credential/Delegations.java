package dev.staithe.delegation.credential;

import dev.staithe.delegation.credential.DelegationFault.Kind;
import dev.staithe.delegation.key.KeyPool;
import dev.staithe.delegation.store.DelegationRow;
import dev.staithe.delegation.store.DelegationStore;
import dev.staithe.pki.GridSubject;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.grid.ClientChainRules;
import dev.staithe.pki.grid.ClientTrustFolder;
import dev.staithe.pki.grid.VomsTrust;
import dev.staithe.pki.seal.MasterKeys;
import dev.staithe.service.log.AuditLog;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * Takes delegations, keeps them, and signs proxies with them for those whom their owners named.
 * Every change, every proxy that is handed out and every refusal is a line of the audit log. An id
 * that there is not, one of another owner, and one that does not name the acquirer get the same
 * answer. Thread-safe; several nodes may share a store.
 *
 * <p>Whoever shows a chain that came out of a delegation acts for its owner, and has a say in what
 * was delegated through it and in nothing else: the rules of a delegation are its owner's alone.
 */
public final class Delegations {
  private static final Logger LOG = LoggerFactory.getLogger(Delegations.class);

  private final DelegationSettings settings;
  private final DelegationStore store;
  private final DelegationRequests requests;
  private final OwnDelegations own;
  private final ProxyIssuer issuing;
  private final AuditLog audit;
  private final DelegationMetrics metrics;

  /**
   * What certificates are judged by.
   *
   * @param trust as it is at present, for each chain anew
   * @param voms the same
   */
  public record Trust(
      Supplier<ClientTrustFolder> trust, ClientChainRules rules, Supplier<VomsTrust> voms) {}

  /**
   * On a store that other nodes may use too.
   *
   * @param masters keys that open what other nodes seal
   */
  public Delegations(
      DelegationSettings settings,
      DelegationStore store,
      KeyPool keys,
      MasterKeys masters,
      Trust trust,
      AuditLog audit,
      DelegationMetrics metrics,
      Clock clock) {
    SealedKeys sealed = new SealedKeys(masters);
    ChainJudge judge = new ChainJudge(trust.trust(), trust.rules(), trust.voms(), clock);
    this.settings = settings;
    this.store = store;
    this.requests = new DelegationRequests(settings, store, keys, sealed, judge, clock);
    this.own = new OwnDelegations(store, sealed, clock);
    this.issuing = new ProxyIssuer(settings, store, sealed, clock);
    this.audit = audit;
    this.metrics = metrics;
  }

  /**
   * The id of whoever names none: gLite's and FTS's, of the name and the FQANs; another one for a
   * service that acts for the owner, so that it does not meet the owner's own.
   *
   * @throws DataAccessException where the store does not answer
   */
  public DelegationId standardId(Owner owner) {
    return standardId(Actor.of(owner, store));
  }

  private static DelegationId standardId(Actor actor) {
    return DelegationId.standard(
        actor.owner().subject().slashed(), actor.owner().fqans(), actor.through());
  }

  /** The rules of a delegation whose owner gives none, as the settings have them. */
  public AcquireRules usualRules() {
    return settings.usual();
  }

  /**
   * Makes a key and its request. Where there is a delegation of this id already it stays usable
   * until the new proxy is put. Several requests for one id may be open; each is good for one put.
   *
   * @param id null: {@link #standardId}
   * @param rules from the put on, where uses begin to count anew; null: as they are, or {@link
   *     #usualRules}, also where who acts for the owner has made those that there are
   * @param key null: as the settings say
   */
  public Outcome<ProxyRequest> begin(
      Owner owner, @Nullable DelegationId id, @Nullable AcquireRules rules, @Nullable KeyKind key) {
    Call call = new Call("request", owner).with(id);
    return call.outcome(
        () -> {
          check(rules);
          Actor actor = Actor.of(owner, store);
          DelegationId named = id == null ? standardId(actor) : id;
          ProxyRequest request = requests.begin(actor, named, rules, key);
          call.ok().with("id", named.text()).with("through", actor.through()).write();
          return request;
        });
  }

  /** {@link #begin} for a delegation that there is; UNKNOWN where it is not. */
  public Outcome<ProxyRequest> renew(Owner owner, DelegationId id) {
    Call call = new Call("request", owner).with(id);
    return call.outcome(
        () -> {
          Actor actor = Actor.of(owner, store);
          own.look(actor, id);
          ProxyRequest request = requests.begin(actor, id, null, null);
          call.ok().with("through", actor.through()).write();
          return request;
        });
  }

  /**
   * Takes a proxy for the key of an open request, which it closes. A former one of the same id is
   * replaced; where the proxy is refused it is as it was.
   *
   * @param chainPem the proxy, then whom it is signed by, and so on
   */
  public Outcome<Delegation> put(Owner owner, DelegationId id, String chainPem) {
    Call call = new Call("put", owner).with(id);
    return call.outcome(
        () -> {
          Actor actor = Actor.of(owner, store);
          DelegationRequests.StoredProxy taken = requests.put(actor, id, chainPem);
          DelegationRow row = taken.row();
          call.ok()
              .with("through", row.through())
              .with("key", row.keyDigest())
              .with("notAfter", row.notAfter().toString())
              .with("fqans", String.join(" ", row.fqans()))
              .with("doubt", taken.doubt())
              .with("acquirers", String.join(" | ", row.rules().acquirers()))
              .with("version", row.version())
              .write();
          return Rows.delegation(row);
        });
  }

  /** One of the caller's own. */
  public Outcome<Delegation> look(Owner owner, DelegationId id) {
    return row(owner, id, Rows::delegation);
  }

  /**
   * The certificates of one of the caller's own, PEM: the proxy that was put, then whom it is
   * signed by, and so on; nothing secret.
   */
  public Outcome<String> certificates(Owner owner, DelegationId id) {
    return row(owner, id, DelegationRow::chain);
  }

  private <T> Outcome<T> row(Owner owner, DelegationId id, Function<DelegationRow, T> told) {
    Call call = new Call("look", owner).with(id);
    return call.outcome(
        () -> {
          DelegationRow row = own.look(Actor.of(owner, store), id);
          metrics.done("look");
          return told.apply(row);
        });
  }

  /**
   * The caller's own, those that end first before others.
   *
   * @throws DataAccessException where the store does not answer
   */
  public List<Delegation> list(Owner owner) {
    metrics.done("list");
    return own.list(Actor.of(owner, store)).stream().map(Rows::delegation).toList();
  }

  /**
   * Forgets a delegation with its key and its open requests, and what was delegated through it.
   * Proxies that were acquired before live until they expire.
   */
  public Outcome<DelegationId> destroy(Owner owner, DelegationId id) {
    Call call = new Call("destroy", owner).with(id);
    return call.outcome(
        () -> {
          List<String> gone = own.destroy(Actor.of(owner, store), id);
          call.ok().with("with", String.join(" ", gone)).write();
          return id;
        });
  }

  /** Gives a delegation other rules, from the next acquiring on; uses go on being counted. */
  public Outcome<Delegation> allow(Owner owner, DelegationId id, AcquireRules rules) {
    Call call = new Call("rules", owner).with(id);
    return call.outcome(
        () -> {
          check(rules);
          DelegationRow row = own.allow(Actor.of(owner, store), id, Rows.row(rules));
          call.ok()
              .with("acquirers", String.join(" | ", row.rules().acquirers()))
              .with("uses", String.valueOf(rules.uses()))
              .with("hops", rules.hops())
              .with("limited", String.valueOf(rules.limited()))
              .with("longest", rules.longest().toString())
              .write();
          return Rows.delegation(row);
        });
  }

  /**
   * Signs a proxy for the key of a request. It is on the disk, in the audit log, before it is
   * handed out; where it is refused no use is counted.
   *
   * @param requestPem PKCS#10 with the proof that the acquirer has the key
   */
  public Outcome<AcquiredProxy> acquire(
      Owner acquirer, WantedDelegation which, String requestPem, ProxyWish wish) {
    Call call = new Call("acquire", acquirer).with(which.id()).from(which.delegator());
    return call.outcome(
        () -> {
          ProxyIssuer.IssuedProxy made = issuing.acquire(acquirer, which, requestPem, wish);
          try {
            call.ok()
                .with("id", made.row().id())
                .with("delegator", made.row().owner())
                .with("serial", made.proxy().getSerialNumber().toString(16))
                .with("notAfter", made.notAfter().toString())
                .writeDurably();
          } catch (UncheckedIOException e) {
            store.unuse(made.row());
            throw e;
          }
          return new AcquiredProxy(
              new DelegationId(made.row().id()), made.chainPem(), made.notAfter());
        });
  }

  private void check(@Nullable AcquireRules rules) throws Refusal {
    if (rules != null && rules.longest().compareTo(settings.usual().longest()) > 0) {
      throw new Refusal(
          Kind.BAD_REQUEST,
          "proxies live at most " + settings.usual().longest().toSeconds() + " seconds here");
    }
  }

  /** Something that may be refused on its way. */
  @FunctionalInterface
  private interface Work<T> {
    T done() throws Refusal;
  }

  /** One operation on its way to its line of the audit log. */
  private final class Call {
    private final String operation;
    private final Owner who;
    private @Nullable String id;
    private @Nullable String delegator;

    Call(String operation, Owner who) {
      this.operation = operation;
      this.who = who;
    }

    Call with(@Nullable DelegationId value) {
      id = value == null ? null : value.text();
      return this;
    }

    Call from(@Nullable GridSubject value) {
      delegator = value == null ? null : value.name();
      return this;
    }

    <T> Outcome<T> outcome(Work<T> work) {
      try {
        return new Outcome.Done<>(work.done());
      } catch (Refusal refusal) {
        return new Outcome.Refused<>(refused(refusal));
      } catch (DataAccessException | TransactionException | UncheckedIOException e) {
        return new Outcome.Refused<>(failed(e));
      }
    }

    AuditLog.Line ok() {
      metrics.done(operation);
      return line("ok");
    }

    private DelegationFault refused(Refusal refusal) {
      Kind kind = refusal.fault().kind();
      metrics.refused(operation, kind);
      line(DelegationMetrics.word(kind)).with("reason", refusal.reason()).write();
      return refusal.fault();
    }

    private DelegationFault failed(RuntimeException e) {
      LOG.error("delegation: {} is not done", operation, e);
      return refused(
          new Refusal(
              Kind.UNAVAILABLE, "the service cannot do this at present: try again", "no store"));
    }

    private AuditLog.Line line(String outcome) {
      return audit
          .line("delegation." + operation, outcome)
          .with("who", who.subject().name())
          .with("id", id)
          .with("delegator", delegator);
    }
  }
}
