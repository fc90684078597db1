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

  /** Behind the filter that knows sessions of campuses, before everything that serves. */
  @Bean
  FilterRegistrationBean<ServiceGate> serviceGate(
      Parts parts, HttpClient outgoingClient, Refusals refusals, Origins origins, Clock clock) {
    var registration =
        new FilterRegistrationBean<>(
            new ServiceGate(
                parts.services(),
                parts.certificates(),
                parts.withdrawn(),
                sessions(parts, outgoingClient, clock),
                new Upstream(outgoingClient, ANSWER),
                refusals,
                origins));
    registration.setOrder(Ordered.LOWEST_PRECEDENCE - 10);
    return registration;
  }

  @Bean
  FilterRegistrationBean<BearerFilter> bearerFilter(
      Parts parts, HttpClient outgoingClient, Refusals refusals, Clock clock) {
    var registration =
        new FilterRegistrationBean<>(
            new BearerFilter(sessions(parts, outgoingClient, clock), refusals));
    registration.addUrlPatterns("/certificates", "/certificates/*", "/soap/slcs", "/SLCS/login");
    registration.setOrder(Ordered.LOWEST_PRECEDENCE - 11);
    return registration;
  }

  private static @Nullable BearerSessions sessions(Parts parts, HttpClient client, Clock clock) {
    return parts.authn() == null ? null : new BearerSessions(parts.authn(), client, clock);
  }
}
