package dev.staithe.authn.tokens;

import dev.staithe.authn.clients.GrantRule;
import dev.staithe.authn.clients.Scope;
import dev.staithe.authn.keys.KeyPlan;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * How tokens are issued.
 *
 * @param issuer the URL that tokens name and that browsers reach this service at, without a slash
 *     at the end; https but for tests and development
 * @param codeLifetime of authorization codes, 10 seconds to 10 minutes (RFC 6749 section 4.1.2)
 * @param deviceLifetime of device codes, 1 to 60 minutes
 * @param keys when signing keys change; they are kept longer than any token lives
 * @param grants which scopes users may be given, beside the rules of the store
 * @param secondFactorScopes scopes, and all below their paths, that need a second factor
 * @param wlcgVersion the claim {@code wlcg.ver}; the profile says 1.0 until all services take
 *     others (1.3, section 2.1.1)
 * @param audience of tokens where neither the request nor the client names one
 * @param allowedOrigins whose pages may ask for tokens and UserInfo from within a browser
 */
public record OauthSettings(
    String issuer,
    Duration codeLifetime,
    Duration deviceLifetime,
    KeyPlan keys,
    List<GrantRule> grants,
    List<String> secondFactorScopes,
    String wlcgVersion,
    String audience,
    List<String> allowedOrigins) {
  /** The audience that says: every service (WLCG profile 1.3, section 2.1.1). */
  public static final String ANY = "https://wlcg.cern.ch/jwt/v1/any";

  /** Longer than any client's access tokens or ID tokens live. */
  private static final Duration LONGEST_TOKEN = Duration.ofHours(6);

  /** Checks the ranges. */
  public OauthSettings {
    URI uri = URI.create(issuer);
    if (uri.getHost() == null
        || uri.getRawQuery() != null
        || uri.getRawFragment() != null
        || issuer.endsWith("/")
        || !List.of("https", "http").contains(uri.getScheme())) {
      throw new IllegalArgumentException(
          "issuer must be a URL without query and without a slash at its end, not " + issuer);
    }
    within("code-lifetime", codeLifetime, Duration.ofSeconds(10), Duration.ofMinutes(10));
    within("device-lifetime", deviceLifetime, Duration.ofMinutes(1), Duration.ofHours(1));
    if (keys.keep().compareTo(LONGEST_TOKEN) < 0) {
      throw new IllegalArgumentException("keys must be kept for 6 h or more, as tokens may live");
    }
    grants = List.copyOf(grants);
    secondFactorScopes = List.copyOf(secondFactorScopes);
    allowedOrigins = List.copyOf(allowedOrigins);
    secondFactorScopes.forEach(Scope::of);
    if (!wlcgVersion.matches("1\\.[0-9]{1,3}")) {
      throw new IllegalArgumentException("wlcg-version must be 1.x, not " + wlcgVersion);
    }
  }

  /** For that issuer, with the defaults of everything else. */
  public static OauthSettings of(String issuer) {
    return new OauthSettings(
        issuer,
        Duration.ofMinutes(1),
        Duration.ofMinutes(10),
        KeyPlan.DEFAULT,
        List.of(),
        List.of(),
        "1.0",
        ANY,
        List.of());
  }

  private static void within(String name, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          name + " must be " + least + " to " + most + ", not " + value);
    }
  }
}
