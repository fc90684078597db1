package dev.staithe.authn.oauth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.staithe.authn.grants.SignedIn;
import dev.staithe.authn.keys.SigningKeys;
import dev.staithe.authn.tokens.People;
import java.text.ParseException;
import java.util.Set;

/**
 * The ID token by which a client says whom it expects (OpenID Connect Core 3.1.2.1). It counts when
 * its time is over, too; one that was not signed here says nothing. Thread-safe.
 */
final class IdTokenHint {
  private final DefaultJWTProcessor<SecurityContext> ours = new DefaultJWTProcessor<>();
  private final People people;

  IdTokenHint(SigningKeys keys, People people) {
    this.people = people;
    ours.setJWSTypeVerifier((type, context) -> {});
    ours.setJWSKeySelector(
        new JWSVerificationKeySelector<>(Set.of(JWSAlgorithm.RS256, JWSAlgorithm.ES256), keys));
    ours.setJWTClaimsSetVerifier((claims, context) -> {});
  }

  /**
   * Whether somebody else is expected than who is signed in.
   *
   * @param hint may be empty
   */
  boolean isOfAnother(String hint, SignedIn user) {
    if (hint.isEmpty()) {
      return false;
    }
    String expected;
    try {
      expected = ours.process(hint, null).getSubject();
    } catch (ParseException | BadJOSEException | JOSEException e) {
      return false;
    }
    return people
        .find(user.getPrincipal())
        .filter(account -> !account.subject().equals(expected))
        .isPresent();
  }
}
