package dev.staithe.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The identity provider that other tests log in at. */
class SimpleSamlServerIT {
  @TempDir Path folder;

  @Test
  void eachProviderOfOneInstallationPublishesItsOwnMetadata() {
    try (SimpleSamlServer server = SimpleSamlServer.start(folder.resolve("idp"))) {
      SimpleSamlServer.Idp north =
          server.idp("north", SimpleSamlServer.Options.of("north.example.org"));
      SimpleSamlServer.Idp south =
          server.idp("south", SimpleSamlServer.Options.of("south.example.org"));

      assertThat(server.metadata(north))
          .contains("entityID=\"" + north.entityId() + "\"")
          .contains(">north.example.org</shibmd:Scope>")
          .contains("urn:oasis:names:tc:SAML:2.0:bindings:SOAP")
          .contains("SingleLogoutService")
          .doesNotContain(south.entityId());
      assertThat(server.metadata(south)).contains("entityID=\"" + south.entityId() + "\"");
    }
  }
}
