package dev.staithe.authn;

import dev.staithe.authn.admin.AdministrationConfiguration;
import dev.staithe.authn.admin.AdministrationSettings;
import dev.staithe.authn.login.HashPool;
import dev.staithe.authn.login.Logins;
import dev.staithe.authn.login.OneTimeCodes;
import dev.staithe.authn.login.PasswordHash;
import dev.staithe.authn.oauth.Grants;
import dev.staithe.authn.oauth.SessionLink;
import dev.staithe.authn.oauth.SessionTokens;
import dev.staithe.authn.rest.RestInterface;
import dev.staithe.authn.session.Sessions;
import dev.staithe.authn.session.TokenKeys;
import dev.staithe.authn.users.UserDirectory;
import dev.staithe.service.AccessLog;
import dev.staithe.service.AuditLog;
import dev.staithe.service.HttpServer;
import dev.staithe.service.Networks;
import dev.staithe.service.TlsEnd;
import dev.staithe.tls.TlsProvider;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import org.eclipse.jetty.http.UriCompliance;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The way in: TLS, Jetty, REST in front of the servlets, logs, metrics. */
@Configuration(proxyBeanMethods = false)
@Import(AdministrationConfiguration.class)
final class WebConfiguration {
  @Bean
  AccessLog accessLog(AuthnProperties properties, MeterRegistry registry, Clock clock) {
    return new AccessLog(
        properties.accessLog(),
        null,
        new AccessLog.Knowledge("interface", Interfaces::of, request -> null),
        registry,
        clock);
  }

  @Bean
  AuthnMetrics authnMetrics(MeterRegistry registry, Sessions sessions, Logins logins) {
    return new AuthnMetrics(registry, sessions, logins);
  }

  @Bean
  HttpServer httpServer(
      AuthnProperties properties,
      TlsEnd tlsEnd,
      AccessLog accessLog,
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
    return new HttpServer(
        new HttpServer.Shape(
            properties.limits(),
            Networks.parse(properties.proxy().trusted()),
            properties.http2(),
            HttpServer.SMALL_CONTENT_BUFFER,
            UriCompliance.DEFAULT),
        tlsEnd.tls(),
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
        },
        accessLog);
  }

  @Bean
  AdministrationSettings administrationSettings(AuthnProperties properties) {
    return new AdministrationSettings(
        properties.administration().group(), properties.administration().secondFactor());
  }

  @Bean
  StartReport startReport(
      AuthnProperties properties, TlsProvider provider, PasswordHash passwords, HashPool pool) {
    return new StartReport(properties, provider, passwords, pool);
  }
}
