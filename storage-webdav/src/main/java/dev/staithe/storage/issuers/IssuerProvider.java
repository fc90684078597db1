package dev.staithe.storage.issuers;

import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWT;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.BadJWTException;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.staithe.storage.authz.TokenCaller;
import java.time.Clock;
import java.util.Map;
import org.springframework.security.oauth2.core.OAuth2TokenValidatorResult;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationProvider;

/**
 * Spring Security's provider for the tokens of one issuer: by the issuer's keys, and by our rules
 * of what its claims must be.
 */
final class IssuerProvider {
  private static final String CALLER = "caller";

  private IssuerProvider() {}

  static JwtAuthenticationProvider of(
      TrustedIssuer issuer, JWKSource<SecurityContext> keys, Clock clock) {
    Processor processor = new Processor();
    processor.setJWSTypeVerifier((type, context) -> {}); // The profiles do not say one.
    processor.setJWSKeySelector(SigningKeys.selector(keys));
    processor.setJWSVerifierFactory(new SigningKeys.Verifiers());
    processor.setJWTClaimsSetVerifier(null);
    NimbusJwtDecoder decoder = new NimbusJwtDecoder(processor);
    decoder.setClaimSetConverter(
        claims -> Map.of(CALLER, ClaimRules.caller(claims, issuer, clock.instant())));
    decoder.setJwtValidator(jwt -> OAuth2TokenValidatorResult.success()); // The rules have judged.
    JwtAuthenticationProvider provider = new JwtAuthenticationProvider(decoder);
    provider.setJwtAuthenticationConverter(
        jwt -> new TokenAuthentication(jwt.<TokenCaller>getClaim(CALLER)));
    return provider;
  }

  /**
   * Gives our rules the claims as they are written: the library's reading of them takes a number
   * for a subject, and others forgive more.
   */
  private static final class Processor extends DefaultJWTProcessor<SecurityContext> {
    @Override
    protected JWTClaimsSet extractJWTClaimsSet(JWT jwt) throws BadJWTException {
      Map<String, Object> written =
          jwt instanceof SignedJWT signed ? signed.getPayload().toJSONObject() : null;
      if (written == null) {
        throw new BadJWTException("the token's claims are no JSON object");
      }
      JWTClaimsSet.Builder claims = new JWTClaimsSet.Builder();
      written.forEach(claims::claim);
      return claims.build();
    }
  }
}
