package dev.staithe.slcs.protect;

import dev.staithe.http.BoundedFetch;
import dev.staithe.service.door.Origins;
import dev.staithe.slcs.door.LoginNeeded;
import dev.staithe.tls.ClientCertificates;
import java.net.http.HttpClient;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.oauth2.server.resource.authentication.OpaqueTokenAuthenticationProvider;
import org.springframework.security.oauth2.server.resource.web.authentication.BearerTokenAuthenticationFilter;
import org.springframework.security.web.SecurityFilterChain;

/** The parts of this package. */
@Configuration(proxyBeanMethods = false)
public final class ProtectConfiguration {
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(30);

  /**
   * What this package is told.
   *
   * @param services that are protected, in any order
   * @param authn whose sessions are taken; null: nobody's
   * @param certificates judges those of clients; null where they are not asked
   * @param withdrawn whether our own authority has withdrawn a certificate
   * @param outgoing whom we trust when we connect; null: the JDK's authorities
   */
  public record Parts(
      List<ProtectedService> services,
      @Nullable AuthnSettings authn,
      @Nullable ClientCertificates certificates,
      Predicate<X509Certificate> withdrawn,
      @Nullable SSLContext outgoing) {
    /** Copies the list. */
    public Parts {
      services = List.copyOf(services);
    }
  }

  @Bean
  HttpClient outgoingClient(Parts parts) {
    return BoundedFetch.client(parts.outgoing(), CONNECT);
  }

  @Bean
  Refusals refusals(LoginNeeded login) {
    return new Refusals(login);
  }

  @Bean
  ProtectedServices protectedServices(Parts parts) {
    return new ProtectedServices(parts.services());
  }

  @Bean
  BearerTokens bearerTokens(
      Parts parts, ProtectedServices services, HttpClient outgoingClient, Clock clock) {
    return new BearerTokens(parts.authn(), services, outgoingClient, clock);
  }

  /** Of requests that bear a session of authn-service where it is taken. */
  @Bean
  @Order(Ordered.HIGHEST_PRECEDENCE)
  SecurityFilterChain bearerChain(HttpSecurity http, BearerTokens tokens, Refusals refusals) {
    var sessions = new ProviderManager(new OpaqueTokenAuthenticationProvider(tokens::introspect));
    var accounts = new ProviderManager(new OpaqueTokenAuthenticationProvider(tokens::account));
    return http.securityMatcher(tokens::areTaken)
        .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
        .oauth2ResourceServer(
            server ->
                server
                    .bearerTokenResolver(BearerTokens::of)
                    .authenticationManagerResolver(
                        request -> BearerTokens.issues(request) ? accounts : sessions)
                    .authenticationEntryPoint(
                        (request, response, why) -> refusals.badBearer(request, response))
                    .withObjectPostProcessor(
                        new ObjectPostProcessor<BearerTokenAuthenticationFilter>() {
                          @Override
                          public <F extends BearerTokenAuthenticationFilter> F postProcess(
                              F filter) {
                            filter.setAuthenticationFailureHandler(refusals::failed);
                            return filter;
                          }
                        }))
        .build();
  }

  /** Behind the chains of filters that know sessions, before everything that serves. */
  @Bean
  FilterRegistrationBean<ServiceGate> serviceGate(
      Parts parts,
      ProtectedServices services,
      BearerTokens tokens,
      HttpClient outgoingClient,
      Refusals refusals,
      Origins origins) {
    var registration =
        new FilterRegistrationBean<>(
            new ServiceGate(
                services,
                parts.certificates(),
                parts.withdrawn(),
                tokens,
                new Upstream(outgoingClient, ANSWER),
                refusals,
                origins));
    registration.setOrder(Ordered.LOWEST_PRECEDENCE - 10);
    return registration;
  }
}
