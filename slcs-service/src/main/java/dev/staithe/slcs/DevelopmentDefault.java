package dev.staithe.slcs;

import dev.staithe.service.start.Development;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.springframework.core.env.ConfigurableEnvironment;

/** What a start without any configuration adds to {@link Development}. */
final class DevelopmentDefault {
  static final Path FOLDER = Path.of("slcs-data");
  static final int PORT = 8445;

  private DevelopmentDefault() {}

  static void apply(ConfigurableEnvironment environment, Clock clock) {
    Development.apply(
        environment,
        clock,
        FOLDER,
        made ->
            Map.of(
                "staithe.url",
                Development.url(environment, PORT),
                "staithe.state",
                made.folder().toString()));
  }
}
