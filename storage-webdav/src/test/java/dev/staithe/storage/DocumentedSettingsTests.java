package dev.staithe.storage;

import dev.staithe.storage.settings.StorageProperties;
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
          StorageProperties.class,
          Path.of("../docs/storage-webdav.yml"),
          List.of(
              "jwks-uri",
              "jwks-file",
              "policy",
              "file",
              "key-file",
              "soft",
              "hard",
              "read-ahead",
              "sealing-key-file",
              "accel-prefix",
              "url",
              "certificate",
              "key",
              "trust",
              "state",
              "user",
              "password-file",
              "client-secret-file",
              "connections",
              "credentials-file",
              "redirect-from",
              "rules",
              "grid-mapfile",
              "library",
              "token",
              "slot",
              "pin-file",
              "until",
              "host",
              "pcrs",
              "pcr-digest",
              "issuer",
              "clients",
              "tcti"),
          List.of("quota|database|people|old-keys|pkcs11|tpm|attested|issuers"),
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
        "staithe.hosts",
        "staithe.tls.certificate",
        "staithe.tls.key",
        "staithe.trust",
        "staithe.areas.name",
        "staithe.areas.root",
        "staithe.areas.access-points",
        "staithe.areas.grants.issuer",
        "staithe.areas.contracts.people.issuers.issuer",
        "staithe.areas.grants.strategy",
        "staithe.areas.grants.groups.group",
        "staithe.areas.grants.groups.scopes",
        "staithe.areas.grants.hosts.host",
        "staithe.areas.grants.hosts.scopes",
        "staithe.areas.subjects.subject",
        "staithe.areas.subjects.scopes",
        "staithe.areas.contracts.attested.pcrs",
        "staithe.areas.voms.fqan",
        "staithe.areas.voms.scopes",
        "staithe.copy.hosts.host",
        "staithe.issuers.issuer",
        "staithe.issuers.audiences");
  }
}
