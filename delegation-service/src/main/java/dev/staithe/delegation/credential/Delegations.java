package dev.staithe.delegation.credential;

import dev.staithe.delegation.credential.DelegationFault.Kind;
import dev.staithe.delegation.key.KeyPool;
import dev.staithe.delegation.store.DelegationRow;
import dev.staithe.delegation.store.DelegationStore;
import dev.staithe.pki.ClientChainRules;
import dev.staithe.pki.ClientTrustFolder;
import dev.staithe.pki.GridSubject;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.MasterKeys;
import dev.staithe.pki.VomsTrust;
import dev.staithe.service.AuditLog;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.List;
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
  private final Taking taking;
  private final Keeping keeping;
  private final Acquiring acquiring;
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
    Judge judge = new Judge(trust.trust(), trust.rules(), trust.voms(), clock);
    this.settings = settings;
    this.store = store;
    this.taking = new Taking(settings, store, keys, sealed, judge, clock);
    this.keeping = new Keeping(store, sealed, clock);
    this.acquiring = new Acquiring(settings, store, sealed, clock);
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
   *     #usualRules}
   * @param key null: as the settings say
   */
  public Begun begin(
      Owner owner, @Nullable DelegationId id, @Nullable AcquireRules rules, @Nullable KeyKind key) {
    Call call = new Call("request", owner).with(id);
    try {
      check(rules);
      Actor actor = Actor.of(owner, store);
      DelegationId named = id == null ? standardId(actor) : id;
      Begun.Requested requested = taking.begin(actor, named, rules, key);
      call.ok().with("id", named.text()).with("through", actor.through()).write();
      return requested;
    } catch (Refusal refusal) {
      return new Begun.Refused(call.refused(refusal));
    } catch (DataAccessException | TransactionException e) {
      return new Begun.Refused(call.failed(e));
    }
  }

  /** {@link #begin} for a delegation that there is; UNKNOWN where it is not. */
  public Begun renew(Owner owner, DelegationId id) {
    Call call = new Call("request", owner).with(id);
    try {
      Actor actor = Actor.of(owner, store);
      keeping.look(actor, id);
      Begun.Requested requested = taking.begin(actor, id, null, null);
      call.ok().with("through", actor.through()).write();
      return requested;
    } catch (Refusal refusal) {
      return new Begun.Refused(call.refused(refusal));
    } catch (DataAccessException | TransactionException e) {
      return new Begun.Refused(call.failed(e));
    }
  }

  /**
   * Takes a proxy for the key of an open request, which it closes.
   *
   * @param chainPem the proxy, then whom it is signed by, and so on
   */
  public Put put(Owner owner, DelegationId id, String chainPem) {
    Call call = new Call("put", owner).with(id);
    try {
      Actor actor = Actor.of(owner, store);
      Taking.Taken taken = taking.put(actor, id, chainPem);
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
      return new Put.Stored(Rows.delegation(row));
    } catch (Refusal refusal) {
      return new Put.Refused(call.refused(refusal));
    } catch (DataAccessException | TransactionException e) {
      return new Put.Refused(call.failed(e));
    }
  }

  /** One of the caller's own. */
  public Looked look(Owner owner, DelegationId id) {
    Call call = new Call("look", owner).with(id);
    try {
      DelegationRow row = keeping.look(Actor.of(owner, store), id);
      metrics.done("look");
      return new Looked.Found(Rows.delegation(row));
    } catch (Refusal refusal) {
      return new Looked.Refused(call.refused(refusal));
    } catch (DataAccessException | TransactionException e) {
      return new Looked.Refused(call.failed(e));
    }
  }

  /** The certificates of one of the caller's own. */
  public Certificates certificates(Owner owner, DelegationId id) {
    Call call = new Call("look", owner).with(id);
    try {
      DelegationRow row = keeping.look(Actor.of(owner, store), id);
      metrics.done("look");
      return new Certificates.Found(row.chain());
    } catch (Refusal refusal) {
      return new Certificates.Refused(call.refused(refusal));
    } catch (DataAccessException | TransactionException e) {
      return new Certificates.Refused(call.failed(e));
    }
  }

  /**
   * The caller's own, those that end first before others.
   *
   * @throws DataAccessException where the store does not answer
   */
  public List<Delegation> list(Owner owner) {
    metrics.done("list");
    return keeping.list(Actor.of(owner, store)).stream().map(Rows::delegation).toList();
  }

  /** Forgets a delegation with its open requests, and what was delegated through it. */
  public Ended destroy(Owner owner, DelegationId id) {
    Call call = new Call("destroy", owner).with(id);
    try {
      List<String> gone = keeping.destroy(Actor.of(owner, store), id);
      call.ok().with("with", String.join(" ", gone)).write();
      return new Ended.Destroyed(id);
    } catch (Refusal refusal) {
      return new Ended.Refused(call.refused(refusal));
    } catch (DataAccessException | TransactionException e) {
      return new Ended.Refused(call.failed(e));
    }
  }

  /** Gives a delegation other rules; uses go on being counted. */
  public Ruled allow(Owner owner, DelegationId id, AcquireRules rules) {
    Call call = new Call("rules", owner).with(id);
    try {
      check(rules);
      DelegationRow row = keeping.allow(Actor.of(owner, store), id, Rows.row(rules));
      call.ok()
          .with("acquirers", String.join(" | ", row.rules().acquirers()))
          .with("uses", String.valueOf(rules.uses()))
          .with("hops", rules.hops())
          .with("limited", String.valueOf(rules.limited()))
          .with("longest", rules.longest().toString())
          .write();
      return new Ruled.Changed(Rows.delegation(row));
    } catch (Refusal refusal) {
      return new Ruled.Refused(call.refused(refusal));
    } catch (DataAccessException | TransactionException e) {
      return new Ruled.Refused(call.failed(e));
    }
  }

  /**
   * Signs a proxy for the key of a request. It is on the disk, in the audit log, before it is
   * handed out.
   *
   * @param requestPem PKCS#10 with the proof that the acquirer has the key
   */
  public Acquired acquire(Owner acquirer, Wanted which, String requestPem, Wish wish) {
    Call call = new Call("acquire", acquirer).with(which.id()).from(which.delegator());
    try {
      Acquiring.Made made = acquiring.acquire(acquirer, which, requestPem, wish);
      call.ok()
          .with("id", made.row().id())
          .with("delegator", made.row().owner())
          .with("serial", made.proxy().getSerialNumber().toString(16))
          .with("notAfter", made.notAfter().toString())
          .writeDurably();
      return new Acquired.Issued(
          new DelegationId(made.row().id()), made.chainPem(), made.notAfter());
    } catch (Refusal refusal) {
      return new Acquired.Refused(call.refused(refusal));
    } catch (DataAccessException | TransactionException | UncheckedIOException e) {
      return new Acquired.Refused(call.failed(e));
    }
  }

  private void check(@Nullable AcquireRules rules) throws Refusal {
    if (rules != null && rules.longest().compareTo(settings.usual().longest()) > 0) {
      throw new Refusal(
          Kind.BAD_REQUEST,
          "proxies live at most " + settings.usual().longest().toSeconds() + " seconds here");
    }
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

    AuditLog.Line ok() {
      metrics.done(operation);
      return line("ok");
    }

    DelegationFault refused(Refusal refusal) {
      Kind kind = refusal.fault().kind();
      metrics.refused(operation, kind);
      line(DelegationMetrics.word(kind)).with("reason", refusal.reason()).write();
      return refusal.fault();
    }

    DelegationFault failed(RuntimeException e) {
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
