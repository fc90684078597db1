package dev.staithe.delegation;

import dev.staithe.pki.KeyKind;
import dev.staithe.service.start.Development;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.core.env.ConfigurableEnvironment;

/** What a start without any configuration adds to {@link Development}: a person and a service. */
final class DevelopmentDefault {
  static final Path FOLDER = Path.of("delegation-data");
  static final int PORT = 8446;

  private static final String NAMES = "/DC=org/DC=staithe/O=Development";

  private DevelopmentDefault() {}

  static void apply(ConfigurableEnvironment environment, Clock clock) {
    Development.apply(environment, clock, FOLDER, made -> own(environment, clock, made));
  }

  private static Map<String, Object> own(
      ConfigurableEnvironment environment, Clock clock, Development.Made made) throws IOException {
    Development.person(made, clock, NAMES + "/CN=Ada", KeyKind.EC_P256, "user");
    Development.person(made, clock, NAMES + "/CN=service", KeyKind.EC_P256, "service");
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put("staithe.url", Development.url(environment, PORT));
    properties.put("staithe.state", made.folder().toString());
    properties.put("staithe.client-certificates.trust", made.authority().toString());
    properties.put("staithe.delegations.acquirers[0]", NAMES + "/CN=service");
    return properties;
  }
}
