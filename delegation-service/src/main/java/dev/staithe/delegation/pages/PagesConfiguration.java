package dev.staithe.delegation.pages;

import dev.staithe.database.Databases;
import dev.staithe.delegation.credential.Callers;
import dev.staithe.delegation.credential.Delegations;
import dev.staithe.service.door.ErrorLine;
import dev.staithe.service.door.Origins;
import dev.staithe.service.log.AuditLog;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The parts of this package. */
@Configuration(proxyBeanMethods = false)
public final class PagesConfiguration {
  @Bean
  HomePage homePage(Callers callers, Delegations delegations, Origins origins, AuditLog audit) {
    return new HomePage(callers, delegations, origins, audit);
  }

  @Bean
  ErrorLine errorLine() {
    return new ErrorLine(Databases::mayPass);
  }
}
