package dev.staithe.storage.issuers;

import static java.util.stream.Collectors.joining;

import com.nimbusds.jose.JWSAlgorithm;
import dev.staithe.storage.authz.ForeignText;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;

/**
 * What a token says of itself before it is verified: by whom and how it is signed (RFC 7515 section
 * 7.1). It decides which issuer's provider judges the token, and nothing more. A key that the token
 * brings along or points to ({@code jwk}, {@code jku}, {@code x5c}, {@code x5u}) is never looked
 * at.
 *
 * @param issuer the {@code iss}, or null where it is no text
 * @param type the {@code typ} without "application/" in lower case, or empty
 */
record UnverifiedToken(JWSAlgorithm algorithm, String kid, @Nullable String issuer, String type) {
  /** Stricter than the library, which passes over what is not of the alphabet. */
  private static final Pattern COMPACT =
      Pattern.compile("[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]*");

  /** Whether the text has the form of a signed JWT, so that it is not anybody's opaque token. */
  static boolean hasForm(String compact) {
    return COMPACT.matcher(compact).matches();
  }

  /**
   * Reads the token's header and issuer.
   *
   * @throws InvalidBearerTokenException with one safe line where no provider could take it
   */
  static UnverifiedToken read(String compact) {
    if (!hasForm(compact)) {
      throw new InvalidBearerTokenException("the token is not a signed JWT");
    }
    String[] parts = compact.split("\\.", -1);
    Map<String, Object> header;
    Map<String, Object> claims;
    try {
      header = json(parts[0]);
      claims = json(parts[1]);
    } catch (ParseException | IllegalArgumentException e) {
      throw new InvalidBearerTokenException("the token is not a signed JWT", e);
    }
    if (!(header.get("alg") instanceof String name)) {
      throw new InvalidBearerTokenException("the token's header has no alg");
    }
    JWSAlgorithm algorithm = JWSAlgorithm.parse(name);
    if (!SigningKeys.ALGORITHMS.contains(algorithm)) {
      throw new InvalidBearerTokenException(
          "the token's signature algorithm "
              + ForeignText.shown(name)
              + " is not accepted; these are: "
              + SigningKeys.ALGORITHMS.stream().map(JWSAlgorithm::getName).collect(joining(", ")));
    }
    // An extension that must be understood is not (RFC 7515 section 4.1.11); b64 is one (RFC 7797).
    if (header.containsKey("crit") || header.containsKey("b64")) {
      throw new InvalidBearerTokenException(
          "the token's header has extensions that are not understood");
    }
    if (!(header.get("kid") instanceof String kid) || kid.isEmpty()) {
      throw new InvalidBearerTokenException("the token's header does not name its key (kid)");
    }
    return new UnverifiedToken(
        algorithm,
        kid,
        claims.get("iss") instanceof String iss ? iss : null,
        header.get("typ") instanceof String typ
            ? typ.toLowerCase(Locale.ROOT).replaceFirst("^application/", "")
            : "");
  }

  /**
   * Whether it may be an access token by its type (RFC 8725 section 3.11, RFC 9068 section 2.1).
   */
  boolean mayBeAccessToken() {
    return type.isEmpty() || type.equals("jwt") || type.equals("at+jwt");
  }

  private static Map<String, Object> json(String part) throws ParseException {
    return Json.object(new String(Base64.getUrlDecoder().decode(part), StandardCharsets.UTF_8));
  }
}
