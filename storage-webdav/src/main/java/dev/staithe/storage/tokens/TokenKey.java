package dev.staithe.storage.tokens;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.text.ParseException;
import java.time.Instant;
import java.util.HexFormat;
import javax.crypto.spec.SecretKeySpec;

/** A key that tokens are made with. */
sealed interface TokenKey {
  /** For tokens and logs: 16 hexadecimal digits that tell nothing of it. */
  String id();

  /** When it was made. */
  Instant made();

  /** What is sealed. */
  byte[] secret();

  /** The name of its kind in the file. */
  String kind();

  /**
   * For macaroons.
   *
   * @param root 32 random bytes
   * @param key that is derived from it
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Root(String id, Instant made, byte[] root, SecretKeySpec key) implements TokenKey {
    static final String KIND = "macaroon";

    static Root make(Instant now, SecureRandom random) {
      byte[] root = new byte[32];
      random.nextBytes(root);
      return read(newId(random), now, root);
    }

    static Root read(String id, Instant made, byte[] root) {
      return new Root(id, made, root, Macaroon.key(root));
    }

    @Override
    public byte[] secret() {
      return root.clone();
    }

    @Override
    public String kind() {
      return KIND;
    }

    /** Shows nothing that is secret. */
    @Override
    public String toString() {
      return "Root " + id;
    }
  }

  /** For JWTs: P-256, by ES256 (RFC 7518 section 3.4). */
  record Signing(String id, Instant made, ECKey jwk) implements TokenKey {
    static final String KIND = "jwt";

    static Signing make(Instant now, SecureRandom random) {
      String id = newId(random);
      try {
        return new Signing(
            id, now, new ECKeyGenerator(Curve.P_256).keyID(id).keyUse(KeyUse.SIGNATURE).generate());
      } catch (JOSEException e) {
        throw new IllegalStateException("this Java makes no keys of P-256", e);
      }
    }

    static Signing read(String id, Instant made, byte[] json) throws ParseException {
      return new Signing(id, made, ECKey.parse(new String(json, StandardCharsets.UTF_8)));
    }

    @Override
    public byte[] secret() {
      return jwk.toJSONString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String kind() {
      return KIND;
    }

    /** Shows nothing that is secret. */
    @Override
    public String toString() {
      return "Signing " + id;
    }
  }

  private static String newId(SecureRandom random) {
    byte[] id = new byte[8];
    random.nextBytes(id);
    return HexFormat.of().formatHex(id);
  }
}
