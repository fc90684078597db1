package dev.staithe.delegation.credential;

import dev.staithe.pki.KeyKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes delegations, keeps them, and signs proxies with them for those whom their owners named.
 * Every call writes a line to the audit log. An id that there is not, one of another owner, and one
 * that does not name the acquirer get the same answer. Thread-safe; several nodes may share a
 * store.
 */
public final class Delegations {
  /** The id of whoever names none: gLite's and FTS's, of the name and the FQANs. */
  public DelegationId standardId(Owner owner) {
    throw new UnsupportedOperationException();
  }

  /** The rules of a delegation whose owner gives none, as the settings have them. */
  public AcquireRules usualRules() {
    throw new UnsupportedOperationException();
  }

  /**
   * Makes a key and its request. Where there is a delegation of this id already it stays usable
   * until the new proxy is put. Several requests for one id may be open; each is good for one put.
   *
   * @param id null: {@link #standardId}
   * @param rules from the put on; null: as they are, or {@link #usualRules}
   * @param key null: as the settings say
   */
  public Begun begin(
      Owner owner, @Nullable DelegationId id, @Nullable AcquireRules rules, @Nullable KeyKind key) {
    throw new UnsupportedOperationException();
  }

  /** {@link #begin} for a delegation that there is; UNKNOWN where it is not. */
  public Begun renew(Owner owner, DelegationId id) {
    throw new UnsupportedOperationException();
  }

  /**
   * Takes a proxy for the key of an open request, which it closes.
   *
   * @param chainPem the proxy, then whom it is signed by, and so on
   */
  public Put put(Owner owner, DelegationId id, String chainPem) {
    throw new UnsupportedOperationException();
  }

  /** One of the caller's own. */
  public Looked look(Owner owner, DelegationId id) {
    throw new UnsupportedOperationException();
  }

  /** The certificates of one of the caller's own. */
  public Certificates certificates(Owner owner, DelegationId id) {
    throw new UnsupportedOperationException();
  }

  /** The caller's own, those that end first before others. */
  public List<Delegation> list(Owner owner) {
    throw new UnsupportedOperationException();
  }

  /** Forgets a delegation and its open requests. */
  public Ended destroy(Owner owner, DelegationId id) {
    throw new UnsupportedOperationException();
  }

  /** Gives a delegation other rules; uses go on being counted. */
  public Ruled allow(Owner owner, DelegationId id, AcquireRules rules) {
    throw new UnsupportedOperationException();
  }

  /**
   * Signs a proxy for the key of a request.
   *
   * @param requestPem PKCS#10 with the proof that the acquirer has the key
   */
  public Acquired acquire(Owner acquirer, Wanted which, String requestPem, Wish wish) {
    throw new UnsupportedOperationException();
  }
}
