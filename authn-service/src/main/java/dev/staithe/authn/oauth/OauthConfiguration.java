package dev.staithe.authn.oauth;

import dev.staithe.authn.browser.CookieContexts;
import dev.staithe.authn.browser.Questions;
import dev.staithe.authn.browser.SessionCookie;
import dev.staithe.authn.clients.ClientSecrets;
import dev.staithe.authn.clients.Clients;
import dev.staithe.authn.clients.FactorRules;
import dev.staithe.authn.clients.ScopeGrants;
import dev.staithe.authn.clients.SecondFactorScopes;
import dev.staithe.authn.grants.Consents;
import dev.staithe.authn.grants.Grants;
import dev.staithe.authn.grants.SessionLink;
import dev.staithe.authn.keys.KeySeal;
import dev.staithe.authn.keys.SigningKeys;
import dev.staithe.authn.keys.StoreSecrets;
import dev.staithe.authn.session.Sessions;
import dev.staithe.authn.tokens.OauthSettings;
import dev.staithe.authn.tokens.People;
import dev.staithe.authn.tokens.TokensConfiguration;
import dev.staithe.authn.tokens.UserInfo;
import dev.staithe.authn.users.UserEnds;
import dev.staithe.authn.users.Users;
import dev.staithe.service.log.AuditLog;
import dev.staithe.service.process.Chores;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.security.authentication.AuthenticationEventPublisher;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.oauth2.server.authorization.OAuth2AuthorizationServerConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.oauth2.core.OAuth2Token;
import org.springframework.security.oauth2.server.authorization.authentication.ClientSecretAuthenticationProvider;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2AuthorizationCodeRequestAuthenticationProvider;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2AuthorizationCodeRequestAuthenticationValidator;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2AuthorizationConsentAuthenticationProvider;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2DeviceCodeAuthenticationProvider;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2RefreshTokenAuthenticationProvider;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2TokenExchangeAuthenticationProvider;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2TokenIntrospectionAuthenticationProvider;
import org.springframework.security.oauth2.server.authorization.settings.AuthorizationServerSettings;
import org.springframework.security.oauth2.server.authorization.token.OAuth2TokenGenerator;
import org.springframework.security.oauth2.server.authorization.web.OAuth2AuthorizationEndpointFilter;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.context.SecurityContextHolderFilter;
import org.springframework.security.web.savedrequest.NullRequestCache;
import org.springframework.web.filter.CorsFilter;

/**
 * The protocol's endpoints. Wants beans {@link OauthSettings}, {@link Sessions}, {@link Users},
 * {@link UserEnds}, {@link AuditLog}, {@link KeySeal}, {@link Clock} and a {@link DataSource}
 * qualified {@code oauth} on which {@code db/oauth} was migrated; Boot's {@code
 * UserDetailsServiceAutoConfiguration}, {@code SecurityAutoConfiguration} and {@code
 * ServletWebSecurityAutoConfiguration} are to be left out.
 */
@Configuration(proxyBeanMethods = false)
@EnableWebSecurity
@Import(TokensConfiguration.class)
public final class OauthConfiguration {
  /** Far more often than the log of ended sessions forgets any of them. */
  private static final Duration SWEEP = Duration.ofMinutes(1);

  private static final Duration RETRY = Duration.ofSeconds(2);

  /** The clients and their administration. */
  @Bean
  Clients clients(@Qualifier("oauth") DataSource source, Clock clock) {
    return new Clients(source, clock);
  }

  /** Rules for scopes. */
  @Bean
  ScopeGrants scopeGrants(OauthSettings settings, @Qualifier("oauth") DataSource source) {
    return new ScopeGrants(settings.grants(), source);
  }

  /** Signing keys. */
  @Bean
  SigningKeys signingKeys(
      OauthSettings settings, @Qualifier("oauth") DataSource source, Clock clock, KeySeal seal) {
    return SigningKeys.byTheStoresTime(source, settings.keys(), clock, seal);
  }

  /** Tells the audit log what the protocol's endpoints did. */
  @Bean
  AuthenticationEventPublisher protocolAudit(AuditLog audit) {
    return new ProtocolAudit(audit);
  }

  /** Secrets of the nodes. */
  @Bean
  StoreSecrets storeSecrets(@Qualifier("oauth") DataSource source, KeySeal seal) {
    return new StoreSecrets(source, seal);
  }

  /** What was granted. */
  @Bean
  Grants grants(
      @Qualifier("oauth") DataSource source, Sessions sessions, UserEnds users, Clock clock) {
    return new Grants(
        source,
        session -> SessionLink.standing(sessions, session),
        name -> SessionLink.notBefore(users, name),
        sessions::forForgetting,
        clock);
  }

  /** Each node does it; the second finds nothing to do. */
  @Bean
  Chores grantSweep(Grants grants, SessionLink link) {
    var chores = new Chores("grant-sweep");
    chores.every(SWEEP, "removing grants that have expired", grants::sweep);
    chores.every(RETRY, "ending grants of sessions that were ended", link::retry);
    chores.every(SWEEP, "ending sessions of users whose grants were ended", link::endForgotten);
    return chores;
  }

  /** Sessions, as browsers and grants see them. */
  @Bean
  SessionLink sessionLink(Sessions sessions, Grants grants, UserEnds users, Clock clock) {
    return new SessionLink(sessions, grants, users, clock);
  }

  /** The cookie of the session. */
  @Bean
  SessionCookie sessionCookie(OauthSettings settings) {
    return new SessionCookie(settings.issuer());
  }

  /** Who is signed in. */
  @Bean
  CookieContexts cookieContexts(SessionCookie cookie, SessionLink sessions) {
    return new CookieContexts(cookie, sessions);
  }

  /** What pages ask. */
  @Bean
  Questions questions(Grants grants, Clients clients, FactorRules factors) {
    return new Questions(grants, clients, factors);
  }

  /** When a password is not enough. */
  @Bean
  FactorRules factorRules(Clients clients, OauthSettings settings) {
    return new FactorRules(clients, new SecondFactorScopes(settings.secondFactorScopes()));
  }

  /** The chain of the protocol's endpoints. */
  @Bean
  @Order(1)
  SecurityFilterChain protocolChain(
      HttpSecurity http,
      OauthSettings settings,
      @Qualifier("oauth") DataSource source,
      Clients clients,
      ScopeGrants scopes,
      Grants grants,
      People people,
      UserEnds ends,
      Questions questions,
      CookieContexts contexts,
      SessionCookie cookie,
      SessionLink sessions,
      OAuth2TokenGenerator<OAuth2Token> generator,
      SigningKeys keys,
      Clock clock)
      throws Exception {
    var registered =
        new RegisteredClients(clients, settings.codeLifetime(), settings.deviceLifetime());
    var publicClients = new PublicClients(registered);
    var devices =
        new DeviceRequests(grants, clients, settings.deviceLifetime(), settings.audience(), clock);
    var permitted = new PermittedGrants(grants, clients, scopes, people);
    var patience = new DevicePatience(clock);
    var codes = new AuthorizationCodes(clock);
    var answer = new AuthorizationAnswer(settings.issuer(), clients);
    var logout = new LogoutAnswer(cookie, sessions);
    var bearer = new BearerEntry();
    var rules =
        new RedirectRules()
            .andThen(OAuth2AuthorizationCodeRequestAuthenticationValidator.DEFAULT_SCOPE_VALIDATOR)
            .andThen(new AuthorizationRules(clients, scopes, people, settings.audience()));
    var server = new OAuth2AuthorizationServerConfigurer();
    http.securityMatcher(server.getEndpointsMatcher())
        .with(
            server,
            each ->
                each.withObjectPostProcessor(new WithoutHttpSession())
                    .registeredClientRepository(registered)
                    .authorizationService(grants)
                    .authorizationConsentService(
                        new Consents(source, name -> SessionLink.notBefore(ends, name), clock))
                    .authorizationServerSettings(
                        AuthorizationServerSettings.builder().issuer(settings.issuer()).build())
                    .tokenGenerator(generator)
                    .authorizationServerMetadataEndpoint(
                        endpoint ->
                            endpoint.authorizationServerMetadataCustomizer(
                                metadata -> metadata.claims(Discovery::clients)))
                    .clientAuthentication(
                        client ->
                            client
                                .errorResponseHandler(new ClientRefusal())
                                .authenticationConverter(publicClients)
                                .authenticationProvider(publicClients)
                                .authenticationProviders(OauthConfiguration::digestSecrets))
                    .authorizationEndpoint(
                        endpoint ->
                            endpoint
                                .consentPage("/consent")
                                .authorizationResponseHandler(answer)
                                .errorResponseHandler(answer)
                                .authenticationProviders(
                                    providers ->
                                        providers.forEach(
                                            provider -> {
                                              if (provider
                                                  instanceof
                                                  OAuth2AuthorizationCodeRequestAuthenticationProvider
                                                      requests) {
                                                requests.setAuthenticationValidator(rules);
                                                requests.setAuthorizationCodeGenerator(codes);
                                                requests.setAuthorizationConsentRequired(
                                                    Consents::isAsked);
                                              }
                                              if (provider
                                                  instanceof
                                                  OAuth2AuthorizationConsentAuthenticationProvider
                                                      consents) {
                                                consents.setAuthorizationCodeGenerator(codes);
                                              }
                                            })))
                    .tokenEndpoint(
                        endpoint ->
                            endpoint
                                .authenticationProvider(
                                    new TokenExchange(permitted, clients, generator))
                                .authenticationProviders(
                                    providers -> {
                                      providers.removeIf(
                                          OAuth2TokenExchangeAuthenticationProvider.class
                                              ::isInstance);
                                      providers.replaceAll(
                                          provider ->
                                              switch (provider) {
                                                case OAuth2DeviceCodeAuthenticationProvider any ->
                                                    new DeviceTokens(grants, generator, patience);
                                                case OAuth2RefreshTokenAuthenticationProvider any ->
                                                    new OAuth2RefreshTokenAuthenticationProvider(
                                                        permitted, generator);
                                                default -> provider;
                                              });
                                    }))
                    .tokenIntrospectionEndpoint(
                        endpoint ->
                            endpoint.authenticationProviders(
                                providers -> {
                                  providers.clear();
                                  providers.add(
                                      new OAuth2TokenIntrospectionAuthenticationProvider(
                                          registered, permitted));
                                }))
                    .deviceAuthorizationEndpoint(
                        endpoint ->
                            endpoint
                                // In full: else it would name what the Host header does.
                                .verificationUri(settings.issuer() + "/device")
                                .authenticationProviders(
                                    providers -> {
                                      providers.clear();
                                      providers.add(devices);
                                    }))
                    .deviceVerificationEndpoint(
                        endpoint ->
                            endpoint
                                .consentPage("/consent")
                                .deviceVerificationResponseHandler(
                                    (request, response, done) ->
                                        response.sendRedirect("/device/done"))
                                .errorResponseHandler(
                                    (request, response, failure) ->
                                        response.sendRedirect("/device?error")))
                    .oidc(
                        oidc ->
                            oidc.userInfoEndpoint(
                                    endpoint ->
                                        endpoint
                                            .errorResponseHandler(bearer::commence)
                                            .authenticationProviders(
                                                providers -> {
                                                  // The server's own goes by the ID token.
                                                  providers.clear();
                                                  providers.add(new UserInfo(grants, people));
                                                }))
                                .logoutEndpoint(
                                    endpoint ->
                                        endpoint
                                            .logoutResponseHandler(logout)
                                            .errorResponseHandler(logout))
                                .providerConfigurationEndpoint(
                                    endpoint ->
                                        endpoint.providerConfigurationCustomizer(
                                            metadata ->
                                                metadata.claims(
                                                    all ->
                                                        Discovery.all(
                                                            all, settings.keys().algorithms()))))))
        .authorizeHttpRequests(all -> all.anyRequest().authenticated())
        .securityContext(context -> context.securityContextRepository(contexts))
        .sessionManagement(all -> all.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
        .requestCache(all -> all.requestCache(new NullRequestCache()))
        .logout(AbstractHttpConfigurer::disable)
        .oauth2ResourceServer(tokens -> tokens.authenticationEntryPoint(bearer))
        .exceptionHandling(
            all ->
                all.defaultAuthenticationEntryPointFor(
                    new ProtocolEntry(clients, answer), OauthConfiguration::forBrowsers))
        .addFilterBefore(new RequestGate(), SecurityContextHolderFilter.class)
        .addFilterAfter(
            new StepUp(questions, new IdTokenHint(keys, people), clock),
            SecurityContextHolderFilter.class);
    return http.build();
  }

  /** Before everything else: a browser that asks first sends no more than the question. */
  @Bean
  FilterRegistrationBean<CorsFilter> browserApplications(OauthSettings settings) {
    var filter =
        new FilterRegistrationBean<>(
            new CorsFilter(new BrowserApplications(settings.allowedOrigins())));
    filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
    return filter;
  }

  private static boolean forBrowsers(HttpServletRequest request) {
    return List.of("/oauth2/authorize", "/oauth2/device_verification")
        .contains(request.getServletPath());
  }

  private static void digestSecrets(List<AuthenticationProvider> providers) {
    providers.forEach(
        provider -> {
          if (provider instanceof ClientSecretAuthenticationProvider secrets) {
            secrets.setPasswordEncoder(new ClientSecrets());
          }
        });
  }

  /**
   * The authorization server notes OpenID Connect sessions in the container's, which would be known
   * to one node only; ours are in the token.
   */
  private static final class WithoutHttpSession
      implements ObjectPostProcessor<OAuth2AuthorizationEndpointFilter> {
    @Override
    public <O extends OAuth2AuthorizationEndpointFilter> O postProcess(O filter) {
      filter.setSessionAuthenticationStrategy((authentication, request, response) -> {});
      return filter;
    }
  }
}
