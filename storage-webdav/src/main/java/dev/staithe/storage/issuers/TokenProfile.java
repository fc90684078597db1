package dev.staithe.storage.issuers;

import java.util.List;

/**
 * By what profile the tokens of an issuer are judged, and what they must tell besides.
 *
 * @param plain whether access tokens count that follow neither WLCG's profile nor SciTokens', as
 *     OpenID providers issue them (RFC 9068)
 * @param groupClaims which claims name groups; the first that is present counts alone
 * @param withoutAudience whether the issuer's tokens may name no service that they are for; one
 *     that names some is still compared
 * @param assurance values all of which {@code eduperson_assurance} must have (REFEDS Assurance
 *     Framework)
 * @param acr values one of which {@code acr} must be: how people logged in
 */
public record TokenProfile(
    boolean plain,
    List<String> groupClaims,
    boolean withoutAudience,
    List<String> assurance,
    List<String> acr) {
  /** WLCG's profile and SciTokens', and no further demands. */
  public static final TokenProfile WLCG =
      new TokenProfile(
          false, List.of("wlcg.groups", "groups", "entitlements"), false, List.of(), List.of());

  /**
   * Where plain issuers name groups if nothing is said: AARC-G069, then what is usual elsewhere.
   */
  public static final List<String> PLAIN_GROUP_CLAIMS =
      List.of("entitlements", "eduperson_entitlement", "groups", "wlcg.groups");

  /** Takes copies, and refuses tokens for nobody in particular of WLCG's profile. */
  public TokenProfile {
    groupClaims = List.copyOf(groupClaims);
    assurance = List.copyOf(assurance);
    acr = List.copyOf(acr);
    if (withoutAudience && !plain) {
      throw new IllegalArgumentException("WLCG's profile demands an audience");
    }
  }
}
