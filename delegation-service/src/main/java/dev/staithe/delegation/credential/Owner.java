package dev.staithe.delegation.credential;

import dev.staithe.pki.GridSubject;
import dev.staithe.pki.KeyKind;
import java.util.List;

/**
 * Who asks, by a certificate that was believed: as a delegator or, for {@link Delegations#acquire},
 * as the one that wants to act.
 *
 * @param subject of the certificate that an authority issued; never a proxy's own name
 * @param fqans of the VOMS attributes that the certificates carry, in their order; for telling
 *     delegations apart only
 * @param proxyKeys SHA-256, in hexadecimal, of the public keys (SubjectPublicKeyInfo) of the
 *     proxies on the way from what was shown to the person's own certificate; empty where that was
 *     shown. Tells a person from a service that acts for the person with what this service gave it,
 *     which may not reach for more
 * @param keyKind the kind that is nearest to the key of the certificate that an authority issued
 */
public record Owner(
    GridSubject subject, List<String> fqans, List<String> proxyKeys, KeyKind keyKind) {
  /** Copies the lists. */
  public Owner {
    fqans = List.copyOf(fqans);
    proxyKeys = List.copyOf(proxyKeys);
  }
}
