package dev.staithe.slcs.echo;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;

/** The parts of this package. */
@Configuration(proxyBeanMethods = false)
public final class EchoConfiguration {
  /**
   * What this package is told.
   *
   * @param url of this service
   */
  public record Place(URI url) {}

  @Bean
  SimpleUrlHandlerMapping echoDoors(Place place) {
    var echo = new EchoDoor(wsdl(), place.url().toString());
    return new SimpleUrlHandlerMapping(
        Map.of(EchoDoor.PATH, echo, EchoDoor.PATH + "/**", echo), Ordered.HIGHEST_PRECEDENCE + 101);
  }

  static String wsdl() {
    try (InputStream in = EchoConfiguration.class.getResourceAsStream("echo.wsdl")) {
      if (in == null) {
        throw new IllegalStateException("the description of the echo service is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
