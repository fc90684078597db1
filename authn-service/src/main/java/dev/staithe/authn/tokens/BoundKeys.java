package dev.staithe.authn.tokens;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import java.text.ParseException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.jwt.DPoPProofContext;
import org.springframework.security.oauth2.jwt.DPoPProofJwtDecoderFactory;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.JwtValidationException;

/**
 * Keys that ID tokens are to name (OpenID Connect Key Binding 1.0): each is proven by a DPoP proof
 * (RFC 9449 section 4.3), which is good for one request of one minute. The last thousand proofs are
 * remembered, by this node alone: who repeats another one, with the session of the user, gets a
 * token that names the same key, which he does not have. Thread-safe.
 */
public final class BoundKeys {
  /** The scope by which a client asks for it. */
  public static final String SCOPE = "bound_key";

  /** What {@code dpop_signing_alg_values_supported} says (RFC 9449 section 5.1). */
  public static final List<String> ALGORITHMS = List.of("ES256");

  private static final int LONGEST = 4096;

  private final DPoPProofJwtDecoderFactory proofs = new DPoPProofJwtDecoderFactory();

  /** What a proof came to. */
  public sealed interface Outcome {
    /** Who asks holds that key, on P-256. */
    record Proven(ECKey key) implements Outcome {}

    /** The proof is not good; the reason is one line, safe to show. */
    record Refused(String reason) implements Outcome {}
  }

  /**
   * Judges a proof.
   *
   * @param fields all values of the field {@code DPoP}
   * @param url of the request, as clients write it, without query
   */
  public Outcome proven(List<String> fields, String method, String url) {
    if (fields.size() != 1 || fields.getFirst().length() > LONGEST) {
      return new Outcome.Refused("one DPoP proof is needed, and none longer than " + LONGEST);
    }
    try {
      Jwt proof =
          proofs
              .createDecoder(
                  DPoPProofContext.withDPoPProof(fields.getFirst())
                      .method(method)
                      .targetUri(url)
                      .build())
              .decode(fields.getFirst());
      if (ALGORITHMS.contains(String.valueOf(proof.getHeaders().get("alg")))
          && proof.getHeaders().get("jwk") instanceof Map<?, ?> written
          && JWK.parse(members(written)) instanceof ECKey key
          && Curve.P_256.equals(key.getCurve())) {
        return new Outcome.Proven(key);
      }
      return new Outcome.Refused("the DPoP proof is not by ES256 and a key on P-256");
    } catch (JwtValidationException e) {
      return new Outcome.Refused(
          "the DPoP proof is not for this request: "
              + e.getErrors().stream()
                  .map(OAuth2Error::getDescription)
                  .distinct()
                  .collect(Collectors.joining("; ")));
    } catch (JwtException | ParseException | IllegalArgumentException e) {
      return new Outcome.Refused("the DPoP proof is no JWT of type dpop+jwt signed by its own key");
    }
  }

  /** Nothing but the public key itself goes into tokens. */
  private static Map<String, Object> members(Map<?, ?> written) {
    return List.of("kty", "crv", "x", "y").stream()
        .filter(written::containsKey)
        .collect(Collectors.toMap(name -> name, written::get));
  }
}
