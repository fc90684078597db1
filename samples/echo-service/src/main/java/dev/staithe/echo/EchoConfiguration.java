package dev.staithe.echo;

import dev.staithe.service.start.StartLines;
import dev.staithe.xml.Soap;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.function.UnaryOperator;
import javax.xml.transform.dom.DOMSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
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
  private static final Logger log = LoggerFactory.getLogger(EchoConfiguration.class);

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
  StartLines startLines(EchoProperties properties) {
    return development ->
        log.info(
            "{} {}",
            properties.echo().name(),
            properties.echo().next() == null
                ? "answers by itself"
                : "asks " + properties.echo().next() + " first");
  }
}
