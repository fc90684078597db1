package dev.staithe.pki.ca;

import java.time.Instant;

/** What an authority says about one of its certificates (RFC 6960 §2.2). */
public sealed interface CertificateStatus {
  /** It was issued and is not revoked. */
  record Good() implements CertificateStatus {}

  /** It is withdrawn for good. */
  record Revoked(Instant at, RevocationReason reason) implements CertificateStatus {}

  /** The authority never issued it. */
  record Unknown() implements CertificateStatus {}
}
