package dev.staithe.slcs.saml;

import static dev.staithe.service.OneLineFailure.started;

import dev.staithe.service.OneLineFailure;
import dev.staithe.service.log.AuditLog;
import dev.staithe.slcs.session.CampusSessions;
import dev.staithe.slcs.session.Digests;
import dev.staithe.slcs.session.SessionFilter;
import dev.staithe.slcs.session.SessionRows;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
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
public final class SamlConfiguration {
  private static final Logger log = LoggerFactory.getLogger(SamlConfiguration.class);

  @Bean
  ServiceProvider serviceProvider(SamlSettings settings) {
    return new ServiceProvider(settings);
  }

  @Bean
  Providers providers(SamlSettings settings, ServiceProvider self, Clock clock) {
    var download = new Download(settings.trust());
    List<MetadataSource<Provider>> named = new ArrayList<>();
    var refused = new ArrayList<OneLineFailure.NotStarted>();
    for (int i = 0; i < settings.providers().size(); i++) {
      SamlSettings.NamedProvider each = settings.providers().get(i);
      var source =
          new MetadataSource<>(
              each.name(),
              each.metadata(),
              settings.state(),
              file -> MetadataFile.read(each, file, self),
              download,
              clock);
      start("staithe.saml.providers[" + i + "].metadata", source, refused);
      named.add(source);
    }
    SamlSettings.FederationSource federation = settings.federation();
    MetadataSource<Aggregate> aggregate =
        federation == null
            ? null
            : new MetadataSource<>(
                "federation",
                federation.metadata(),
                settings.state().resolve("federation"),
                file -> Aggregate.read(file, federation.signer(), clock.instant()),
                download,
                clock);
    if (aggregate != null) {
      start("staithe.saml.federation.metadata", aggregate, refused);
    }
    int sources = named.size() + (aggregate == null ? 0 : 1);
    if (!refused.isEmpty() && refused.size() == sources) {
      throw refused.getFirst();
    }
    // One campus that is broken keeps none of the others out.
    refused.forEach(each -> log.error("{}; nobody can log in by it", each.getMessage()));
    return new Providers(named, aggregate, self, clock);
  }

  private static void start(
      String key, MetadataSource<?> source, List<OneLineFailure.NotStarted> refused) {
    try {
      started(
          key,
          () -> {
            source.start();
            return source;
          });
    } catch (OneLineFailure.NotStarted e) {
      refused.add(e);
    }
  }

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
  SentRequests sentRequests(DataSource store, SamlSettings settings, Clock clock) {
    return new SentRequests(store, settings.requestLifetime(), clock);
  }

  @Bean
  ConsumedIds consumedIds(DataSource store, Clock clock) {
    return new ConsumedIds(store, clock);
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
  AuthnRequests authnRequests(SentRequests sent, SamlSettings settings, Clock clock) {
    return new AuthnRequests(sent, settings, clock);
  }

  @Bean
  ResponseJudge responseJudge(
      Providers providers,
      ServiceProvider self,
      SentRequests sent,
      ConsumedIds consumed,
      SamlSettings settings,
      Clock clock) {
    return new ResponseJudge(providers, self, sent, consumed, settings, clock);
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
