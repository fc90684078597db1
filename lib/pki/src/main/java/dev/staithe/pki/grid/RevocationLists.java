package dev.staithe.pki.grid;

import dev.staithe.pki.TrustAnchors;
import dev.staithe.pki.grid.ClientChainRules.Revocation;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/**
 * Revocation lists (RFC 5280 section 5) by their authority, all in memory: nothing is read or
 * fetched while a client waits, and the signature of a list, which can be long, is verified once.
 * Thread-safe.
 */
final class RevocationLists {
  /** What is said against a certificate that its authority has withdrawn. */
  static final String REVOKED = "has been revoked";

  private static final int CRL_SIGN = 6;

  private record CachedList(X509CRL list, Map<PublicKey, Boolean> signers) {
    boolean signedBy(PublicKey key) {
      return signers.computeIfAbsent(key, this::verified);
    }

    private boolean verified(PublicKey key) {
      try {
        list.verify(key);
        return true;
      } catch (GeneralSecurityException | RuntimeException e) {
        return false;
      }
    }

    /** A list with a critical extension covers only a part, or says only what changed (5.2). */
    boolean whole() {
      Set<String> critical = list.getCriticalExtensionOIDs();
      return critical == null || critical.isEmpty();
    }

    boolean current(Instant now) {
      return list.getNextUpdate() != null
          && !now.isAfter(list.getNextUpdate().toInstant())
          && !now.plus(ClientChainValidator.SKEW).isBefore(list.getThisUpdate().toInstant());
    }
  }

  private final Map<X500Principal, List<CachedList>> byIssuer = new HashMap<>();

  RevocationLists(TrustAnchors trust) {
    for (X509CRL list : trust.crls()) {
      CachedList held = new CachedList(list, new ConcurrentHashMap<>());
      byIssuer.computeIfAbsent(list.getIssuerX500Principal(), name -> new ArrayList<>()).add(held);
      for (X509Certificate anchor : trust.certificates()) {
        if (anchor.getSubjectX500Principal().equals(list.getIssuerX500Principal())) {
          // Now, and not while the first client waits.
          held.signedBy(anchor.getPublicKey());
        }
      }
    }
  }

  /** What lists say against the certificate, as the end of a sentence, or null for nothing. */
  @Nullable String against(
      X509Certificate certificate, X509Certificate issuer, Revocation mode, Instant now) {
    if (mode == Revocation.IGNORE) {
      return null;
    }
    boolean[] usage = issuer.getKeyUsage();
    boolean signsLists = usage == null || usage[CRL_SIGN];
    boolean any = false;
    boolean current = false;
    for (CachedList held : byIssuer.getOrDefault(certificate.getIssuerX500Principal(), List.of())) {
      if (!signsLists || !held.signedBy(issuer.getPublicKey())) {
        continue;
      }
      if (held.list().getRevokedCertificate(certificate.getSerialNumber()) != null) {
        return REVOKED;
      }
      any = true;
      current |= held.whole() && held.current(now);
    }
    return switch (mode) {
      case REQUIRE ->
          current ? null : "cannot be checked: its authority has no current revocation list";
      case IF_PRESENT ->
          current || !any
              ? null
              : "cannot be checked: the revocation list of its authority is overdue";
      case IF_VALID, IGNORE -> null;
    };
  }
}
