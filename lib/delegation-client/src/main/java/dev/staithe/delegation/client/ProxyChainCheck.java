package dev.staithe.delegation.client;

import dev.staithe.delegation.client.DelegationRefusal.Kind;
import dev.staithe.pki.Credential;
import dev.staithe.pki.GridSubject;
import dev.staithe.pki.Pem;
import dev.staithe.pki.PemException;
import dev.staithe.pki.RequestedKey;
import dev.staithe.pki.grid.ProxyHolder;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks what a service gives for a key of ours: that it is for that key, that each certificate is
 * signed by the next, and for whom it is. Whether the authority behind it is trusted is for those
 * to judge to whom it is shown.
 */
final class ProxyChainCheck {
  /** More certificates than any chain that is accepted anywhere. */
  private static final int MOST = 12;

  private ProxyChainCheck() {}

  static Outcome<Acquired> check(
      RequestedKey key, String chainPem, @Nullable GridSubject delegator, Clock clock) {
    List<X509Certificate> chain;
    try {
      chain = Pem.parseCertificates(chainPem, "the service's answer");
    } catch (PemException e) {
      return bad("the service's answer holds no readable certificates");
    }
    if (chain.size() < 2 || chain.size() > MOST) {
      return bad("the service's answer holds " + chain.size() + " certificates: no proxy's chain");
    }
    if (!chain.getFirst().getPublicKey().equals(key.publicKey())) {
      return bad("the service's proxy is for another key than ours");
    }
    for (int i = 0; i + 1 < chain.size(); i++) {
      if (!signedBy(chain.get(i), chain.get(i + 1))) {
        return bad("a certificate of the service's answer is not signed by the next");
      }
    }
    Optional<GridSubject> holder = ProxyHolder.of(chain);
    if (holder.isEmpty() || ProxyHolder.isProxy(chain.getFirst()) == false) {
      return bad("the service's answer is no proxy of a person's certificate");
    }
    if (delegator != null && !holder.get().name().equals(delegator.name())) {
      return bad("the service's proxy acts for " + holder.get() + ", and not for " + delegator);
    }
    Instant notAfter = Signing.notAfter(chain);
    if (!notAfter.isAfter(clock.instant())) {
      return bad("the service's proxy has ended already");
    }
    return new Outcome.Done<>(
        new Acquired(new Credential(key.key(), chain), holder.get(), notAfter));
  }

  private static boolean signedBy(X509Certificate certificate, X509Certificate issuer) {
    if (!certificate.getIssuerX500Principal().equals(issuer.getSubjectX500Principal())) {
      return false;
    }
    try {
      certificate.verify(issuer.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static Outcome<Acquired> bad(String line) {
    return Outcome.refused(Kind.BAD_ANSWER, line);
  }
}
