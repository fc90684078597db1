package dev.staithe.delegation.credential;

import dev.staithe.delegation.credential.DelegationFault.Kind;
import dev.staithe.delegation.store.DelegationRow;
import dev.staithe.delegation.store.DelegationStore;
import dev.staithe.delegation.store.RuleRow;
import dev.staithe.pki.GridSubject;
import dev.staithe.pki.KeyRules;
import dev.staithe.pki.Pem;
import dev.staithe.pki.PemException;
import dev.staithe.pki.ca.CertificateRequest;
import dev.staithe.pki.grid.ProxyForm;
import dev.staithe.pki.grid.ProxyPolicy;
import dev.staithe.pki.grid.ProxySigner;
import dev.staithe.pki.grid.ProxySigning;
import dev.staithe.pki.grid.ProxyTerms;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How a service gets a proxy of its own from a delegation. Thread-safe. */
final class ProxyIssuer {
  /** The row changed under our hands so often: somebody does nothing but renew. */
  private static final int ATTEMPTS = 5;

  private static final Logger LOG = LoggerFactory.getLogger(ProxyIssuer.class);

  private final DelegationSettings settings;
  private final DelegationStore store;
  private final SealedKeys sealed;
  private final Clock clock;
  private final KeyRules rules = KeyRules.standard();

  ProxyIssuer(DelegationSettings settings, DelegationStore store, SealedKeys sealed, Clock clock) {
    this.settings = settings;
    this.store = store;
    this.sealed = sealed;
    this.clock = clock;
  }

  /** A proxy, not yet handed out. */
  record IssuedProxy(DelegationRow row, X509Certificate proxy, String chainPem, Instant notAfter) {}

  IssuedProxy acquire(Owner acquirer, WantedDelegation which, String requestPem, ProxyWish wish)
      throws Refusal {
    PublicKey key =
        switch (CertificateRequest.read(requestPem.getBytes(StandardCharsets.UTF_8), rules)) {
          case CertificateRequest.Accepted accepted -> accepted.key();
          case CertificateRequest.Refused(String line) -> throw new Refusal(Kind.BAD_REQUEST, line);
        };
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      Instant now = clock.instant();
      DelegationRow row = find(acquirer, which, now);
      if (!DelegationRequests.lives(row, now)) {
        throw new Refusal(Kind.EXPIRED, "the delegation ended at " + row.notAfter());
      }
      checkUses(row);
      IssuedProxy made = sign(row, key, wish);
      if (store.use(row)) {
        return made;
      }
    }
    throw new Refusal(Kind.UNAVAILABLE, "the delegation is changed at this moment: try again");
  }

  /** What is not there, is not theirs to see, and does not name them costs the same questions. */
  private DelegationRow find(Owner acquirer, WantedDelegation which, Instant now) throws Refusal {
    DelegationId id = which.id();
    GridSubject delegator = which.delegator();
    List<DelegationRow> found =
        store.forAcquirer(
            acquirer.subject().name(),
            id == null ? null : id.text(),
            delegator == null ? null : delegator.name());
    // One that has ended and is not swept yet is in nobody's way.
    if (found.size() > 1 && DelegationRequests.lives(found.get(1), now)) {
      throw new Refusal(
          Kind.CONFLICT,
          id == null
              ? "several delegations of this person name you: say the id too"
              : "delegations of several people have this id: name the delegator too");
    }
    if (found.isEmpty()) {
      int named =
          id != null ? store.count(id.text()) : store.count(delegatorName(delegator), EVER, 2);
      throw Refusal.unknown(
          named == 0 ? "there is none" : "does not name the acquirer, or is not the one meant");
    }
    DelegationRow row = found.getFirst();
    // The other table only finds it: the key is bound to the rules, and these name whom they name.
    if (!row.rules().acquirers().contains(acquirer.subject().name())) {
      LOG.error("somebody else has changed the database: acquirers of {}", row);
      throw Refusal.unknown(Refusal.CHANGED);
    }
    return row;
  }

  private static final Instant EVER = Instant.EPOCH;

  private static String delegatorName(@Nullable GridSubject delegator) {
    return delegator == null ? "" : delegator.name();
  }

  private static void checkUses(DelegationRow row) throws Refusal {
    Integer uses = row.rules().uses();
    if (uses != null && row.used() >= uses) {
      throw new Refusal(Kind.NOT_ALLOWED, "all uses of this delegation are taken: " + uses);
    }
  }

  private IssuedProxy sign(DelegationRow row, PublicKey key, ProxyWish wish) throws Refusal {
    List<X509Certificate> chain;
    try {
      chain = Pem.parseCertificates(row.chain(), "the chain of a delegation");
    } catch (PemException e) {
      throw new IllegalStateException("a chain that was kept here cannot be read", e);
    }
    ProxySigning signing =
        ProxySigner.sign(opened(row, chain.getFirst()), chain, key, terms(row, wish), clock);
    return switch (signing) {
      case ProxySigning.Signed signed ->
          new IssuedProxy(
              row,
              signed.proxy(),
              Pem.encode(signed.chain()),
              signed.proxy().getNotAfter().toInstant());
      // Nobody gets anything from it, whoever asks: what helps is to delegate anew.
      case ProxySigning.Refused(String line) -> throw new Refusal(Kind.EXPIRED, line);
    };
  }

  /** Who is named by rules that were changed learns no more than who is not named. */
  private PrivateKey opened(DelegationRow row, X509Certificate certificate) throws Refusal {
    try {
      return sealed.open(row, certificate);
    } catch (Refusal refusal) {
      throw refusal.reason().equals(Refusal.CHANGED) ? Refusal.unknown(Refusal.CHANGED) : refusal;
    }
  }

  private ProxyTerms terms(DelegationRow row, ProxyWish wish) {
    RuleRow allowed = row.rules();
    Duration lifetime = Duration.ofSeconds(allowed.longestSeconds());
    if (settings.usual().longest().compareTo(lifetime) < 0) {
      lifetime = settings.usual().longest();
    }
    if (wish.lifetime() != null && wish.lifetime().compareTo(lifetime) < 0) {
      lifetime = wish.lifetime();
    }
    if (lifetime.compareTo(Duration.ofSeconds(1)) < 0) {
      lifetime = Duration.ofSeconds(1);
    }
    // The next delegation takes one, the proxy that is acquired from it another.
    int length = 2 * allowed.hops();
    if (wish.pathLength() != null) {
      length = Math.min(length, wish.pathLength());
    }
    return new ProxyTerms(
        allowed.limited() || wish.limited() ? ProxyPolicy.LIMITED : ProxyPolicy.INHERIT_ALL,
        // Proxies from before RFC 3820 cannot say how far they go.
        row.legacy() ? null : Integer.valueOf(length),
        lifetime,
        row.legacy() ? ProxyForm.LEGACY : ProxyForm.RFC3820,
        false);
  }
}
