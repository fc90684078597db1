package dev.staithe.contracts.signature;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.crypto.impl.ECDSA;
import dev.staithe.pki.EcKeys;
import dev.staithe.pki.Pem;
import dev.staithe.pki.PemException;
import dev.staithe.pki.ca.AuthorityKey;
import dev.staithe.pki.keys.PrivateKeyOperations;
import dev.staithe.pki.seal.Pkcs11Token;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.ProviderException;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;

/**
 * The key by which a host signs what it agrees to: EC P-256, and not its TLS key. Immutable and
 * thread-safe.
 */
public final class ContractKey {
  /** Of an ES256 signature as JOSE, COSE and RFC 9421 section 3.3.4 have it: two numbers of 32. */
  static final int SIGNATURE_BYTES = 64;

  private final Signing key;
  private final PartyKey publicKey;

  /** Makes a DER signature by SHA-256 with ECDSA, in memory or in a token. */
  private interface Signing {
    byte[] sign(byte[] data) throws GeneralSecurityException;
  }

  private ContractKey(Signing key, PartyKey publicKey) {
    this.key = key;
    this.publicKey = publicKey;
  }

  /**
   * Reads a PEM file with one private key.
   *
   * @throws PemException with one line where there is none, or one that is not on P-256
   */
  public static ContractKey read(Path file) throws PemException {
    PrivateKey key = Pem.readPrivateKey(file);
    if (!(key instanceof ECPrivateKey ec)) {
      throw new PemException(file + " holds no EC key: expected one on the curve P-256");
    }
    return of(ec, EcKeys.publicOf(ec));
  }

  /**
   * Opens a key that stays in its token, and stays logged in to it. A certificate of that key must
   * be beside it, for the public half: who signed it and until when does not matter.
   *
   * @throws PemException with one line where the token or the key is not as said
   */
  public static ContractKey in(Pkcs11Token token) throws PemException {
    AuthorityKey key = AuthorityKey.pkcs11(token);
    try {
      if (key.certificate().getPublicKey() instanceof ECPublicKey ec) {
        return new ContractKey(key::sign, PartyKey.of(ec));
      }
    } catch (IllegalArgumentException otherCurve) {
      // Told below.
    }
    throw new PemException(token + " holds no EC key: expected one on the curve P-256");
  }

  /** Takes both halves of a key on P-256. */
  public static ContractKey of(ECPrivateKey key, ECPublicKey publicKey) {
    PrivateKeyOperations operations = PrivateKeyOperations.of(key);
    return new ContractKey(
        data -> operations.sign("SHA256withECDSA", data, 0, data.length), PartyKey.of(publicKey));
  }

  /** What others verify with. */
  public PartyKey publicKey() {
    return publicKey;
  }

  /** The key's id: its JWK thumbprint by SHA-256 (RFC 7638). */
  public String id() {
    return publicKey.id();
  }

  /** Signs with ES256; 64 bytes. */
  public byte[] sign(byte[] data) {
    try {
      return ECDSA.transcodeSignatureToConcat(key.sign(data), SIGNATURE_BYTES);
    } catch (GeneralSecurityException | ProviderException | JOSEException e) {
      throw new IllegalStateException("a key that signed before does not sign any more", e);
    }
  }

  /** The id alone. */
  @Override
  public String toString() {
    return "ContractKey[" + id() + "]";
  }
}
