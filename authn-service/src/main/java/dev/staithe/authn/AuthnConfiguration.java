package dev.staithe.authn;

import static dev.staithe.service.OneLineFailure.started;

import dev.staithe.authn.clients.GrantRule;
import dev.staithe.authn.clients.ScopeGrants;
import dev.staithe.authn.keys.KeyPlan;
import dev.staithe.authn.keys.KeySeal;
import dev.staithe.authn.keys.SigningKeys;
import dev.staithe.authn.oauth.OauthConfiguration;
import dev.staithe.authn.pages.PagesConfiguration;
import dev.staithe.authn.tokens.OauthSettings;
import dev.staithe.authn.tokens.SessionTokens;
import dev.staithe.authn.users.UserDirectory;
import dev.staithe.database.Databases;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Puts the parts together; all that is decided here comes from the properties. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(AuthnProperties.class)
@Import({
  SessionsConfiguration.class,
  LoginConfiguration.class,
  OauthConfiguration.class,
  PagesConfiguration.class,
  WebConfiguration.class
})
final class AuthnConfiguration {
  /** Longer than a token that was signed last with a key can live. */
  private static final Duration KEPT = Duration.ofDays(2);

  private static final String SEALING_KEYS = "staithe.tokens.sealing-keys";

  /** Clients, grants, keys and the secrets that nodes share. */
  @Bean("oauth")
  DataSource oauthStore(Databases databases, KeySeal seal, AuthnProperties properties) {
    DataSource store =
        databases.migrated(
            "tokens", properties.tokens().database(), "staithe.tokens.database", "oauth");
    return started(
        SEALING_KEYS,
        () -> {
          seal.adopt(store);
          return store;
        });
  }

  @Bean
  KeySeal keySeal(AuthnProperties properties) {
    return started(SEALING_KEYS, () -> KeySeal.of(properties.tokens().sealingKeys()));
  }

  @Bean
  OauthSettings oauthSettings(AuthnProperties properties) {
    TokensProperties tokens = properties.tokens();
    List<GrantRule> rules = new ArrayList<>();
    for (TokensProperties.Grant grant : tokens.grants()) {
      grant.scopes().forEach(scope -> rules.add(new GrantRule(grant.to(), scope)));
    }
    String issuer = Objects.requireNonNull(properties.issuer()).toString();
    OauthSettings usual = OauthSettings.of(issuer);
    return new OauthSettings(
        issuer,
        usual.codeLifetime(),
        usual.deviceLifetime(),
        new KeyPlan(tokens.algorithms(), tokens.rotation(), tokens.overlap(), KEPT),
        rules,
        tokens.secondFactorScopes(),
        tokens.wlcgVersion(),
        usual.audience(),
        tokens.allowedOrigins());
  }

  @Bean
  SessionTokens sessionTokens(
      ScopeGrants grants,
      UserDirectory users,
      SigningKeys keys,
      OauthSettings settings,
      AuthnProperties properties,
      Clock clock) {
    return new SessionTokens(
        grants, users, keys, settings, properties.tokens().accessLifetime(), clock);
  }
}
