package dev.staithe.slcs.pages;

import dev.staithe.database.Databases;
import dev.staithe.service.door.ErrorLine;
import dev.staithe.slcs.door.LoginNeeded;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The parts of this package. */
@Configuration(proxyBeanMethods = false)
public final class PagesConfiguration {
  @Bean
  HomePage homePage(LoginNeeded login) {
    return new HomePage(login);
  }

  @Bean
  ErrorLine errorLine() {
    return new ErrorLine(Databases::mayPass);
  }
}
