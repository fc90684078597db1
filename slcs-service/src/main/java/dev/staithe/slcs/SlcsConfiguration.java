package dev.staithe.slcs;

import static dev.staithe.service.OneLineFailure.started;
import static java.util.Objects.requireNonNull;

import dev.staithe.database.Databases;
import dev.staithe.database.Migrations;
import dev.staithe.service.AccessLog;
import dev.staithe.service.AuditLog;
import dev.staithe.service.HttpServer;
import dev.staithe.service.Networks;
import dev.staithe.service.TlsEnd;
import dev.staithe.slcs.ca.CaConfiguration;
import dev.staithe.slcs.ca.CaSettings;
import dev.staithe.slcs.ca.CertificateAuthority;
import dev.staithe.slcs.ca.OcspGet;
import dev.staithe.slcs.ca.PlainDoor;
import dev.staithe.slcs.echo.EchoConfiguration;
import dev.staithe.slcs.issue.IssueConfiguration;
import dev.staithe.slcs.pages.PagesConfiguration;
import dev.staithe.slcs.protect.ProtectConfiguration;
import dev.staithe.slcs.saml.SamlConfiguration;
import dev.staithe.slcs.saml.SamlSettings;
import dev.staithe.tls.TlsProvider;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import javax.sql.DataSource;
import org.eclipse.jetty.http.UriCompliance;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.observation.SecurityObservationSettings;

/** Puts the parts together; all that is decided here comes from the properties. */
@Configuration(proxyBeanMethods = false)
@EnableWebSecurity
@EnableConfigurationProperties(SlcsProperties.class)
@Import({
  SamlConfiguration.class,
  CaConfiguration.class,
  IssueConfiguration.class,
  ProtectConfiguration.class,
  EchoConfiguration.class,
  PagesConfiguration.class,
  DoorsConfiguration.class
})
final class SlcsConfiguration {
  /**
   * Questions in the path have slashes of their own, encoded or double; {@link OcspGet} takes them,
   * and Spring's firewall refuses such paths for all others.
   */
  private static final UriCompliance OCSP_PATHS =
      UriCompliance.DEFAULT.with(
          "OCSP",
          UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR,
          UriCompliance.Violation.AMBIGUOUS_EMPTY_SEGMENT);

  /** The IGTF asks for three years. */
  private static final int AUDIT_DAYS = 1200;

  /** Times of each of Spring Security's filters tell nobody anything and cost with each request. */
  @Bean
  SecurityObservationSettings securityObservations() {
    return SecurityObservationSettings.noObservations();
  }

  @Bean
  Databases databases(SlcsProperties properties) {
    return started(
        "staithe.state", () -> new Databases(properties.database(), properties.state(), "slcs"));
  }

  /** Sessions, requests, names and certificates: all that nodes share. */
  @Bean
  DataSource store(Databases databases) {
    return started(
        "staithe.database",
        () -> {
          DataSource source = databases.open("slcs", null);
          for (String part : new String[] {"saml", "ca", "issue"}) {
            Migrations.run(source, part);
          }
          return source;
        });
  }

  @Bean
  SamlParts samlParts(SlcsProperties properties, TlsProvider provider, Clock clock) {
    return SamlParts.of(properties, provider, clock);
  }

  @Bean
  SamlSettings samlSettings(SamlParts parts) {
    return parts.settings();
  }

  @Bean
  AuditLog auditLog(SlcsProperties properties, Clock clock) {
    Path file = properties.auditLog().file();
    return started(
        "staithe.audit-log.file",
        () ->
            new AuditLog(
                file == null ? properties.state().resolve("audit.log") : file, AUDIT_DAYS, clock));
  }

  @Bean
  CaSettings caSettings(SlcsProperties properties) {
    return properties.ca().settings(properties.state(), requireNonNull(properties.url()));
  }

  @Bean
  PlainDoor plainDoor(
      SlcsProperties properties,
      Environment environment,
      CertificateAuthority authority,
      Clock clock) {
    return new PlainDoor(
        environment.getProperty("server.address"),
        properties.ca().plainPort(),
        OCSP_PATHS,
        authority,
        clock);
  }

  @Bean
  AccessLog accessLog(SlcsProperties properties, MeterRegistry registry, Clock clock) {
    return new AccessLog(
        properties.accessLog(),
        null,
        new AccessLog.Knowledge("interface", Interfaces::of, request -> null),
        registry,
        clock);
  }

  @Bean
  HttpServer httpServer(
      SlcsProperties properties,
      TlsEnd tlsEnd,
      AccessLog accessLog,
      CertificateAuthority authority,
      Clock clock) {
    return new HttpServer(
        new HttpServer.Shape(
            properties.limits(),
            Networks.parse(properties.proxy().trusted()),
            properties.http2(),
            HttpServer.SMALL_CONTENT_BUFFER,
            OCSP_PATHS),
        tlsEnd.tls(),
        servlets -> new OcspGet(servlets, authority, clock),
        accessLog);
  }

  @Bean
  StartReport startReport(
      SlcsProperties properties, TlsProvider provider, CertificateAuthority authority) {
    return new StartReport(properties, provider, authority);
  }
}
