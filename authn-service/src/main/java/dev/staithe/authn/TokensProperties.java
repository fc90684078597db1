package dev.staithe.authn;

import dev.staithe.authn.clients.GrantRule;
import dev.staithe.authn.clients.Scope;
import dev.staithe.authn.keys.KeyAlgorithm;
import dev.staithe.database.DatabaseProperties;
import dev.staithe.service.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What the authorization server issues.
 *
 * @param database its own database for clients, grants and keys, where it is not {@code
 *     staithe.database}
 * @param sealingKeys files with a key each, with which the keys in the database are sealed; the
 *     first seals, all open; none: they lie there in clear
 * @param algorithms that clients' tokens may be signed with; RS256 always is
 * @param rotation how long a key signs
 * @param overlap how long a new key is published before it signs
 * @param grants who may be given which scopes
 * @param secondFactorScopes scopes, and all below their paths, that need a one-time code
 * @param wlcgVersion the claim {@code wlcg.ver}
 * @param accessLifetime of tokens that are given for a session by {@code json/tokens}
 * @param allowedOrigins whose pages may ask for tokens and UserInfo from within a browser
 */
public record TokensProperties(
    @Nullable DatabaseProperties database,
    @DefaultValue List<Path> sealingKeys,
    @DefaultValue("RS256") Set<KeyAlgorithm> algorithms,
    @DefaultValue("90d") Duration rotation,
    @DefaultValue("2d") Duration overlap,
    @DefaultValue List<Grant> grants,
    @DefaultValue List<String> secondFactorScopes,
    @DefaultValue("1.0") String wlcgVersion,
    @DefaultValue("1h") Duration accessLifetime,
    @DefaultValue List<String> allowedOrigins) {
  /** As browsers write an origin: plain HTTP on the user's own machine only. */
  private static final String ORIGIN =
      "https://[a-z0-9.-]+(:[0-9]{1,5})?|http://(localhost|127\\.0\\.0\\.1)(:[0-9]{1,5})?";

  /**
   * A grant.
   *
   * @param to {@code user:NAME}, {@code group:/PATH} or {@code *}
   * @param scopes as {@code storage.read:/data}, and everything below; {@code {user}} stands for
   *     the user's name
   */
  public record Grant(@DefaultValue("") String to, @DefaultValue List<String> scopes) {
    /** Checks both. */
    public Grant {
      Settings.require(!scopes.isEmpty(), "scopes", "", "one or more, as storage.read:/data");
      for (String scope : scopes) {
        try {
          new GrantRule(to, scope);
        } catch (IllegalArgumentException e) {
          Settings.require(
              false, "to and scopes", to + " " + scope, "user:NAME, group:/PATH or *, and a scope");
        }
      }
      scopes = List.copyOf(scopes);
    }
  }

  /** Checks the ranges. */
  public TokensProperties {
    sealingKeys.forEach(file -> Settings.requireFile(file, "sealing-keys"));
    sealingKeys = List.copyOf(sealingKeys);
    Settings.requireWithin(overlap, Duration.ofSeconds(4), Duration.ofDays(30), "overlap");
    Settings.requireWithin(rotation, overlap.plusSeconds(60), Duration.ofDays(3660), "rotation");
    Settings.requireWithin(
        accessLifetime, Duration.ofMinutes(1), Duration.ofHours(6), "access-lifetime");
    algorithms = Set.copyOf(algorithms);
    Settings.require(wlcgVersion.matches("1\\.[0-9]{1,3}"), "wlcg-version", wlcgVersion, "1.x");
    grants = List.copyOf(grants);
    for (String scope : secondFactorScopes) {
      Settings.require(
          Scope.parse(scope).isPresent(),
          "second-factor-scopes",
          scope,
          "scopes such as storage.modify:/production");
    }
    secondFactorScopes = List.copyOf(secondFactorScopes);
    for (String origin : allowedOrigins) {
      Settings.require(
          origin.matches(ORIGIN),
          "allowed-origins",
          origin,
          "origins such as https://app.example.org");
    }
    allowedOrigins = List.copyOf(allowedOrigins);
  }
}
