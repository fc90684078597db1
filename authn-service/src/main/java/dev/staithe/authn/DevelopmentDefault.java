package dev.staithe.authn;

import dev.staithe.service.start.Development;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * What a start without any configuration adds to {@link Development}: an issuer on this machine.
 */
final class DevelopmentDefault {
  static final Path FOLDER = Path.of("authn-data");
  static final int PORT = 8444;

  private DevelopmentDefault() {}

  static void apply(ConfigurableEnvironment environment, Clock clock) {
    Development.apply(
        environment,
        clock,
        FOLDER,
        made ->
            Map.of(
                "staithe.issuer",
                Development.url(environment, PORT),
                "staithe.state",
                made.folder().toString(),
                // Whoever can log in here may try a storage element with it.
                "staithe.tokens.grants[0].to",
                "*",
                "staithe.tokens.grants[0].scopes",
                "storage.read:/,storage.modify:/"));
  }
}
