package dev.staithe.storage.authz;

import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A token taken apart (RFC 7515 section 7.1), nothing of it verified. Of the header only {@code
 * alg} and {@code kid} count: a key that the token brings along or points to ({@code jwk}, {@code
 * jku}, {@code x5c}, {@code x5u}) is never looked at.
 */
record SignedToken(
    TokenAlgorithm algorithm,
    String kid,
    Map<String, Object> claims,
    byte[] signed,
    byte[] signature) {
  private static final Pattern COMPACT =
      Pattern.compile("[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]*");

  /** What came of taking a token apart. */
  sealed interface Parsed {
    /** It has the right form. */
    record Valid(SignedToken token) implements Parsed {}

    /** It is refused; {@code reason} is one safe line. */
    record Invalid(String reason) implements Parsed {}
  }

  static Parsed parse(String compact) {
    if (!COMPACT.matcher(compact).matches()) {
      return new Parsed.Invalid("the token is not a signed JWT");
    }
    int first = compact.indexOf('.');
    int second = compact.lastIndexOf('.');
    Map<String, Object> header;
    Map<String, Object> claims;
    byte[] signature;
    try {
      header = json(compact.substring(0, first));
      claims = json(compact.substring(first + 1, second));
      signature = Base64.getUrlDecoder().decode(compact.substring(second + 1));
    } catch (ParseException | IllegalArgumentException e) {
      return new Parsed.Invalid("the token is not a signed JWT");
    }
    if (!(header.get("alg") instanceof String name)) {
      return new Parsed.Invalid("the token's header has no alg");
    }
    TokenAlgorithm algorithm = TokenAlgorithm.of(name);
    if (algorithm == null) {
      return new Parsed.Invalid(
          "the token's signature algorithm "
              + ForeignText.shown(name)
              + " is not accepted; RS256 and ES256 are");
    }
    // An extension that must be understood is not (RFC 7515 section 4.1.11); b64 is one (RFC 7797).
    if (header.containsKey("crit") || header.containsKey("b64")) {
      return new Parsed.Invalid("the token's header has extensions that are not understood");
    }
    if (!(header.get("kid") instanceof String kid) || kid.isEmpty()) {
      return new Parsed.Invalid("the token's header does not name its key (kid)");
    }
    byte[] signed = compact.substring(0, second).getBytes(StandardCharsets.US_ASCII);
    return new Parsed.Valid(new SignedToken(algorithm, kid, claims, signed, signature));
  }

  private static Map<String, Object> json(String part) throws ParseException {
    return Json.object(new String(Base64.getUrlDecoder().decode(part), StandardCharsets.UTF_8));
  }
}
