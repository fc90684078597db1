package dev.staithe.authn;

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
          AuthnProperties.class,
          Path.of("../docs/authn-service.yml"),
          List.of(
              "url|read-url|user|password-file|connections|trust|file|servers|security|base|filter|first-password-file",
              "reader-[a-z-]+|[a-z-]+-attribute|group-[a-z-]+|administrator-groups|timeout"),
          List.of("users", "database", "ldap", "audit-log"),
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
        "staithe.tokens.grants.to",
        "staithe.tokens.grants.scopes",
        "staithe.users.ldap.servers",
        "staithe.users.ldap.base");
  }
}
