package dev.staithe.echo;

import dev.staithe.delegation.client.AcquireRules;
import dev.staithe.delegation.handlers.ActingConnections;
import dev.staithe.delegation.handlers.ActingRequests;
import dev.staithe.delegation.handlers.ActingSender;
import dev.staithe.delegation.handlers.DelegatingInterceptor;
import dev.staithe.delegation.handlers.DelegatingRequests;
import dev.staithe.delegation.handlers.DelegationPlace;
import dev.staithe.delegation.handlers.Delegator;
import dev.staithe.delegation.handlers.Destinations;
import dev.staithe.pki.Credential;
import dev.staithe.pki.GridSubject;
import dev.staithe.xml.Soap;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.xml.transform.dom.DOMSource;
import org.springframework.http.MediaType;
import org.springframework.web.client.RestClient;
import org.springframework.ws.client.core.WebServiceTemplate;
import org.springframework.ws.client.support.interceptor.ClientInterceptor;
import org.w3c.dom.Element;

/** A person's program that calls echo-services by Spring's clients, delegating to them. */
final class Caller implements AutoCloseable {
  private final Delegator delegator;
  private final ActingConnections connections;

  /**
   * @param acquirer which service may act, and {@code hops} further ones
   */
  Caller(Site site, Credential person, GridSubject acquirer, int hops) {
    var everywhere = new Destinations(List.of());
    this.delegator =
        new Delegator(
            new Delegator.Rules(
                site.delegations(),
                new AcquireRules(List.of(acquirer), null, hops, false, null),
                Duration.ofHours(2),
                Duration.ofMinutes(10),
                10,
                everywhere),
            () -> Optional.of(person),
            site.tls(),
            Site.CLOCK);
    this.connections = new ActingConnections(() -> Optional.of(person), site.tls(), everywhere, 10);
  }

  /** Asks by SOAP. */
  String soap(URI service, String say, DelegationPlace where) {
    var template = new WebServiceTemplate();
    template.setDefaultUri(service + "/services/");
    template.setMessageSender(new ActingSender(connections));
    template.setInterceptors(new ClientInterceptor[] {new DelegatingInterceptor(delegator, where)});
    return template.sendSourceAndReceive(
        SoapEcho.payload("echoString", "say", say),
        answer ->
            Soap.child((Element) ((DOMSource) answer).getNode(), "hear")
                .flatMap(Soap::text)
                .orElseThrow());
  }

  /** Asks by REST. */
  String rest(URI service, String say) {
    return RestClient.builder()
        .requestFactory(new ActingRequests(connections))
        .requestInterceptor(new DelegatingRequests(delegator))
        .build()
        .post()
        .uri(service + "/echoString")
        .contentType(MediaType.APPLICATION_JSON)
        .body(new RestEcho.Say(say))
        .retrieve()
        .body(RestEcho.Hear.class)
        .hear();
  }

  @Override
  public void close() {
    connections.close();
    delegator.close();
  }
}
