package dev.staithe.delegation.door;

import dev.staithe.delegation.credential.Callers;
import dev.staithe.delegation.credential.Delegations;
import dev.staithe.service.door.Origins;
import dev.staithe.service.log.AuditLog;
import dev.staithe.xml.XmlText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;

/** The parts that speak SOAP. */
@Configuration(proxyBeanMethods = false)
public final class SoapDoorConfiguration {
  @Bean
  SimpleUrlHandlerMapping soapDoors(
      SoapSettings settings,
      Callers callers,
      Delegations delegations,
      Origins origins,
      AuditLog audit) {
    var door =
        new SoapDelegationDoor(
            callers,
            new GridSiteOperations(delegations, version()),
            new ArcOperations(delegations),
            origins,
            audit,
            Map.of(
                "wsdl", wsdl("delegation-1.wsdl", settings),
                "wsdl2", wsdl("delegation-2.wsdl", settings),
                "wsdlarc", wsdl("arc.wsdl", settings)));
    var paths = new LinkedHashMap<String, SoapDelegationDoor>();
    paths.put(SoapDelegationDoor.PATH, door);
    settings.alsoAt().forEach(path -> paths.put(path, door));
    return new SimpleUrlHandlerMapping(paths, Ordered.HIGHEST_PRECEDENCE + 100);
  }

  /** A description with this service's address in it. */
  private static String wsdl(String file, SoapSettings settings) {
    try (InputStream in = SoapDoorConfiguration.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("the description " + file + " is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .replace("@ADDRESS@", XmlText.escapeAttribute(settings.url() + SoapDelegationDoor.PATH));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the release's manifest says; a build's own classes have none. */
  private static String version() {
    String told = SoapDoorConfiguration.class.getPackage().getImplementationVersion();
    return told == null ? "unreleased" : told;
  }
}
