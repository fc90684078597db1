package dev.staithe.cli.administration;

import dev.staithe.cli.program.Addresses;
import dev.staithe.cli.program.Profile;
import dev.staithe.cli.program.Service;
import dev.staithe.cli.program.StaitheCommand;
import dev.staithe.contracts.person.PersonSigner;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.FreshKey;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * The word of the issuer where a person is logged in: an ID token that names a fresh key of hers,
 * which is proven to the issuer and kept in memory (OpenID Connect Key Binding 1.0).
 *
 * @param signer by that key
 * @param accessToken for the storage element
 * @param issuerKeys the issuer's JWK set as it publishes it
 */
record LoginVoucher(PersonSigner signer, String accessToken, String issuerKeys) {
  private static final String TOKENS = "json/tokens";

  /** Without the token. */
  @Override
  public String toString() {
    return "LoginVoucher";
  }

  /**
   * What is asked for.
   *
   * @param scope of the access token; empty: none is needed
   * @param audience the storage element
   * @param stated what the person states of her side
   */
  record Wish(String scope, String audience, Map<String, Object> stated) {}

  /**
   * Asks the issuer.
   *
   * @throws IOException with one line where nobody is logged in, or the issuer gives no such token
   */
  static LoginVoucher ask(StaitheCommand staithe, Wish wish) throws IOException, BadSignature {
    Profile.Login login =
        staithe
            .profile()
            .read()
            .orElseThrow(
                () ->
                    new IOException(
                        "there is neither a certificate nor a login: --cert FILE, or staithe login"
                            + " --url URL"));
    URI issuer = Addresses.service(login.url());
    String keys;
    try (Service published = Service.at(login.url(), login.trust(), null, staithe.clock())) {
      JsonNode metadata = published.get(".well-known/openid-configuration");
      requireBinding(metadata, issuer);
      URI at = Addresses.resolve(issuer, metadata.path("jwks_uri").asString(""));
      if (at == null || !Addresses.sameOrigin(issuer, at)) {
        throw new IOException(login.url() + " does not say where its keys are");
      }
      keys = published.get(at.toString()).toString();
    }
    FreshKey key = FreshKey.make();
    try (Service service = staithe.service()) {
      JsonNode answer =
          service.send(
              "POST",
              TOKENS,
              Map.of(
                  "scope",
                  ("openid bound_key " + wish.scope()).strip(),
                  "audience",
                  wish.audience()),
              Map.of(
                  "DPoP", key.proof("POST", issuer.resolve(TOKENS).toString(), staithe.clock())));
      return new LoginVoucher(
          PersonSigner.byIdToken(
              key, answer.path("id_token").asString(""), wish.stated(), staithe.clock()),
          answer.path("access_token").asString(""),
          keys);
    } catch (Service.Refusal refusal) {
      throw new IOException(
          login.url() + " gives no token: " + refusal.getMessage() + hint(refusal, wish), refusal);
    }
  }

  private static String hint(Service.Refusal refusal, Wish wish) {
    if (refusal.status() == 401) {
      return "; staithe login";
    }
    return refusal.status() == 403 && !wish.scope().isEmpty()
        ? ", " + wish.scope() + "; --scope SCOPE, or --token-file FILE"
        : "";
  }

  private static void requireBinding(JsonNode metadata, URI issuer) throws IOException {
    if (!metadata
        .path("dpop_signing_alg_values_supported")
        .valueStream()
        .anyMatch(LoginVoucher::es256)) {
      throw new IOException(
          issuer + " binds no keys to ID tokens: a certificate is needed, --cert FILE");
    }
    if (!(metadata.path("issuer").asString("") + "/").equals(issuer.toString())) {
      throw new IOException(
          issuer + " is the issuer " + metadata.path("issuer").asString("") + ": log in there");
    }
  }

  private static boolean es256(JsonNode algorithm) {
    return algorithm.asString("").equals("ES256");
  }
}
