package dev.staithe.gateway;

import dev.staithe.service.Development;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.core.env.ConfigurableEnvironment;

/** What a start without any configuration adds to {@link Development}: an endpoint per policy. */
final class DevelopmentDefault {
  static final Path FOLDER = Path.of("gateway-data");
  static final int PORT = 8447;

  /** Each at {@code /echo/NAME}. */
  static final List<String> POLICIES = List.of("none", "transport");

  private DevelopmentDefault() {}

  static void apply(ConfigurableEnvironment environment, Clock clock) {
    Development.apply(environment, clock, FOLDER, made -> own(environment, made));
  }

  private static Map<String, Object> own(
      ConfigurableEnvironment environment, Development.Made made) {
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put(
        "staithe.url",
        "https://"
            + Development.HOST
            + ":"
            + environment.getProperty("server.port", Integer.class, PORT));
    properties.put("staithe.state", made.folder().toString());
    properties.put("staithe.client-certificates.trust", made.authority().toString());
    for (int i = 0; i < POLICIES.size(); i++) {
      properties.put("staithe.endpoints[" + i + "].path", "/echo/" + POLICIES.get(i));
      properties.put("staithe.endpoints[" + i + "].policy", POLICIES.get(i));
    }
    return properties;
  }
}
