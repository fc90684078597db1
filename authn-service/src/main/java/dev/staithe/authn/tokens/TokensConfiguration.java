package dev.staithe.authn.tokens;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.staithe.authn.clients.Clients;
import dev.staithe.authn.clients.FactorRules;
import dev.staithe.authn.clients.ScopeGrants;
import dev.staithe.authn.keys.SigningKeys;
import dev.staithe.authn.users.Users;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.oauth2.core.OAuth2Token;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.jwt.NimbusJwtEncoder;
import org.springframework.security.oauth2.server.authorization.token.DelegatingOAuth2TokenGenerator;
import org.springframework.security.oauth2.server.authorization.token.JwtGenerator;
import org.springframework.security.oauth2.server.authorization.token.OAuth2TokenGenerator;

/** Makes tokens, and knows its own again. */
@Configuration(proxyBeanMethods = false)
public final class TokensConfiguration {
  /** Of whom they speak. */
  @Bean
  People people(Users users) {
    return new People(users);
  }

  /** Verifies our own access tokens, at UserInfo. */
  @Bean
  JwtDecoder jwtDecoder(SigningKeys keys, OauthSettings settings, Clock clock) {
    var processor = new DefaultJWTProcessor<SecurityContext>();
    processor.setJWSTypeVerifier(new DefaultJOSEObjectTypeVerifier<>(JOSEObjectType.JWT));
    processor.setJWSKeySelector(
        new JWSVerificationKeySelector<>(Set.of(JWSAlgorithm.RS256, JWSAlgorithm.ES256), keys));
    processor.setJWTClaimsSetVerifier((claims, context) -> {});
    NimbusJwtDecoder decoder = new NimbusJwtDecoder(processor);
    var times = new JwtTimestampValidator();
    times.setClock(clock);
    decoder.setJwtValidator(
        JwtValidators.createDefaultWithValidators(
            List.of(times, new JwtIssuerValidator(settings.issuer()))));
    return decoder;
  }

  /** Makes tokens. */
  @Bean
  OAuth2TokenGenerator<OAuth2Token> tokenGenerator(
      Clients clients,
      ScopeGrants grants,
      FactorRules factors,
      People people,
      SigningKeys keys,
      OauthSettings settings,
      Clock clock) {
    var jwts = new JwtGenerator(new NimbusJwtEncoder(keys));
    jwts.setClock(clock);
    jwts.setJwtCustomizer(new TokenClaims(clients, grants, factors, people, keys, settings));
    return new DelegatingOAuth2TokenGenerator(jwts, new RefreshTokens(clock));
  }
}
