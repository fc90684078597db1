package dev.staithe.echo;

import dev.staithe.testkit.rules.DocumentedSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** The page that explains all settings has all of them, no other, and their real defaults. */
final class DocumentedSettingsTests {
  private final DocumentedSettings settings =
      new DocumentedSettings(
          "staithe",
          EchoProperties.class,
          Path.of("../../docs/echo-service.yml"),
          List.of("next|trust|certificate|key|url|language|service|acquirers|uses|to|file"),
          List.of("allowed"),
          element -> {
            DefaultValue value = element.getAnnotation(DefaultValue.class);
            return value == null ? null : value.value();
          });

  DocumentedSettingsTests() throws IOException {}

  @Test
  void everySettingIsExplainedAndNoneThatDoesNotExist() {
    settings.assertEverySettingIsExplainedAndNoneThatDoesNotExist();
  }

  @Test
  void defaultsAreTheRealOnes() {
    settings.assertDefaultsAreTheRealOnes(
        "staithe.delegation.server.allowed.language",
        "staithe.delegation.client.acquirers",
        "staithe.delegation.client.to");
  }
}
