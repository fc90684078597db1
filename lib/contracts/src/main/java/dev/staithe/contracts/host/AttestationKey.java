package dev.staithe.contracts.host;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import dev.staithe.contracts.signature.Hash;
import dev.staithe.pki.Pem;
import dev.staithe.pki.PemException;
import dev.staithe.pki.keys.PublicKeyOperations;
import java.math.BigInteger;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.text.ParseException;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The public half of the key by which a TPM signs its quotes: on P-256, or RSA of 2048 to 4096 bits
 * whose exponent has 32 at most (TPM 2.0 Library, Part 2, section 12.2, TPMS_RSA_PARMS). That it is
 * a restricted key of a TPM, which signs nothing else that looks like a quote, is the word of
 * whoever gives it away. Immutable and thread-safe.
 */
public final class AttestationKey {
  private static final String BEGIN = "-----BEGIN PUBLIC KEY-----";
  private static final int LEAST_RSA = 2048;
  private static final int MOST_RSA = 4096;

  /** TPMT_SIGNATURE of the longest key: two algorithms, a length, and its bytes. */
  static final int MOST_SIGNATURE_BYTES = 3 * Short.BYTES + MOST_RSA / Byte.SIZE;

  private static final int RSASSA = 0x0014; // TPM_ALG_RSASSA
  private static final int ECDSA = 0x0018; // TPM_ALG_ECDSA
  private static final int SHA256 = 0x000b; // TPM_ALG_SHA256

  private final JWK jwk;
  private final String id;
  private final PublicKeyOperations key;

  private AttestationKey(JWK jwk, String id, PublicKeyOperations key) {
    this.jwk = jwk;
    this.id = id;
    this.key = key;
  }

  /**
   * Takes a key.
   *
   * @throws IllegalArgumentException with what is expected, where it is of another kind or length
   */
  public static AttestationKey of(PublicKey key) {
    try {
      JWK jwk =
          switch (key) {
            case ECPublicKey ec -> new ECKey.Builder(Curve.P_256, ec).build();
            case RSAPublicKey rsa
                when rsa.getModulus().bitLength() >= LEAST_RSA
                    && rsa.getModulus().bitLength() <= MOST_RSA
                    && rsa.getPublicExponent().bitLength() <= Integer.SIZE ->
                new RSAKey.Builder(rsa).build();
            default -> throw new IllegalArgumentException("of another kind");
          };
      String id = jwk.computeThumbprint().toString();
      return new AttestationKey(jwk, id, PublicKeyOperations.of(key));
    } catch (JOSEException | IllegalArgumentException | IllegalStateException other) {
      // Of a point that is not on the curve its library says the state is illegal.
      throw new IllegalArgumentException(
          "expected a key on the curve P-256, or RSA of 2048 to 4096 bits", other);
    }
  }

  /**
   * Reads a PEM file with a public key (RFC 7468 section 13), as {@code tpm2_readpublic} writes it.
   *
   * @throws PemException with one line where there is none, or one of another kind
   */
  public static AttestationKey read(Path file) throws PemException {
    String text = Pem.readText(file);
    int begin = text.indexOf(BEGIN);
    if (begin < 0) {
      throw new PemException(file + " holds no public key: expected a block " + BEGIN);
    }
    String encoded = text.substring(begin + BEGIN.length());
    int end = encoded.indexOf('-');
    for (String algorithm : new String[] {"EC", "RSA"}) {
      try {
        byte[] der = Base64.getMimeDecoder().decode(end < 0 ? encoded : encoded.substring(0, end));
        return of(KeyFactory.getInstance(algorithm).generatePublic(new X509EncodedKeySpec(der)));
      } catch (GeneralSecurityException | IllegalArgumentException another) {
        // Told below, where it is none of the two.
      }
    }
    throw new PemException(
        file + " holds no attestation key: expected one on P-256, or RSA of 2048 to 4096 bits");
  }

  /**
   * Reads a JWK (RFC 7517 section 4).
   *
   * @throws ParseException where this is none that a quote may be by
   */
  static AttestationKey ofJson(Map<String, Object> json) throws ParseException {
    try {
      return switch (JWK.parse(json)) {
        case ECKey ec -> of(ec.toECPublicKey());
        case RSAKey rsa -> of(rsa.toRSAPublicKey());
        default -> throw new ParseException("no attestation key", 0);
      };
    } catch (JOSEException | IllegalArgumentException other) {
      throw new ParseException("no attestation key", 0);
    }
  }

  /** As a JWK. */
  Map<String, Object> json() {
    return jwk.toPublicJWK().toJSONObject();
  }

  /** Its JWK thumbprint by SHA-256 (RFC 7638), in base64url. */
  public String id() {
    return id;
  }

  /**
   * Whether this key made that signature, by SHA-256; one that is no such thing at all does not
   * fit.
   *
   * @param signature a TPMT_SIGNATURE (TPM 2.0 Library, Part 2, section 11.3)
   */
  boolean verify(byte[] data, byte[] signature) {
    if (signature.length > MOST_SIGNATURE_BYTES) {
      return false;
    }
    try {
      ByteBuffer from = ByteBuffer.wrap(signature);
      int scheme = Short.toUnsignedInt(from.getShort());
      if (Short.toUnsignedInt(from.getShort()) != SHA256
          || scheme != (jwk instanceof ECKey ? ECDSA : RSASSA)) {
        return false;
      }
      byte[] value = scheme == ECDSA ? der(sized(from), sized(from)) : sized(from);
      return !from.hasRemaining()
          && key.verify(
              scheme == ECDSA ? "SHA256withECDSA" : "SHA256withRSA", data, 0, data.length, value);
    } catch (GeneralSecurityException | BufferUnderflowException | IllegalArgumentException none) {
      return false;
    }
  }

  /** Keys of one thumbprint are one key. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof AttestationKey same && id.equals(same.id);
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }

  /** The id alone. */
  @Override
  public String toString() {
    return "AttestationKey[" + id + "]";
  }

  private static byte[] sized(ByteBuffer from) {
    int size = Short.toUnsignedInt(from.getShort());
    if (size > from.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[size];
    from.get(bytes);
    return bytes;
  }

  /** Both numbers of ECDSA (TPMS_SIGNATURE_ECDSA), as RFC 3279 section 2.2.3 has them. */
  private static byte[] der(byte[] r, byte[] s) {
    byte[] first = number(r);
    byte[] second = number(s);
    return ByteBuffer.allocate(2 + first.length + second.length)
        .put((byte) 0x30)
        .put((byte) (first.length + second.length))
        .put(first)
        .put(second)
        .array();
  }

  private static byte[] number(byte[] unsigned) {
    if (unsigned.length == 0 || unsigned.length > Hash.BYTES) {
      throw new IllegalArgumentException("no number of this curve");
    }
    byte[] signed = new BigInteger(1, unsigned).toByteArray();
    return ByteBuffer.allocate(2 + signed.length)
        .put((byte) 0x02)
        .put((byte) signed.length)
        .put(signed)
        .array();
  }
}
