package dev.staithe.slcs.ca;

import static dev.staithe.service.OneLineFailure.started;

import dev.staithe.pki.KeyRules;
import dev.staithe.pki.WeakKeys;
import dev.staithe.service.log.AuditLog;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import javax.sql.DataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;

/** The parts of this package. */
@Configuration(proxyBeanMethods = false)
public final class CaConfiguration {
  @Bean
  CertificateAuthority certificateAuthority(
      CaSettings settings, DataSource source, AuditLog audit, Clock clock) {
    return started("staithe.ca", () -> new CertificateAuthority(settings, source, audit, clock));
  }

  /** Which keys get a certificate. */
  @Bean
  KeyRules keyRules(CaSettings settings) {
    return started(
        "staithe.ca.weak-keys",
        () -> {
          WeakKeys known = WeakKeys.none();
          for (Path file : settings.weakKeys()) {
            known = known.and(WeakKeys.read(file));
          }
          return new KeyRules(known);
        });
  }

  @Bean
  AuthorityController authorityController(CertificateAuthority authority, Clock clock) {
    return new AuthorityController(authority, clock);
  }

  @Bean
  CaUpkeep caUpkeep(CertificateAuthority authority) {
    return new CaUpkeep(authority);
  }

  @Bean
  CaMetrics caMetrics(MeterRegistry registry, CertificateAuthority authority) {
    return new CaMetrics(registry, authority);
  }

  /** What everybody may read needs no login, and caches may keep it. */
  @Bean
  @Order(Ordered.HIGHEST_PRECEDENCE)
  SecurityFilterChain authorityChain(HttpSecurity http) throws Exception {
    return http.securityMatcher(AuthorityController.PATHS)
        .authorizeHttpRequests(all -> all.anyRequest().permitAll())
        .sessionManagement(all -> all.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
        .csrf(AbstractHttpConfigurer::disable)
        .requestCache(AbstractHttpConfigurer::disable)
        .logout(AbstractHttpConfigurer::disable)
        .headers(headers -> headers.cacheControl(HeadersConfigurer.CacheControlConfig::disable))
        .build();
  }
}
