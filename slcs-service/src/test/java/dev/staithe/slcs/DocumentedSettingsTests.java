package dev.staithe.slcs;

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
          SlcsProperties.class,
          Path.of("../docs/slcs-service.yml"),
          List.of(
              "certificate|key|name|display-name|authenticated-within|contexts|encryption|metadata|entity-id|scopes?|file|password-file|alias|library",
              "token|slot|pin-file|published-at|contact|allow|provider|attribute|values|longest",
              "path|protection|upstream|largest|url|user|cache|timeout|trust"),
          List.of(
              "operators|providers|federation|pkcs12|pkcs11|access|services|require|authn|audit-log|database"),
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
        "staithe.saml.providers.scopes",
        "staithe.issue.access.values",
        "staithe.issue.access.contexts",
        "staithe.issue.operators.values",
        "staithe.services.path",
        "staithe.services.require.attribute",
        "staithe.services.require.values");
  }
}
