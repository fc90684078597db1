package dev.staithe.slcs.ca;

import static dev.staithe.service.OneLineFailure.started;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.staithe.pki.KeyRules;
import dev.staithe.pki.RsaWeakness;
import dev.staithe.pki.WeakKeys;
import dev.staithe.service.log.AuditLog;
import dev.staithe.service.process.Chores;
import io.micrometer.core.instrument.MeterRegistry;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
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
  /** A few megabytes. */
  private static final int REMEMBERED_KEYS = 10_000;

  @Bean
  CertificateAuthority certificateAuthority(
      CaSettings settings, DataSource source, AuditLog audit, Clock clock) {
    return started("staithe.ca", () -> new CertificateAuthority(settings, source, audit, clock));
  }

  /**
   * Which keys get a certificate; one that comes again, as with renewals, is not examined again.
   */
  @Bean
  KeyRules keyRules(CaSettings settings) {
    return started(
        "staithe.ca.weak-keys",
        () -> {
          WeakKeys known = WeakKeys.none();
          for (Path file : settings.weakKeys()) {
            known = known.and(WeakKeys.read(file));
          }
          LoadingCache<BigInteger, Optional<String>> examined =
              Caffeine.newBuilder().maximumSize(REMEMBERED_KEYS).build(RsaWeakness::of);
          return new KeyRules(known, false, examined::get);
        });
  }

  @Bean
  AuthorityController authorityController(CertificateAuthority authority, Clock clock) {
    return new AuthorityController(authority, clock);
  }

  /** Sees to it that there is a list of revoked certificates that is good for long. */
  @Bean
  Chores caUpkeep(CertificateAuthority authority) {
    var chores = new Chores("ca-upkeep");
    chores.nowAndEvery(
        Duration.ofMinutes(1), "making the list of revoked certificates", authority::renewCrl);
    return chores;
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
