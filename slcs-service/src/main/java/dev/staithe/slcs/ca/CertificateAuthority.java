package dev.staithe.slcs.ca;

import dev.staithe.pki.CertificateIssuer;
import dev.staithe.pki.CertificateProfile;
import dev.staithe.pki.PersonCertificateRequest;
import dev.staithe.pki.RevocationReason;
import java.math.BigInteger;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Signs and remembers in memory. Thread-safe. */
public final class CertificateAuthority {
  /** What came of it. */
  public sealed interface Signed {
    /** A certificate. */
    record Made(X509Certificate certificate) implements Signed {}

    /** None. */
    record Refused(String line) implements Signed {}
  }

  /** One that was issued. */
  public record Entry(
      BigInteger serial,
      String subject,
      Instant notAfter,
      String owner,
      @Nullable Instant revoked) {}

  private final CertificateIssuer issuer;
  private final Map<BigInteger, Entry> entries = new ConcurrentHashMap<>();

  /** With a key. */
  public CertificateAuthority(CertificateIssuer issuer) {
    this.issuer = issuer;
  }

  /** Its own. */
  public List<X509Certificate> chain() {
    return List.of(issuer.certificate());
  }

  /** Signs. */
  public Signed issue(PersonCertificateRequest request, String owner) {
    X509Certificate made = issuer.issuePerson(request, CertificateProfile.plain());
    entries.put(
        made.getSerialNumber(),
        new Entry(
            made.getSerialNumber(),
            request.subject().slashes(),
            made.getNotAfter().toInstant(),
            owner,
            null));
    return new Signed.Made(made);
  }

  /** Somebody's. */
  public List<Entry> issuedTo(String owner) {
    return entries.values().stream().filter(entry -> entry.owner().equals(owner)).toList();
  }

  /** Withdraws. */
  public boolean revoke(BigInteger serial, RevocationReason reason) {
    return entries.containsKey(serial);
  }
}
