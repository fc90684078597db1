package dev.staithe.pki.ca;

import dev.staithe.pki.ca.OcspAnswer.Outcome;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.function.Function;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.ocsp.OCSPObjectIdentifiers;
import org.bouncycastle.asn1.oiw.OIWObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;
import org.bouncycastle.cert.ocsp.BasicOCSPRespBuilder;
import org.bouncycastle.cert.ocsp.CertificateID;
import org.bouncycastle.cert.ocsp.OCSPException;
import org.bouncycastle.cert.ocsp.OCSPReq;
import org.bouncycastle.cert.ocsp.OCSPResp;
import org.bouncycastle.cert.ocsp.OCSPRespBuilder;
import org.bouncycastle.cert.ocsp.Req;
import org.bouncycastle.cert.ocsp.RevokedStatus;
import org.bouncycastle.cert.ocsp.UnknownStatus;
import org.bouncycastle.operator.DigestCalculatorProvider;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Says which of an authority's certificates are revoked (RFC 6960). Signs with the authority's key
 * or with one of {@link CertificateIssuer#issueOcspResponder}. Thread-safe as far as its lookup is.
 */
public final class OcspResponder {
  /** Longer requests are refused unread: one certificate takes some 80 bytes. */
  public static final int MAX_BYTES = 4 * 1024;

  private static final int MOST_CERTIFICATES = 16;

  /** RFC 9654 §2.1. */
  private static final int LONGEST_NONCE = 128;

  /** A little early, so that an asker whose clock is late believes it. */
  private static final Duration SKEW = Duration.ofMinutes(5);

  private final AuthorityKey signer;
  private final Function<BigInteger, CertificateStatus> lookup;
  private final Duration validity;
  private final Clock clock;
  private final List<Issuer> issuers = new ArrayList<>();
  private final BasicId id;

  /** How an asker names the authority: by digests of its name and of its key. */
  private record Issuer(ASN1ObjectIdentifier digest, byte[] name, byte[] key) {
    boolean is(CertificateID asked) {
      return digest.equals(asked.getHashAlgOID())
          && MessageDigest.isEqual(name, asked.getIssuerNameHash())
          && MessageDigest.isEqual(key, asked.getIssuerKeyHash());
    }
  }

  /** What every answer says of who signed it. */
  private record BasicId(
      X509CertificateHolder certificate, DigestCalculatorProvider digests, boolean sent) {}

  /**
   * A responder for one authority.
   *
   * @param authority its certificate
   * @param signer its key, or one that it lets answer
   * @param lookup the status of a serial number
   * @param validity until when an answer may be kept, positive; also of a negative one
   * @throws IllegalArgumentException where the signer's certificate is not the authority's and may
   *     not sign answers
   */
  public OcspResponder(
      X509Certificate authority,
      AuthorityKey signer,
      Function<BigInteger, CertificateStatus> lookup,
      Duration validity,
      Clock clock) {
    this.signer = signer;
    this.lookup = lookup;
    this.validity = validity;
    this.clock = clock;
    boolean delegated = !signer.certificate().equals(authority);
    try {
      if (delegated) {
        signer.certificate().verify(authority.getPublicKey());
        var purposes = signer.certificate().getExtendedKeyUsage();
        if (purposes == null || !purposes.contains("1.3.6.1.5.5.7.3.9")) {
          throw new IllegalArgumentException("a key that may not sign OCSP answers");
        }
      }
      var digests = new JcaDigestCalculatorProviderBuilder().build();
      var holder = new JcaX509CertificateHolder(authority);
      for (ASN1ObjectIdentifier digest :
          List.of(OIWObjectIdentifiers.idSHA1, NISTObjectIdentifiers.id_sha256)) {
        var named =
            new CertificateID(digests.get(new AlgorithmIdentifier(digest)), holder, BigInteger.ONE);
        issuers.add(new Issuer(digest, named.getIssuerNameHash(), named.getIssuerKeyHash()));
      }
      this.id = new BasicId(new JcaX509CertificateHolder(signer.certificate()), digests, delegated);
    } catch (GeneralSecurityException | OperatorCreationException | OCSPException e) {
      throw new IllegalArgumentException("not a responder of this authority", e);
    }
  }

  /**
   * Answers.
   *
   * @param request the OCSPRequest of RFC 6960 §4.1.1
   */
  public OcspAnswer answer(byte[] request) {
    if (request.length > MAX_BYTES) {
      return failure(OCSPResp.MALFORMED_REQUEST, Outcome.MALFORMED);
    }
    OCSPReq read;
    Req[] asked;
    Extension nonce;
    try {
      read = new OCSPReq(request);
      asked = read.getRequestList();
      nonce = read.getExtension(OCSPObjectIdentifiers.id_pkix_ocsp_nonce);
      if (asked.length == 0
          || asked.length > MOST_CERTIFICATES
          || asksForMore(read)
          || !isNonce(nonce)) {
        return failure(OCSPResp.MALFORMED_REQUEST, Outcome.MALFORMED);
      }
    } catch (IOException | RuntimeException | StackOverflowError e) {
      return failure(OCSPResp.MALFORMED_REQUEST, Outcome.MALFORMED);
    }
    if (List.of(asked).stream().noneMatch(this::isOurs)) {
      // RFC 5019 §2.2.3; spares a signature for whoever asks about anything.
      return failure(OCSPResp.UNAUTHORIZED, Outcome.NOT_OURS);
    }
    try {
      return signed(asked, nonce);
    } catch (GeneralSecurityException | OCSPException | IOException e) {
      return failure(OCSPResp.INTERNAL_ERROR, Outcome.FAILED);
    }
  }

  private OcspAnswer signed(Req[] asked, @Nullable Extension nonce)
      throws GeneralSecurityException, OCSPException, IOException {
    Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    Instant until = now.plus(validity);
    BasicOCSPRespBuilder builder;
    try {
      builder =
          new BasicOCSPRespBuilder(
              id.certificate().getSubjectPublicKeyInfo(),
              id.digests().get(CertificateID.HASH_SHA1));
    } catch (OperatorCreationException e) {
      throw new GeneralSecurityException(e);
    }
    for (Req one : asked) {
      builder.addResponse(
          one.getCertID(), status(one), Date.from(now.minus(SKEW)), Date.from(until), null);
    }
    if (nonce != null) {
      builder.setResponseExtensions(new Extensions(nonce));
    }
    var certificates =
        id.sent() ? new X509CertificateHolder[] {id.certificate()} : new X509CertificateHolder[0];
    var basic = builder.build(signer.signer(), certificates, Date.from(now));
    return new OcspAnswer(
        new OCSPRespBuilder().build(OCSPResp.SUCCESSFUL, basic).getEncoded(),
        Outcome.ANSWERED,
        nonce == null ? until : null);
  }

  private org.bouncycastle.cert.ocsp.@Nullable CertificateStatus status(Req one) {
    if (!isOurs(one)) {
      return new UnknownStatus();
    }
    return switch (lookup.apply(one.getCertID().getSerialNumber())) {
      case CertificateStatus.Good _ -> org.bouncycastle.cert.ocsp.CertificateStatus.GOOD;
      case CertificateStatus.Revoked revoked ->
          new RevokedStatus(Date.from(revoked.at()), revoked.reason().code());
      case CertificateStatus.Unknown _ -> new UnknownStatus();
    };
  }

  private boolean isOurs(Req one) {
    return issuers.stream().anyMatch(issuer -> issuer.is(one.getCertID()));
  }

  /** A critical extension that is not understood must not be passed over (RFC 5280 §4.2). */
  private static boolean asksForMore(OCSPReq request) {
    for (Object oid : request.getCriticalExtensionOIDs()) {
      if (!oid.equals(OCSPObjectIdentifiers.id_pkix_ocsp_nonce)) {
        return true;
      }
    }
    for (Req one : request.getRequestList()) {
      Extensions more = one.getSingleRequestExtensions();
      if (more != null && more.hasAnyCriticalExtensions()) {
        return true;
      }
    }
    return false;
  }

  private static boolean isNonce(@Nullable Extension nonce) {
    if (nonce == null) {
      return true;
    }
    byte[] value = nonce.getExtnValue().getOctets();
    // Old clients put the bytes there without an OCTET STRING of their own: OpenSSL before 1.0.
    int length =
        value.length > 0 && value[0] == 4
            ? ASN1OctetString.getInstance(nonce.getParsedValue()).getOctets().length
            : value.length;
    return length > 0 && length <= LONGEST_NONCE;
  }

  private static OcspAnswer failure(int status, Outcome outcome) {
    try {
      return new OcspAnswer(new OCSPRespBuilder().build(status, null).getEncoded(), outcome, null);
    } catch (OCSPException | IOException e) {
      throw new IllegalStateException("five bytes that cannot be encoded", e);
    }
  }
}
