package dev.staithe.pki.grid;

import dev.staithe.pki.grid.DelegatedChainVerdict.Reason;
import eu.emi.security.authn.x509.RevocationParameters;
import eu.emi.security.authn.x509.ValidationError;
import eu.emi.security.authn.x509.ValidationResult;
import eu.emi.security.authn.x509.helpers.ObserversHandler;
import eu.emi.security.authn.x509.helpers.pkipath.BCCertPathValidator;
import eu.emi.security.authn.x509.helpers.pkipath.ExtPKIXParameters2;
import eu.emi.security.authn.x509.impl.CertificateUtils;
import java.security.GeneralSecurityException;
import java.security.Security;
import java.security.cert.CertStore;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import org.bouncycastle.jcajce.PKIXExtendedParameters;
import org.jspecify.annotations.Nullable;

/**
 * The rules of RFC 5280 section 6 for a path and those of RFC 3820 for the proxies at its begin, as
 * canl knows them, at a time that is given. Of canl only the judge is used and not its stores,
 * which read files in threads of their own.
 */
final class ProxyPathRules extends BCCertPathValidator {
  static {
    // While a certificate is decoded the Java runtime hands it each RSA key that it refuses itself.
    // To test 16384 bits for being a prime takes a second, before anybody can count or refuse.
    Security.setProperty("org.bouncycastle.rsa.max_mr_tests", "0");
    // canl asks for Bouncy Castle by its registered name. It comes last: no default changes.
    CertificateUtils.configureSecProvider();
  }

  private final Date at;

  private ProxyPathRules(Instant at) {
    this.at = Date.from(at);
  }

  /** What stands against the path at that time, as one line, or null for nothing. */
  static @Nullable ChainFault against(PathSearch.Found path, Instant at) {
    try {
      ValidationResult result =
          new ProxyPathRules(at)
              .validate(
                  path.certificates().toArray(X509Certificate[]::new),
                  true,
                  Set.of(new TrustAnchor(path.anchor(), null)),
                  CertStore.getInstance("Collection", new CollectionCertStoreParameters(List.of())),
                  RevocationParameters.IGNORE,
                  new ObserversHandler());
      if (result.isValid()) {
        return null;
      }
      return result.getErrors().stream()
          .findFirst()
          .map(ProxyPathRules::fault)
          .orElseGet(
              () ->
                  new ChainFault(
                      Reason.UNTRUSTED,
                      "the certificates have a critical extension that is not known here"));
    } catch (GeneralSecurityException | RuntimeException e) {
      // What canl and Bouncy Castle throw at some malformed certificates.
      return new ChainFault(Reason.MALFORMED, "the certificates cannot be understood");
    }
  }

  private static ChainFault fault(ValidationError error) {
    Reason reason =
        switch (error.getErrorCode()) {
          case proxyLength -> Reason.PATH_LENGTH;
          case proxyInconsistentlyLimited, proxyTypeInconsistent -> Reason.POLICY;
          case proxySubjectBaseWrong,
              proxySubjectInconsistent,
              proxySubjectOneRDN,
              proxySubjectMultiLastRDN,
              proxySubjectLastRDNNotCN ->
              Reason.SUBJECT;
          default -> Reason.UNTRUSTED;
        };
    return new ChainFault(reason, line(error));
  }

  private static String line(ValidationError error) {
    return switch (error.getErrorCode()) {
      case proxyLength -> "a proxy certificate has more proxies below it than it allows";
      case proxyInconsistentlyLimited -> "a proxy certificate is not limited, but the one above is";
      case proxyIssuerNoDsig ->
          "a proxy certificate is signed by a key that may not sign (digitalSignature)";
      case proxyIssuedByCa -> "a proxy certificate is issued by an authority";
      case proxyEECInChain -> "a certificate that is no proxy stands below a proxy";
      case proxyTypeInconsistent -> "proxies of different kinds stand in one chain";
      case proxySubjectBaseWrong, proxySubjectInconsistent ->
          "the name of a proxy certificate does not begin with that of its maker";
      case proxyCASet -> "a proxy certificate claims to be an authority";
      default -> "the certificates break a rule: " + error.getErrorCode();
    };
  }

  @Override
  protected ExtPKIXParameters2 createPKIXParameters(
      X509Certificate[] chain,
      boolean proxies,
      Set<TrustAnchor> anchors,
      CertStore lists,
      RevocationParameters revocation,
      ObserversHandler observers) {
    // canl's own take the time of the machine.
    PKIXParameters base =
        super.createPKIXParameters(chain, proxies, anchors, lists, revocation, observers)
            .getBaseOfBase();
    base.setDate(at);
    return new ExtPKIXParameters2.Builder(
            new PKIXExtendedParameters.Builder(base), base, anchors, observers)
        .setRevocationParams(revocation)
        .setProxySupport(proxies)
        .build();
  }
}
