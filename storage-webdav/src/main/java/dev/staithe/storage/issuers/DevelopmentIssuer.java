package dev.staithe.storage.issuers;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.staithe.storage.authz.Scopes;
import dev.staithe.storage.state.SecretFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.UUID;

/**
 * The issuer of a storage element that was started without a configuration: a key in a folder, and
 * tokens signed with it. Whoever can read the folder can do everything; it is for trying things
 * out. Immutable.
 */
public final class DevelopmentIssuer {
  /** The {@code iss} of its tokens; a name that can never exist on a network (RFC 6761). */
  public static final String ISSUER = "https://development.staithe.invalid";

  private static final String KEY_FILE = "development-issuer.jwk.json";

  private final ECKey key;
  private final Clock clock;

  private DevelopmentIssuer(ECKey key, Clock clock) {
    this.key = key;
    this.clock = clock;
  }

  /**
   * Reads the key kept in the folder, or makes one there that only its owner can read.
   *
   * @throws IOException with one line where the key can be neither read nor made
   */
  public static DevelopmentIssuer open(Path folder, Clock clock) throws IOException {
    Path file = folder.resolve(KEY_FILE);
    byte[] written = SecretFile.readOrCreate(file, DevelopmentIssuer::newKey);
    try {
      ECKey key = ECKey.parse(new String(written, StandardCharsets.UTF_8));
      if (!key.isPrivate() || !key.getCurve().equals(Curve.P_256) || key.getKeyID() == null) {
        throw new IOException(file + " is no private P-256 key with kid; delete it for a new one");
      }
      return new DevelopmentIssuer(key, clock);
    } catch (ParseException e) {
      // Without the cause, which may quote the key.
      throw new IOException(file + " is no JSON web key; delete it for a new one");
    }
  }

  private static byte[] newKey() {
    try {
      return new ECKeyGenerator(Curve.P_256)
          .keyUse(KeyUse.SIGNATURE)
          .algorithm(JWSAlgorithm.ES256)
          .keyIDFromThumbprint(true)
          .generate()
          .toJSONString()
          .getBytes(StandardCharsets.UTF_8);
    } catch (JOSEException e) {
      throw new UncheckedIOException(new IOException("cannot make a P-256 key", e));
    }
  }

  /** Its public keys, for {@link IssuerKeys}' fixed key sets. */
  public String keySet() {
    return new JWKSet(key.toPublicJWK()).toString();
  }

  /** It, as an issuer to trust. */
  public TrustedIssuer trusted(String... audiences) {
    return TrustedIssuer.of(ISSUER, audiences);
  }

  /**
   * Makes a token of the WLCG JWT profile.
   *
   * @param scope scopes separated by blanks, such as {@code storage.read:/ storage.modify:/}
   * @param audience whom it is for
   * @param lifetime from now on, positive
   * @throws IllegalArgumentException with one line that names what is wrong with the scopes
   */
  public String mint(String subject, String scope, String audience, Duration lifetime) {
    Scopes.of(scope);
    if (!lifetime.isPositive()) {
      throw new IllegalArgumentException("the token's lifetime is not positive: " + lifetime);
    }
    Instant now = clock.instant();
    SignedJWT token =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.ES256)
                .type(JOSEObjectType.JWT)
                .keyID(key.getKeyID())
                .build(),
            new JWTClaimsSet.Builder()
                .issuer(ISSUER)
                .subject(subject)
                .audience(List.of(audience))
                .issueTime(Date.from(now))
                .notBeforeTime(Date.from(now))
                .expirationTime(Date.from(now.plus(lifetime)))
                .jwtID(UUID.randomUUID().toString())
                .claim("wlcg.ver", "1.0")
                .claim("scope", scope.strip())
                .build());
    try {
      token.sign(new ECDSASigner(key));
    } catch (JOSEException e) {
      throw new IllegalStateException("cannot sign with " + key.getKeyID(), e);
    }
    return token.serialize();
  }
}
