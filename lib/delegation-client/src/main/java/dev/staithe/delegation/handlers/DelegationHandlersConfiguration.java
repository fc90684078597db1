package dev.staithe.delegation.handlers;

import jakarta.servlet.DispatcherType;
import java.time.Clock;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.restclient.RestClientCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.webservices.client.WebServiceTemplateCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.web.client.RestClient;
import org.springframework.ws.client.core.WebServiceTemplate;
import org.springframework.ws.client.support.interceptor.ClientInterceptor;
import org.springframework.ws.soap.server.SmartSoapEndpointInterceptor;

/**
 * Puts the handlers around a service's calls where the settings say so; found by Spring Boot. The
 * service's own code and configuration stay as they are: clients are those of Boot's builders.
 */
@AutoConfiguration
@Conditional(DelegationHandlersConfiguration.OfEitherSide.class)
@EnableConfigurationProperties(DelegationProperties.class)
public final class DelegationHandlersConfiguration {
  @Bean
  DelegationParts delegationParts(DelegationProperties properties, ObjectProvider<Clock> clock) {
    return new DelegationParts(properties, clock.getIfUnique(Clock::systemUTC));
  }

  /** Calls that are made. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnBooleanProperty("staithe.delegation.client.enabled")
  static final class ClientSide {
    @Bean
    Delegator delegator(DelegationParts parts) {
      return parts.delegator();
    }

    @Bean
    ActingConnections actingConnections(DelegationParts parts) {
      return parts.connections();
    }

    /** By {@code RestClient}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({RestClient.class, RestClientCustomizer.class})
    static final class Rest {
      @Bean
      RestClientCustomizer delegatingRestClients(
          Delegator delegator, ActingConnections connections) {
        return builder ->
            builder
                .requestFactory(new ActingRequests(connections))
                .requestInterceptor(new DelegatingRequests(delegator));
      }
    }

    /** By {@code WebServiceTemplate}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({WebServiceTemplate.class, WebServiceTemplateCustomizer.class})
    static final class Soap {
      @Bean
      WebServiceTemplateCustomizer delegatingTemplates(
          DelegationProperties properties, Delegator delegator, ActingConnections connections) {
        var ours = new DelegatingInterceptor(delegator, properties.client().told());
        return template -> {
          ClientInterceptor[] before = template.getInterceptors();
          template.setInterceptors(
              Stream.concat(before == null ? Stream.empty() : Stream.of(before), Stream.of(ours))
                  .toArray(ClientInterceptor[]::new));
          template.setMessageSender(new ActingSender(connections));
        };
      }
    }
  }

  /** Calls that are served. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnBooleanProperty("staithe.delegation.server.enabled")
  static final class ServerSide {
    @Bean
    Delegatee delegatee(DelegationParts parts) {
      return parts.delegatee();
    }

    @Bean
    FilterRegistrationBean<ActingForFilter> actingForFilter(Delegatee delegatee) {
      var registration = new FilterRegistrationBean<>(new ActingForFilter(delegatee));
      registration.setDispatcherTypes(DispatcherType.REQUEST);
      // After those that refuse callers for other reasons.
      registration.setOrder(Ordered.LOWEST_PRECEDENCE - 100);
      return registration;
    }

    /** By Spring's SOAP. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(SmartSoapEndpointInterceptor.class)
    static final class Soap {
      @Bean
      ActingForInterceptor actingForInterceptor(Delegatee delegatee) {
        return new ActingForInterceptor(delegatee);
      }
    }
  }

  /** Whether anything is switched on. */
  static final class OfEitherSide extends AnyNestedCondition {
    OfEitherSide() {
      super(ConfigurationPhase.PARSE_CONFIGURATION);
    }

    @ConditionalOnBooleanProperty("staithe.delegation.client.enabled")
    static final class OfClients {}

    @ConditionalOnBooleanProperty("staithe.delegation.server.enabled")
    static final class OfServers {}
  }
}
