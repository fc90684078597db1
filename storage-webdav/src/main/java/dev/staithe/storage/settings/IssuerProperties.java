package dev.staithe.storage.settings;

import dev.staithe.service.Settings;
import dev.staithe.storage.issuers.OpaqueTokens;
import dev.staithe.storage.issuers.TokenProfile;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A token issuer.
 *
 * @param issuer its URL, as in the {@code iss} claim
 * @param audiences the {@code aud} values that mean this server
 * @param jwksUri where its keys are, instead of asking its metadata
 * @param jwksFile a file with its keys, instead of any request
 * @param acceptWlcgAny whether WLCG's audience for any service counts
 * @param acceptScitokensAny whether SciTokens' audience for any service counts
 * @param plainHttpOnLoopback whether an issuer on this machine may lack TLS; for tests
 * @param profile what its tokens are
 * @param groupClaims claims that name groups, the first that is there counts; none: those that are
 *     usual for the profile
 * @param withoutAudience whether its tokens may name no service that they are for
 * @param assurance values all of which {@code eduperson_assurance} must have
 * @param acr values one of which {@code acr} must be
 * @param introspection where it is asked about opaque tokens
 */
public record IssuerProperties(
    @DefaultValue("") String issuer,
    @DefaultValue Set<String> audiences,
    @Nullable URI jwksUri,
    @Nullable Path jwksFile,
    @DefaultValue("true") boolean acceptWlcgAny,
    @DefaultValue("false") boolean acceptScitokensAny,
    @DefaultValue("false") boolean plainHttpOnLoopback,
    @DefaultValue("wlcg") Profile profile,
    @DefaultValue List<String> groupClaims,
    @DefaultValue("false") boolean withoutAudience,
    @DefaultValue List<String> assurance,
    @DefaultValue List<String> acr,
    @DefaultValue Introspection introspection) {
  /** What the tokens of an issuer are. */
  public enum Profile {
    /** Of the WLCG JWT profile, or SciTokens. */
    WLCG,
    /** Also access tokens of an OpenID provider that follows neither. */
    OIDC
  }

  /**
   * Where an issuer is asked whose an opaque token is (RFC 7662).
   *
   * @param url of its introspection endpoint; absent: its tokens are JWTs
   * @param clientId our name there
   * @param clientSecretFile a file with the secret to it, for its owner alone
   * @param cache how long an answer counts
   */
  public record Introspection(
      @Nullable URI url,
      @DefaultValue("") String clientId,
      @Nullable Path clientSecretFile,
      @DefaultValue("30s") Duration cache) {
    /** Checks that all is there, and the range. */
    public Introspection {
      Settings.requireWithin(cache, Duration.ZERO, OpaqueTokens.Source.LONGEST, "cache");
      if (url != null) {
        Settings.require(!clientId.isBlank(), "client-id", clientId, "our name at the issuer");
        Settings.requireFile(clientSecretFile, "client-secret-file");
      }
    }
  }

  /** Checks what its profile needs; the rest is checked with the issuer's own rules. */
  public IssuerProperties {
    Settings.require(!issuer.isBlank(), "issuer", issuer, "the URL of an issuer");
    boolean plain = profile == Profile.OIDC;
    Settings.require(
        plain || !withoutAudience, "without-audience", true, "false where profile is wlcg");
    Settings.require(
        plain || introspection.url() == null,
        "introspection.url",
        String.valueOf(introspection.url()),
        "absent where profile is wlcg");
    Settings.require(
        !audiences.isEmpty() || withoutAudience,
        "audiences",
        "",
        "at least one, such as https://HOST:PORT"
            + (plain ? ", unless without-audience is true" : ""));
    Settings.require(
        jwksUri == null || jwksFile == null,
        "jwks-uri",
        String.valueOf(jwksUri),
        "absent where jwks-file is given: nothing is asked for the keys then");
    if (jwksFile != null) {
      Settings.requireFile(jwksFile, "jwks-file");
    }
    audiences = Set.copyOf(audiences);
    groupClaims = List.copyOf(groupClaims);
    assurance = List.copyOf(assurance);
    acr = List.copyOf(acr);
  }

  /** What its tokens must be. */
  public TokenProfile tokens() {
    boolean plain = profile == Profile.OIDC;
    List<String> usual = plain ? TokenProfile.PLAIN_GROUP_CLAIMS : TokenProfile.WLCG.groupClaims();
    return new TokenProfile(
        plain, groupClaims.isEmpty() ? usual : groupClaims, withoutAudience, assurance, acr);
  }
}
