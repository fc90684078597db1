package dev.staithe.gateway;

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
          GatewayProperties.class,
          Path.of("../docs/xml-gateway.yml"),
          List.of(
              "certificate|key|trust|known|file|url|cache|password-cache|timeout|host|port|user",
              "password-file|tls|wsdl|folder|bodies|caller-header|caller-token"),
          List.of("authn|redis|evidence|caller-tokens"),
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
    settings.assertDefaultsAreTheRealOnes("staithe.endpoints.path", "staithe.endpoints.policy");
  }
}
