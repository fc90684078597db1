package dev.staithe.storage.issuers;

import dev.staithe.storage.authz.ForeignText;
import dev.staithe.storage.authz.GroupName;
import dev.staithe.storage.authz.Scopes;
import dev.staithe.storage.authz.TokenCaller;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.jwt.BadJwtException;

/**
 * What the claims of a token must be after its signature was found good, or its issuer has told
 * them: WLCG JWT profile 1.3, or SciTokens 2.0, which asks for less, or, of issuers that are taken
 * as plain ones, what is usual for access tokens (RFC 9068). Claims that are not named there are
 * ignored.
 */
final class ClaimRules {
  private static final int SKEW_SECONDS = 60;
  private static final int LONGEST_SUBJECT = 255;
  private static final Pattern VERSION = Pattern.compile("([0-9]{1,9})\\.[0-9]{1,9}");

  /** The last second that a timestamp of RFC 3339 can tell. */
  private static final long FAR_FUTURE = 253402300799L;

  private ClaimRules() {}

  /**
   * The token's holder.
   *
   * @throws BadJwtException with one safe line where the token is refused
   */
  static TokenCaller caller(Map<String, Object> claims, TrustedIssuer issuer, Instant now) {
    TokenProfile profile = issuer.profile();
    Scopes.Dialect dialect = dialect(claims, profile);
    if (dialect == Scopes.Dialect.PLAIN) {
      requireAccessToken(claims);
    }
    long expires = times(claims, dialect, now.getEpochSecond());
    List<String> audience = audience(claims.get("aud"), profile.withoutAudience());
    if (!audience.isEmpty() && !issuer.isMeant(audience)) {
      throw new BadJwtException(
          "the token is not for this service: audience "
              + ForeignText.shown(String.join(" ", audience))
              + (issuer.audiences().isEmpty()
                  ? ", and of its issuer only tokens without one are taken"
                  : ", expected one of "
                      + ForeignText.shown(
                          String.join(" ", issuer.audiences().stream().sorted().toList()))));
    }
    requireAssurance(claims, profile);
    String subject = subject(claims.get("sub"));
    if (dialect == Scopes.Dialect.WLCG
        && (!(claims.get("jti") instanceof String id) || id.isEmpty())) {
      throw new BadJwtException("the token has no id (jti)");
    }
    return switch (Scopes.parse(claims.get("scope"), dialect)) {
      case Scopes.Parsed.Invalid invalid -> throw new BadJwtException(invalid.reason());
      case Scopes.Parsed.Valid valid ->
          new TokenCaller(
              issuer.issuer(),
              subject,
              valid.scopes(),
              groups(claims, profile.groupClaims()),
              audience,
              client(claims),
              Instant.ofEpochSecond(Math.min(expires, FAR_FUTURE)));
    };
  }

  /**
   * A plain issuer signs other things by the same key, with the same subject and time of expiry. An
   * access token that is bound to a key is worth nothing to whoever cannot show the key, so it must
   * not pass for one that is not (RFC 9449 section 7.1, RFC 8705 section 3).
   */
  private static void requireAccessToken(Map<String, Object> claims) {
    if (claims.containsKey("at_hash") || claims.containsKey("c_hash")) {
      throw new BadJwtException("the token is an ID token, and no access token");
    }
    if (claims.containsKey("events")) {
      throw new BadJwtException("the token tells of an event, and is no access token");
    }
    // As Keycloak marks what it issues.
    if (claims.get("typ") instanceof String type && !type.equalsIgnoreCase("Bearer")) {
      throw new BadJwtException(
          "the token is of type " + ForeignText.shown(type) + ", and no access token");
    }
    if (claims.containsKey("cnf")) {
      throw new BadJwtException(
          "the token is bound to a key (cnf), which is not asked for here; ask for one that is not");
    }
  }

  /** REFEDS Assurance Framework, and OpenID Connect's authentication context class. */
  private static void requireAssurance(Map<String, Object> claims, TokenProfile profile) {
    Object claim = claims.get("eduperson_assurance");
    List<String> has = claim instanceof String one ? List.of(one) : strings(claim);
    for (String wanted : profile.assurance()) {
      if (!has.contains(wanted)) {
        throw new BadJwtException(
            "the token's eduperson_assurance "
                + (has.isEmpty() ? "is missing" : "lacks " + ForeignText.shown(wanted))
                + (has.isEmpty() ? "; wanted is " + ForeignText.shown(wanted) : ""));
      }
    }
    if (!profile.acr().isEmpty()
        && !(claims.get("acr") instanceof String acr && profile.acr().contains(acr))) {
      throw new BadJwtException(
          "the token's acr is "
              + (claims.get("acr") instanceof String acr ? ForeignText.shown(acr) : "missing")
              + "; the login must have been by one of "
              + ForeignText.shown(String.join(" ", profile.acr())));
    }
  }

  private static Scopes.Dialect dialect(Map<String, Object> claims, TokenProfile profile) {
    Object wlcg = claims.get("wlcg.ver");
    if (wlcg instanceof String version) {
      Matcher parts = VERSION.matcher(version);
      // A newer minor version must be accepted, another major one must not.
      if (parts.matches() && Integer.parseInt(parts.group(1)) == 1) {
        return Scopes.Dialect.WLCG;
      }
      throw new BadJwtException(
          "the token's wlcg.ver " + ForeignText.shown(version) + " is not supported; 1.x is");
    }
    if (wlcg != null) {
      throw new BadJwtException("the token's wlcg.ver is not a string");
    }
    Object version = claims.get("ver");
    if (version instanceof String text && text.matches("scitokens?:2\\.[0-9]{1,9}")) {
      return Scopes.Dialect.SCITOKENS;
    }
    if (profile.plain()) {
      return Scopes.Dialect.PLAIN;
    }
    throw new BadJwtException("the token has neither wlcg.ver 1.x nor ver scitoken:2.0");
  }

  /** The time of expiry in seconds since 1970. */
  private static long times(Map<String, Object> claims, Scopes.Dialect dialect, long now) {
    Long expires = seconds(claims, "exp");
    if (expires == null) {
      throw new BadJwtException("the token has no time of expiry (exp)");
    }
    if (now >= expires) {
      throw new BadJwtException("the token has expired");
    }
    Long issued = seconds(claims, "iat");
    if (issued == null && dialect == Scopes.Dialect.WLCG) {
      throw new BadJwtException("the token has no time of issue (iat)");
    }
    if (issued != null && issued - SKEW_SECONDS > now) {
      throw new BadJwtException("the token was issued in the future; is a clock wrong?");
    }
    Long notBefore = seconds(claims, "nbf");
    if (notBefore != null && notBefore - SKEW_SECONDS > now) {
      throw new BadJwtException("the token is not valid yet");
    }
    return expires;
  }

  /** A NumericDate (RFC 7519 section 2), rounded down. */
  private static @Nullable Long seconds(Map<String, Object> claims, String name) {
    return switch (claims.get(name)) {
      case null -> null;
      case Number number when number.doubleValue() >= 0 && number.doubleValue() < 1e18 ->
          number.longValue();
      default -> throw new BadJwtException("the token's " + name + " is not a time in seconds");
    };
  }

  private static List<String> audience(@Nullable Object claim, boolean mayBeAbsent) {
    if (claim == null && mayBeAbsent) {
      return List.of();
    }
    List<String> audience = claim instanceof String one ? List.of(one) : strings(claim);
    if (audience.isEmpty()) {
      throw new BadJwtException("the token names no service that it is for (aud)");
    }
    return audience;
  }

  private static String subject(@Nullable Object claim) {
    if (!(claim instanceof String subject) || subject.isEmpty()) {
      throw new BadJwtException("the token has no subject (sub)");
    }
    if (subject.length() > LONGEST_SUBJECT
        || subject.chars().anyMatch(c -> c < 0x20 || c >= 0x7f)) {
      throw new BadJwtException("the token's subject (sub) is not ASCII of up to 255 characters");
    }
    return subject;
  }

  /** The first of the claims that is present counts, and no other, even where it is empty. */
  private static List<String> groups(Map<String, Object> claims, List<String> names) {
    for (String name : names) {
      Object claim = claims.get(name);
      if (claim != null) {
        List<String> groups = claim instanceof String one ? List.of(one) : strings(claim);
        return groups.stream().map(GroupName::canonical).toList();
      }
    }
    return List.of();
  }

  private static @Nullable String client(Map<String, Object> claims) {
    return claims.get("client_id") instanceof String id
        ? ForeignText.shown(id)
        : claims.get("azp") instanceof String party ? ForeignText.shown(party) : null;
  }

  private static List<String> strings(@Nullable Object claim) {
    List<String> out = new ArrayList<>();
    if (claim instanceof List<?> list) {
      for (Object item : list) {
        if (item instanceof String text) {
          out.add(text);
        }
      }
    }
    return out;
  }
}
