package dev.staithe.storage.issuers;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An issuer whose tokens are looked at.
 *
 * @param issuer the {@code iss} of its tokens, compared exactly; an https URL without query
 * @param audiences the {@code aud} values that mean this service, compared exactly, such as {@code
 *     https://se.example.org:8443}; at least one
 * @param acceptWlcgAny whether {@value #WLCG_ANY} means this service too
 * @param acceptSciTokensAny whether SciTokens' {@value #SCITOKENS_ANY} means this service too
 * @param jwksUri where its keys are, or null to ask the issuer's metadata
 * @param plainHttpOnLoopback whether http is good enough on this very machine; for development
 * @param profile what its tokens must be
 */
public record TrustedIssuer(
    String issuer,
    Set<String> audiences,
    boolean acceptWlcgAny,
    boolean acceptSciTokensAny,
    @Nullable URI jwksUri,
    boolean plainHttpOnLoopback,
    TokenProfile profile) {
  /** The audience that means every service of the WLCG (JWT profile 1.3, aud). */
  public static final String WLCG_ANY = "https://wlcg.cern.ch/jwt/v1/any";

  /** The audience that means every service of SciTokens. */
  public static final String SCITOKENS_ANY = "ANY";

  /**
   * Takes a copy and checks.
   *
   * @throws IllegalArgumentException with one line that says what is wrong
   */
  public TrustedIssuer {
    audiences = Set.copyOf(audiences);
    if (audiences.isEmpty() && !profile.withoutAudience() || audiences.contains("")) {
      throw new IllegalArgumentException(
          "issuer \"" + issuer + "\" needs at least one audience that means this service");
    }
    URI uri;
    try {
      uri = new URI(issuer);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("issuer \"" + issuer + "\" is no URL", e);
    }
    if (!permits(uri, plainHttpOnLoopback)
        || uri.getRawQuery() != null
        || uri.getRawFragment() != null) {
      throw new IllegalArgumentException(
          "issuer \"" + issuer + "\" must be an https URL with neither user, query nor fragment");
    }
    if (jwksUri != null && !permits(jwksUri, plainHttpOnLoopback)) {
      throw new IllegalArgumentException(
          "the keys of issuer \"" + issuer + "\" must be at an https URL, not at " + jwksUri);
    }
  }

  /** An issuer of WLCG's profile. */
  public TrustedIssuer(
      String issuer,
      Set<String> audiences,
      boolean acceptWlcgAny,
      boolean acceptSciTokensAny,
      @Nullable URI jwksUri,
      boolean plainHttpOnLoopback) {
    this(
        issuer,
        audiences,
        acceptWlcgAny,
        acceptSciTokensAny,
        jwksUri,
        plainHttpOnLoopback,
        TokenProfile.WLCG);
  }

  /** An issuer with the usual rules: WLCG's "any" is accepted, SciTokens' is not. */
  public static TrustedIssuer of(String issuer, String... audiences) {
    return new TrustedIssuer(issuer, Set.of(audiences), true, false, null, false);
  }

  /** Whether something may be fetched from there for this issuer. */
  boolean permits(URI uri) {
    return permits(uri, plainHttpOnLoopback);
  }

  private static boolean permits(URI uri, boolean plainHttpOnLoopback) {
    String scheme = uri.getScheme();
    String host = uri.getHost();
    if (scheme == null || host == null || host.isEmpty() || uri.getRawUserInfo() != null) {
      return false;
    }
    return switch (scheme.toLowerCase(Locale.ROOT)) {
      case "https" -> true;
      case "http" -> plainHttpOnLoopback && loopback(host);
      default -> false;
    };
  }

  private static boolean loopback(String host) {
    if (host.equals("localhost")) {
      return true;
    }
    try {
      InetAddress address =
          InetAddress.ofLiteral(host.startsWith("[") ? host.substring(1, host.length() - 1) : host);
      return address.isLoopbackAddress()
          && (address instanceof Inet6Address || host.matches("[0-9]+(\\.[0-9]+){3}"));
    } catch (IllegalArgumentException aName) {
      return false;
    }
  }

  /** Whether a token's audiences mean this service. */
  boolean isMeant(List<String> tokenAudiences) {
    for (String audience : tokenAudiences) {
      if (audiences.contains(audience)
          || acceptWlcgAny && audience.equals(WLCG_ANY)
          || acceptSciTokensAny && audience.equals(SCITOKENS_ANY)) {
        return true;
      }
    }
    return false;
  }
}
