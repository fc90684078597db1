package dev.staithe.contracts.person;

import com.nimbusds.jose.jwk.JWKSet;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.Hash;
import dev.staithe.contracts.signature.MessageSignature;
import dev.staithe.pki.TrustAnchors;
import dev.staithe.pki.grid.ClientChainRules;
import dev.staithe.pki.grid.ClientChainValidator;
import dev.staithe.pki.grid.ClientTrustFolder;
import dev.staithe.pki.grid.ClientVerdict;
import dev.staithe.pki.grid.ProxyHolder;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Whom an auditor believes about people, as of the time when they signed. Immutable.
 *
 * @param certificates authorities of certificates; null: none is asked
 * @param issuer the keys of an issuer of ID tokens; null: none is asked
 */
public record PersonAuthorities(@Nullable TrustAnchors certificates, @Nullable JWKSet issuer) {
  /** Nobody is asked, and findings say so. */
  public static final PersonAuthorities NONE = new PersonAuthorities(null, null);

  /** The person's clock when she signed, the issuer's, and that of the host that accepted it. */
  private static final Duration LEEWAY = MessageSignature.SKEW.multipliedBy(2);

  /**
   * Reads the keys of an issuer.
   *
   * @param certificates authorities of certificates; null: none is asked
   * @param issuer a JWK set, as the issuer publishes it; null: no issuer is asked
   * @throws ParseException where this is no JWK set
   */
  public static PersonAuthorities of(@Nullable TrustAnchors certificates, @Nullable String issuer)
      throws ParseException {
    return new PersonAuthorities(certificates, issuer == null ? null : JWKSet.parse(issuer));
  }

  /** What vouches for a person, and who answers for that. */
  public String vouched(Voucher voucher, Instant then) throws BadSignature {
    return switch (voucher) {
      case Voucher.Certificates person -> {
        X509Certificate first = person.chain().getFirst();
        yield (ProxyHolder.isProxy(first) ? "proxy" : "certificate")
            + " of sha-256 "
            + fingerprint(first)
            + " that ends at "
            + first.getNotAfter().toInstant()
            + ", "
            + vouched(person, then);
      }
      case BoundIdToken token ->
          "ID token that "
              + token.issuer()
              + " issued at "
              + token.issued()
              + ", "
              + vouched(token, then);
    };
  }

  private String vouched(Voucher.Certificates person, Instant then) throws BadSignature {
    if (certificates == null) {
      return "which no authority was asked about";
    }
    // What was withdrawn is the sender's to know, when it sends; a list of today says nothing of
    // then.
    return switch (new ClientChainValidator(
            ClientTrustFolder.of(TrustAnchors.of(certificates.certificates())),
            ClientChainRules.DEFAULT,
            Clock.fixed(then, ZoneOffset.UTC))
        .validate(person.chain())) {
      case ClientVerdict.Accepted accepted when accepted.subject().equals(person.subject()) ->
          "which a trusted authority vouched for then";
      case ClientVerdict.Accepted accepted ->
          throw new BadSignature("the certificate is of " + accepted.subject().name());
      case ClientVerdict.Refused(String reason) -> throw new BadSignature(reason);
    };
  }

  private String vouched(BoundIdToken token, Instant then) throws BadSignature {
    token.requireGood(then, LEEWAY, LEEWAY);
    if (issuer == null) {
      return "which no issuer was asked about";
    }
    token.requireSignedBy(issuer);
    return "which a key of that issuer signed, and which was good then";
  }

  private static String fingerprint(X509Certificate certificate) throws BadSignature {
    try {
      return HexFormat.of().formatHex(Hash.of(certificate.getEncoded()));
    } catch (CertificateEncodingException e) {
      throw new BadSignature("the certificate cannot be read");
    }
  }
}
