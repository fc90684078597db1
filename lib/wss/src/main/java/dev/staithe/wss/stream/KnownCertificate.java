package dev.staithe.wss.stream;

import dev.staithe.tls.PublicKeyOperations;
import dev.staithe.wss.Surroundings;
import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/**
 * A certificate with what is computed from it once.
 *
 * @param chain end entity first
 */
record KnownCertificate(
    List<X509Certificate> chain, byte[] encoded, byte[] thumbprint, PublicKeyOperations key) {
  private static final int MOST_OF_A_CHAIN = 10;

  static KnownCertificate of(List<X509Certificate> chain) {
    X509Certificate first = chain.getFirst();
    try {
      byte[] encoded = first.getEncoded();
      return new KnownCertificate(
          List.copyOf(chain),
          encoded,
          MessageDigest.getInstance("SHA-1").digest(encoded),
          PublicKeyOperations.of(first.getPublicKey()));
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a certificate that was read cannot be written", e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no SHA-1", e);
    }
  }

  /** What a {@code wsse:BinarySecurityToken} holds (X.509 token profile 1.1 section 3.1). */
  static KnownCertificate read(SecurityScan.Binary token) throws Strange {
    var in = new ByteArrayInputStream(token.content());
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      List<X509Certificate> chain = new ArrayList<>();
      if (token.type().endsWith("#X509v3")) {
        chain.add((X509Certificate) factory.generateCertificate(in));
      } else if (token.type().endsWith("#X509PKIPathv1")) {
        for (var each : factory.generateCertPath(in, "PkiPath").getCertificates()) {
          chain.add((X509Certificate) each);
        }
      }
      if (chain.isEmpty() || chain.size() > MOST_OF_A_CHAIN || in.available() > 0) {
        throw new Strange("a security token of another kind");
      }
      return of(chain);
    } catch (CertificateException e) {
      throw new Strange("a certificate that cannot be read");
    }
  }

  boolean matches(Surroundings.Name name) {
    X509Certificate first = chain.getFirst();
    return switch (name) {
      case Surroundings.Name.Thumbprint(byte[] sha1) -> Arrays.equals(thumbprint, sha1);
      case Surroundings.Name.KeyIdentifier(byte[] identifier) ->
          Arrays.equals(keyIdentifier(first), identifier);
      case Surroundings.Name.IssuerSerial(String issuer, var serial) ->
          first.getSerialNumber().equals(serial) && isIssued(first, issuer);
    };
  }

  private static boolean isIssued(X509Certificate certificate, String issuer) {
    try {
      return certificate.getIssuerX500Principal().equals(new X500Principal(issuer));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static byte @Nullable [] keyIdentifier(X509Certificate certificate) {
    byte[] extension = certificate.getExtensionValue("2.5.29.14");
    // An OCTET STRING in an OCTET STRING, both short.
    return extension == null || extension.length < 5 || extension[3] != extension.length - 4
        ? null
        : Arrays.copyOfRange(extension, 4, extension.length);
  }
}
