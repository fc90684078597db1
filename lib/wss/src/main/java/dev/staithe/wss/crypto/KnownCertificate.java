package dev.staithe.wss.crypto;

import dev.staithe.pki.keys.PublicKeyOperations;
import dev.staithe.wss.SecurityElements;
import dev.staithe.wss.Surroundings;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.security.spec.MGF1ParameterSpec;
import java.util.Arrays;
import java.util.List;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/**
 * A certificate with what is computed from it once.
 *
 * @param chain end entity first
 */
public record KnownCertificate(
    List<X509Certificate> chain, byte[] encoded, byte[] thumbprint, PublicKeyOperations key) {
  /** Of a chain, end entity first. */
  public static KnownCertificate of(List<X509Certificate> chain) {
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

  /**
   * Whether a signature fits.
   *
   * @param uri of the signature
   * @param value as XML Signature writes it; one that is no such thing at all does not fit
   * @throws GeneralSecurityException where the key is not of that kind
   */
  public boolean verify(String uri, byte[] data, int from, int length, byte[] value)
      throws GeneralSecurityException {
    String algorithm = AlgorithmNames.signature(uri);
    byte[] written = uri.contains("#ecdsa-") ? Ecdsa.toDer(value) : value;
    return algorithm != null
        && written != null
        && key.verify(algorithm, data, from, length, written);
  }

  /**
   * Encrypts a key for the holder.
   *
   * @param transport URI of the key transport, whose hash goes with it
   */
  public byte[] wrap(String transport, byte[] secret) throws GeneralSecurityException {
    String hash = AlgorithmNames.digest(SecurityElements.oaepDigestOf(transport));
    if (hash == null) {
      throw new GeneralSecurityException("a digest that is not known");
    }
    return key.wrap(secret, oaep(hash, hash));
  }

  static OAEPParameterSpec oaep(String digest, String mask) {
    return new OAEPParameterSpec(
        digest, "MGF1", new MGF1ParameterSpec(mask), PSource.PSpecified.DEFAULT);
  }

  /** Whether it is what a message names. */
  public boolean matches(Surroundings.Name name) {
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
