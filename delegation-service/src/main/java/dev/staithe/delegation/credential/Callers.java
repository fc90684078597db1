package dev.staithe.delegation.credential;

import dev.staithe.pki.KeyKind;
import dev.staithe.pki.grid.ClientVerdict;
import dev.staithe.pki.grid.VomsAttributes;
import dev.staithe.service.log.AuditLog;
import dev.staithe.tls.ClientCertificates;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells who a request comes from. Who shows no certificate, or one that is not believed, is a line
 * of the audit log. Thread-safe.
 */
public final class Callers {
  /** Where a servlet request has the certificates: its attribute of this name. */
  public static final String CERTIFICATES = "jakarta.servlet.request.X509Certificate";

  private static final int LARGE_RSA_BITS = 3072;

  private final ClientCertificates certificates;
  private final AuditLog audit;

  /** By that trust. */
  public Callers(ClientCertificates certificates, AuditLog audit) {
    this.certificates = certificates;
    this.audit = audit;
  }

  /**
   * Judges the certificates of a connection.
   *
   * @param shown the request's attribute {@link #CERTIFICATES}, the client's own first
   */
  public Caller of(X509Certificate @Nullable [] shown) {
    if (shown == null || shown.length == 0) {
      return refused("no-certificate", "a client certificate is needed, or a proxy of one");
    }
    List<X509Certificate> chain = List.of(shown);
    return switch (certificates.verdict(chain)) {
      case ClientVerdict.Accepted accepted
          when accepted.subject().name().length() > AcquireRules.LONGEST_NAME ->
          refused(
              "long-name",
              "the name in the certificate is longer than "
                  + AcquireRules.LONGEST_NAME
                  + " characters, which is more than is kept here");
      case ClientVerdict.Accepted accepted -> known(accepted, certificates.attributes(chain));
      case ClientVerdict.Refused(String reason) -> refused("not-believed", reason);
    };
  }

  private Caller refused(String outcome, String line) {
    audit.line("delegation.call", outcome).with("reason", line).write();
    return new Caller.Refused(line);
  }

  private static Caller known(ClientVerdict.Accepted accepted, List<VomsAttributes> attributes) {
    List<String> proxies =
        accepted.path().stream()
            .limit(accepted.proxies())
            .map(each -> SealedKeys.digest(each.getPublicKey()))
            .toList();
    PublicKey own = accepted.path().get(accepted.proxies()).getPublicKey();
    List<String> fqans =
        attributes.stream().flatMap(each -> each.fqans().stream()).distinct().toList();
    return new Caller.Known(new Owner(accepted.subject(), fqans, proxies, kind(own)));
  }

  private static KeyKind kind(PublicKey key) {
    if (key instanceof RSAKey rsa) {
      return rsa.getModulus().bitLength() >= LARGE_RSA_BITS ? KeyKind.RSA_3072 : KeyKind.RSA_2048;
    }
    return KeyKind.EC_P256;
  }
}
