package dev.staithe.authn;

import dev.staithe.authn.admin.AdministrationConfiguration;
import dev.staithe.authn.admin.AdministrationSettings;
import dev.staithe.authn.grants.Grants;
import dev.staithe.authn.grants.SessionLink;
import dev.staithe.authn.login.Logins;
import dev.staithe.authn.login.OneTimeCodes;
import dev.staithe.authn.password.HashPool;
import dev.staithe.authn.password.PasswordHash;
import dev.staithe.authn.rest.RestInterface;
import dev.staithe.authn.seal.TokenKeys;
import dev.staithe.authn.session.Sessions;
import dev.staithe.authn.tokens.SessionTokens;
import dev.staithe.authn.users.UserDirectory;
import dev.staithe.service.http.HttpServer;
import dev.staithe.service.log.AccessLog;
import dev.staithe.service.log.AuditLog;
import dev.staithe.service.log.FirstSegment;
import dev.staithe.service.start.StartLines;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The way in: TLS, Jetty, REST in front of the servlets, logs, metrics. */
@Configuration(proxyBeanMethods = false)
@Import(AdministrationConfiguration.class)
final class WebConfiguration {
  private static final String OPENAM = "/openam/";

  @Bean
  AccessLog.Knowledge accessLogKnowledge() {
    FirstSegment parts = FirstSegment.of("identity", "json", "oauth2", "admin", "connect");
    return AccessLog.Knowledge.of(
        request -> {
          String path = String.valueOf(request.getHttpURI().getPath());
          // The same calls by OpenAM's address.
          return parts.ofPath(path.startsWith(OPENAM) ? path.substring(OPENAM.length()) : path);
        });
  }

  @Bean
  AuthnMetrics authnMetrics(MeterRegistry registry, Sessions sessions, Logins logins) {
    return new AuthnMetrics(registry, sessions, logins);
  }

  @Bean
  HttpServer.Front restInterface(
      AuthnProperties properties,
      Logins logins,
      OneTimeCodes codes,
      SessionTokens tokens,
      Grants grants,
      SessionLink link,
      Sessions sessions,
      UserDirectory users,
      TokenKeys keys,
      AuditLog audit,
      AuthnMetrics metrics,
      Clock clock) {
    return HttpServer.Front.of(
        servlets -> {
          var door =
              RestInterface.door(
                  logins,
                  codes,
                  tokens,
                  grants,
                  link,
                  sessions,
                  users,
                  keys,
                  properties.sessions().freshness(),
                  audit,
                  metrics,
                  clock);
          door.setHandler(servlets);
          return door;
        });
  }

  @Bean
  AdministrationSettings administrationSettings(AuthnProperties properties) {
    return new AdministrationSettings(
        properties.administration().group(), properties.administration().secondFactor());
  }

  @Bean
  StartLines startLines(AuthnProperties properties, PasswordHash passwords, HashPool pool) {
    return new AuthnStartLines(properties, passwords, pool);
  }
}
