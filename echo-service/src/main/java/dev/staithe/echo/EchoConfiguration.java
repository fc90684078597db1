package dev.staithe.echo;

import dev.staithe.service.AccessLog;
import dev.staithe.service.HttpServer;
import dev.staithe.service.Networks;
import dev.staithe.service.TlsEnd;
import dev.staithe.tls.TlsProvider;
import dev.staithe.xml.Soap;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.xml.transform.dom.DOMSource;
import org.eclipse.jetty.http.UriCompliance;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.webservices.client.WebServiceTemplateBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.MediaType;
import org.springframework.web.client.RestClient;
import org.springframework.ws.client.core.WebServiceTemplate;
import org.springframework.ws.wsdl.wsdl11.SimpleWsdl11Definition;
import org.w3c.dom.Element;

/** Puts the parts together; nothing in it is about delegation. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(EchoProperties.class)
final class EchoConfiguration {
  @Bean
  Echo method(EchoProperties properties) {
    return new Echo(properties.echo().name());
  }

  @Bean
  SoapEcho soapEcho(
      Echo echo,
      EchoProperties properties,
      WebServiceTemplateBuilder clients,
      HttpServletRequest request) {
    URI next = properties.echo().next();
    if (next == null) {
      return new SoapEcho(echo, UnaryOperator.identity(), request);
    }
    WebServiceTemplate client =
        clients.setDefaultUri(next.resolve("/services/").toString()).build();
    return new SoapEcho(echo, said -> heard(client, said), request);
  }

  private static String heard(WebServiceTemplate client, String said) {
    String heard =
        client.sendSourceAndReceive(
            SoapEcho.payload("echoString", "say", said),
            answer ->
                answer instanceof DOMSource tree && tree.getNode() instanceof Element element
                    ? Soap.child(element, "hear").flatMap(Soap::text).orElse("")
                    : "");
    return heard == null ? "" : heard;
  }

  @Bean
  RestEcho restEcho(Echo echo, EchoProperties properties, RestClient.Builder clients) {
    URI next = properties.echo().next();
    if (next == null) {
      return new RestEcho(echo, UnaryOperator.identity());
    }
    RestClient client = clients.build();
    return new RestEcho(
        echo,
        said -> {
          var heard =
              client
                  .post()
                  .uri(next.resolve("/echoString"))
                  .contentType(MediaType.APPLICATION_JSON)
                  .body(new RestEcho.Say(said))
                  .retrieve()
                  .body(RestEcho.Hear.class);
          return heard == null ? "" : heard.hear();
        });
  }

  /** At {@code /services/echo.wsdl}, by its name. */
  @Bean("echo")
  SimpleWsdl11Definition description() {
    return new SimpleWsdl11Definition(new ClassPathResource("echo.wsdl", EchoConfiguration.class));
  }

  @Bean
  AccessLog accessLog(EchoProperties properties, MeterRegistry registry, Clock clock) {
    return new AccessLog(
        properties.accessLog(),
        null,
        new AccessLog.Knowledge("interface", request -> null, request -> null),
        registry,
        clock);
  }

  @Bean
  HttpServer httpServer(EchoProperties properties, TlsEnd tlsEnd, AccessLog accessLog) {
    return new HttpServer(
        new HttpServer.Shape(
            properties.limits(),
            Networks.parse(List.of()),
            false,
            HttpServer.SMALL_CONTENT_BUFFER,
            UriCompliance.DEFAULT),
        tlsEnd.tls(),
        servlets -> servlets,
        accessLog);
  }

  @Bean
  StartReport startReport(EchoProperties properties, TlsProvider provider) {
    return new StartReport(properties, provider);
  }
}
