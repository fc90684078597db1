package dev.staithe.delegation.client;

import dev.staithe.delegation.client.DelegationRefusal.Kind;
import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyRules;
import dev.staithe.pki.Pem;
import dev.staithe.pki.ca.CertificateRequest;
import dev.staithe.pki.grid.ProxySigner;
import dev.staithe.pki.grid.ProxySigning;
import dev.staithe.pki.grid.ProxyTerms;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.util.List;

/** Signs what a service asks for. */
final class Signing {
  private Signing() {}

  /** A proxy with whom it is signed by, as it is sent. */
  record Signed(String pem, Instant notAfter) {}

  /** Signs the key of a request; nothing else that the request says goes into the proxy. */
  static Outcome<Signed> sign(
      Credential by, String request, ProxyTerms terms, KeyRules rules, Clock clock) {
    return switch (CertificateRequest.read(request.getBytes(StandardCharsets.UTF_8), rules)) {
      case CertificateRequest.Refused(String line) ->
          Outcome.refused(Kind.BAD_ANSWER, "the service's key is not signed: " + line);
      case CertificateRequest.Accepted accepted ->
          switch (ProxySigner.sign(by, accepted.key(), terms, clock)) {
            case ProxySigning.Refused(String line) -> Outcome.refused(Kind.SIGNING, line);
            case ProxySigning.Signed(List<X509Certificate> chain) ->
                new Outcome.Done<>(new Signed(Pem.encode(chain), notAfter(chain)));
          };
    };
  }

  /** When the first certificate of a chain ends. */
  static Instant notAfter(List<X509Certificate> chain) {
    return chain.stream()
        .map(certificate -> certificate.getNotAfter().toInstant())
        .min(Instant::compareTo)
        .orElseThrow();
  }
}
