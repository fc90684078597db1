package dev.staithe.slcs.issue;

import dev.staithe.pki.KeyRules;
import dev.staithe.service.door.Origins;
import dev.staithe.service.log.AuditLog;
import dev.staithe.slcs.ca.CertificateAuthority;
import dev.staithe.slcs.door.LoginNeeded;
import dev.staithe.xml.XmlText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;

/** The parts of this package. */
@Configuration(proxyBeanMethods = false)
public final class IssueConfiguration {
  @Bean
  People people(DataSource store) {
    return new People(store);
  }

  @Bean
  CertificateIssuance issuing(
      IssueSettings settings,
      DataSource store,
      People people,
      KeyRules keys,
      CertificateAuthority authority,
      AuditLog audit,
      Clock clock) {
    return new CertificateIssuance(settings, store, people, keys, authority, audit, clock);
  }

  @Bean
  OwnCertificates ownCertificates(CertificateAuthority authority, People people) {
    return new OwnCertificates(authority, people);
  }

  @Bean
  CertificatesController certificatesController(
      CertificateIssuance issuing, OwnCertificates own, LoginNeeded login, Origins origins) {
    return new CertificatesController(issuing, own, login, origins);
  }

  @Bean
  SimpleUrlHandlerMapping issueDoors(
      IssueSettings settings,
      CertificateIssuance issuing,
      People people,
      OwnCertificates own,
      LoginNeeded login,
      Origins origins,
      AuditLog audit,
      DataSource store,
      Clock clock) {
    var soap = new SoapIssueDoor(issuing, login, origins, wsdl(settings.url().toString()));
    var form =
        new SwitchDoor(
            issuing, new OneTimeTokens(store, settings.tokenLife(), clock), login, settings.url());
    var who =
        new PeopleDoor(
            people,
            own,
            settings.operators(),
            new TransactionTemplate(new DataSourceTransactionManager(store)),
            login,
            origins,
            audit);
    Map<String, HttpRequestHandler> doors =
        Map.of(
            PeopleDoor.PATH,
            who,
            PeopleDoor.LINK,
            who,
            PeopleDoor.PROVIDER,
            who,
            SoapIssueDoor.PATH,
            soap,
            SwitchDoor.LOGIN,
            form,
            SwitchDoor.CERTIFICATE,
            form);
    return new SimpleUrlHandlerMapping(doors, Ordered.HIGHEST_PRECEDENCE + 100);
  }

  /** The description with this service's address in it. */
  static String wsdl(String url) {
    try (InputStream in = IssueConfiguration.class.getResourceAsStream("slcs.wsdl")) {
      if (in == null) {
        throw new IllegalStateException("the description of the SOAP interface is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .replace("@ADDRESS@", XmlText.escapeAttribute(url + SoapIssueDoor.PATH));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
