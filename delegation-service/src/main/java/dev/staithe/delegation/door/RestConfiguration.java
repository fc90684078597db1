package dev.staithe.delegation.door;

import dev.staithe.delegation.credential.Callers;
import dev.staithe.delegation.credential.Delegations;
import dev.staithe.service.AuditLog;
import dev.staithe.service.door.Origins;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;

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
  Threshold threshold(Callers callers, Origins origins, AuditLog audit) {
    return new Threshold(callers, origins, audit);
  }

  @Bean
  SimpleUrlHandlerMapping restDoors(Threshold threshold, Delegations delegations, Place place) {
    var fts = new FtsDoor(threshold, delegations, place.url().toString());
    var arex = new ArexDoor(threshold, delegations);
    var api = new ApiDoor(threshold, delegations);
    Map<String, HttpRequestHandler> doors = new HashMap<>();
    doors.put(FtsDoor.WHOAMI, fts);
    doors.put(FtsDoor.WHOAMI + "/certificate", fts);
    doors.put(FtsDoor.DELEGATION + "**", fts);
    doors.put(ArexDoor.VERSIONS, arex);
    for (String path : new String[] {ArexDoor.OLD, ArexDoor.NEW, ArexDoor.SHORT}) {
      doors.put(path, arex);
      doors.put(path + "/*", arex);
    }
    doors.put(ApiDoor.PATH, api);
    doors.put(ApiDoor.PATH + "/**", api);
    return new SimpleUrlHandlerMapping(doors, Ordered.HIGHEST_PRECEDENCE + 100);
  }
}
