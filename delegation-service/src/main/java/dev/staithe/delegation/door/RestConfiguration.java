package dev.staithe.delegation.door;

import dev.staithe.delegation.credential.Callers;
import dev.staithe.delegation.credential.Delegations;
import dev.staithe.service.door.Origins;
import dev.staithe.service.log.AuditLog;
import java.net.URI;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The ways in by REST. */
@Configuration(proxyBeanMethods = false)
public final class RestConfiguration {
  /**
   * Where everybody finds this service.
   *
   * @param url without a slash at its end
   */
  public record Place(URI url) {}

  @Bean
  FilterRegistrationBean<CallerFilter> callerFilter(
      Callers callers, Origins origins, RestRefusals refusals) {
    var bean = new FilterRegistrationBean<>(new CallerFilter(callers, origins, refusals));
    bean.addUrlPatterns(CallerFilter.PATHS);
    return bean;
  }

  @Bean
  RestRefusals restRefusals(AuditLog audit) {
    return new RestRefusals(audit);
  }

  @Bean
  ApiController apiController(Delegations delegations) {
    return new ApiController(delegations);
  }

  @Bean
  FtsController ftsController(Delegations delegations, Place place) {
    return new FtsController(delegations, place.url().toString());
  }

  @Bean
  ArexController arexController(Delegations delegations) {
    return new ArexController(delegations);
  }
}
