package dev.staithe.authn.admin;

import dev.staithe.authn.clients.Clients;
import dev.staithe.authn.grants.Grants;
import dev.staithe.authn.grants.SessionLink;
import dev.staithe.authn.session.Sessions;
import dev.staithe.authn.users.JdbcUsers;
import dev.staithe.authn.users.UserAdministration;
import dev.staithe.authn.users.UserDirectory;
import dev.staithe.service.log.AuditLog;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** The administration's controllers, and who may reach them. */
@Configuration(proxyBeanMethods = false)
public final class AdministrationConfiguration {
  @Bean
  WebMvcConfigurer administrators(
      Sessions sessions, UserDirectory users, AdministrationSettings settings, AuditLog audit) {
    var only = new AdministratorsOnly(sessions, users, settings, audit);
    return new WebMvcConfigurer() {
      @Override
      public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(only).addPathPatterns("/admin/**");
      }
    };
  }

  @Bean
  UsersController usersController(
      JdbcUsers users,
      UserDirectory directory,
      UserAdministration administration,
      SessionLink sessions,
      AuditLog audit) {
    return new UsersController(users, directory, administration, sessions, audit);
  }

  @Bean
  SessionsController sessionsController(Sessions sessions, SessionLink link, AuditLog audit) {
    return new SessionsController(sessions, link, audit);
  }

  @Bean
  GrantsController grantsController(Grants grants, AuditLog audit) {
    return new GrantsController(grants, audit);
  }

  @Bean
  ClientsController clientsController(Clients clients, AuditLog audit) {
    return new ClientsController(clients, audit);
  }

  @Bean
  Failures failures() {
    return new Failures();
  }
}
