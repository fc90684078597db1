package dev.staithe.slcs;

import static java.util.Objects.requireNonNull;

import dev.staithe.database.Databases;
import dev.staithe.service.Networks;
import dev.staithe.service.http.HttpServer;
import dev.staithe.service.log.AccessLog;
import dev.staithe.service.log.FirstSegment;
import dev.staithe.service.start.StartLines;
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
import dev.staithe.slcs.saml.metadata.SamlSettings;
import dev.staithe.tls.TlsProvider;
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

  /** Times of each of Spring Security's filters tell nobody anything and cost with each request. */
  @Bean
  SecurityObservationSettings securityObservations() {
    return SecurityObservationSettings.noObservations();
  }

  /** Sessions, requests, names and certificates: all that nodes share. */
  @Bean
  DataSource store(Databases databases) {
    return databases.migrated("slcs", null, "staithe.database", "saml", "ca", "issue");
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
        Networks.parse(properties.proxy().trusted()),
        properties.limits(),
        authority,
        clock);
  }

  @Bean
  AccessLog.Knowledge accessLogKnowledge() {
    return AccessLog.Knowledge.of(
        FirstSegment.of("saml2", "login", "certificates", "people", "soap", "SLCS", "ocsp", "echo")
            ::apply);
  }

  @Bean
  HttpServer.Front ocspByGet(CertificateAuthority authority, Clock clock) {
    return new HttpServer.Front(
        servlets -> new OcspGet(servlets, authority, clock),
        HttpServer.SMALL_CONTENT_BUFFER,
        OCSP_PATHS);
  }

  @Bean
  StartLines startLines(SlcsProperties properties, CertificateAuthority authority) {
    return new SlcsStartLines(properties, authority);
  }
}
