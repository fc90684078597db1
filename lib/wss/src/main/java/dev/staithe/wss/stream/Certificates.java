package dev.staithe.wss.stream;

import dev.staithe.pki.Credential;
import dev.staithe.tls.PrivateKeyOperations;
import dev.staithe.wss.Surroundings;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Certificates that were read before, ours among them, so that keys are converted once. Who is
 * believed is asked for each message. Bounded; thread-safe.
 */
final class Certificates {
  private static final int MOST = 4_096;

  /** Our own key and certificate. */
  record Own(PrivateKey source, PrivateKeyOperations key, KnownCertificate certificate) {}

  /** What a token is: the same octets of another type are another, which may be none at all. */
  private record Content(String type, byte[] octets) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Content(String otherType, byte[] others)
          && Arrays.equals(octets, others)
          && type.equals(otherType);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(octets);
    }
  }

  private final Surroundings surroundings;
  private final ConcurrentHashMap<Content, KnownCertificate> brought = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<X509Certificate, KnownCertificate> found =
      new ConcurrentHashMap<>();
  private volatile @Nullable Own own;

  Certificates(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /** Ours, as it is now. */
  Own own() {
    Credential credential = surroundings.own().get();
    Own known = own;
    if (known == null
        || known.source() != credential.key()
        || known.certificate().chain().getFirst() != credential.certificate()) {
      known =
          new Own(
              credential.key(),
              PrivateKeyOperations.of(credential.key()),
              KnownCertificate.of(credential.chain()));
      own = known;
    }
    return known;
  }

  /** What a token brought. */
  KnownCertificate of(SecurityScan.Binary token) throws Strange {
    KnownCertificate known = brought.get(new Content(token.type(), token.content()));
    return known == null ? KnownCertificate.read(token) : known;
  }

  /** Keeps what a token brought, once it is believed: strangers fill no memory. */
  void keep(SecurityScan.Binary token, KnownCertificate certificate) {
    if (brought.size() >= MOST) {
      brought.clear();
    }
    brought.putIfAbsent(new Content(token.type(), token.content()), certificate);
  }

  /** What a name stands for that brings no certificate; null where none is known. */
  @Nullable KnownCertificate find(Surroundings.Name name) {
    X509Certificate certificate = surroundings.signers().find(name);
    return certificate == null ? null : of(certificate);
  }

  /** One that was judged before. */
  KnownCertificate of(X509Certificate certificate) {
    KnownCertificate known = found.get(certificate);
    if (known == null) {
      known = KnownCertificate.of(List.of(certificate));
      if (found.size() >= MOST) {
        found.clear();
      }
      found.put(certificate, known);
    }
    return known;
  }
}
