package dev.staithe.slcs.saml;

import static dev.staithe.service.OneLineFailure.started;

import dev.staithe.service.log.AuditLog;
import dev.staithe.slcs.saml.metadata.Housekeeping;
import dev.staithe.slcs.saml.metadata.MetadataConfiguration;
import dev.staithe.slcs.saml.metadata.Providers;
import dev.staithe.slcs.saml.metadata.SamlSettings;
import dev.staithe.slcs.saml.metadata.ServiceProvider;
import dev.staithe.slcs.saml.response.ConsumedIds;
import dev.staithe.slcs.saml.response.ResponseConfiguration;
import dev.staithe.slcs.saml.response.ResponseJudge;
import dev.staithe.slcs.saml.response.SentRequests;
import dev.staithe.slcs.session.CampusSessions;
import dev.staithe.slcs.session.Digests;
import dev.staithe.slcs.session.SessionFilter;
import dev.staithe.slcs.session.SessionRows;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import javax.sql.DataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.AnonymousAuthenticationFilter;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;

/** The parts of this package; the root package gives it a {@link SamlSettings}. */
@Configuration(proxyBeanMethods = false)
@Import({MetadataConfiguration.class, ResponseConfiguration.class})
public final class SamlConfiguration {
  @Bean
  Housekeeping housekeeping(
      Providers providers,
      SentRequests sent,
      ConsumedIds consumed,
      CampusSessions sessions,
      NodeKeys keys,
      SamlSettings settings,
      MeterRegistry metrics,
      Clock clock) {
    return new Housekeeping(
        providers,
        settings.refresh(),
        () -> {
          sent.sweep();
          consumed.sweep();
          sessions.sweep();
          keys.say();
        },
        metrics,
        clock);
  }

  @Bean
  NodeKeys nodeKeys(DataSource store, SamlSettings settings, Clock clock) {
    String own = Digests.of(settings.credential().certificate().getPublicKey().getEncoded());
    return started(
        "staithe.saml.key",
        () -> {
          var keys = new NodeKeys(store, own, settings.keyMadeHere(), clock);
          keys.start();
          return keys;
        });
  }

  @Bean
  SessionRows sessionRows(DataSource store) {
    return new SessionRows(store);
  }

  @Bean
  CampusSessions campusSessions(SessionRows rows, SamlSettings settings, Clock clock) {
    return new CampusSessions(rows, settings.session(), clock);
  }

  @Bean
  Logout logout(
      Providers providers,
      ServiceProvider self,
      ConsumedIds consumed,
      SamlSettings settings,
      Clock clock) {
    return new Logout(providers, self, consumed, settings.clockSkew(), clock);
  }

  @Bean
  LogoutEndpoints logoutEndpoints(
      Logout logout, SessionRows rows, CampusSessions sessions, SamlAudit audit) {
    return new LogoutEndpoints(logout, rows, sessions, audit);
  }

  @Bean
  AuthnRequests authnRequests(
      SentRequests sent, SamlSettings settings, ServiceProvider self, Clock clock) {
    return new AuthnRequests(sent, settings, self, clock);
  }

  @Bean
  SamlAudit samlAudit(AuditLog audit, MeterRegistry metrics) {
    return new SamlAudit(audit, metrics);
  }

  @Bean
  BegunLogins begunLogins(SamlSettings settings) {
    return new BegunLogins(settings.begun());
  }

  @Bean
  SignIn signIn(
      Providers providers,
      ServiceProvider self,
      AuthnRequests requests,
      BegunLogins begun,
      SamlSettings settings) {
    return new SignIn(providers, self, requests, begun, settings);
  }

  @Bean
  LoginEndpoints loginEndpoints(
      ServiceProvider self,
      Providers providers,
      AuthnRequests requests,
      ResponseJudge judge,
      CampusSessions sessions,
      SamlAudit audit,
      BegunLogins begun,
      SamlSettings settings) {
    return new LoginEndpoints(self, providers, requests, judge, sessions, audit, begun, settings);
  }

  @Bean
  LoginPage loginPage(Providers providers, SignIn signIn, LoginEndpoints endpoints) {
    return new LoginPage(providers, signIn, endpoints);
  }

  @Bean
  SessionEndpoints sessionEndpoints(CampusSessions sessions, SignIn signIn, SamlAudit audit) {
    return new SessionEndpoints(sessions, signIn, audit);
  }

  /** What all chains have in common: the headers of security, and who has a session by cookie. */
  @Bean
  Customizer<HttpSecurity> everyChain(CampusSessions sessions) {
    return http ->
        http.csrf(AbstractHttpConfigurer::disable)
            .logout(AbstractHttpConfigurer::disable)
            .requestCache(AbstractHttpConfigurer::disable)
            .sessionManagement(each -> each.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
            .headers(
                headers ->
                    headers
                        .contentSecurityPolicy(
                            policy ->
                                policy.policyDirectives(
                                    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri"
                                        + " 'none'; frame-ancestors 'none'; form-action 'self'"))
                        .referrerPolicy(policy -> policy.policy(ReferrerPolicy.SAME_ORIGIN)))
            .addFilterBefore(new SessionFilter(sessions), AnonymousAuthenticationFilter.class);
  }

  /**
   * Of all requests that no other chain takes: lets everything pass; what needs a session asks for
   * it by {@link SignIn}.
   */
  @Bean
  @Order(Ordered.LOWEST_PRECEDENCE)
  SecurityFilterChain campusChain(HttpSecurity http) {
    return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll()).build();
  }
}
