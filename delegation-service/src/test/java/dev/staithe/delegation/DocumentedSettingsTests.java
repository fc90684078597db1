package dev.staithe.delegation;

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
          DelegationProperties.class,
          Path.of("../docs/delegation-service.yml"),
          List.of(
              "file|variable|password-file|alias|library|token|slot|pin-file|key",
              "url|user|uses|trust"),
          List.of("sealing|pkcs12|pkcs11|audit-log|voms"),
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
    settings.assertDefaultsAreTheRealOnes();
  }
}
