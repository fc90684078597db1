package dev.staithe.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.pki.grid.VomsTrust;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VomsServersTests {
  @TempDir Path vomsdir;

  private VomsServers open() throws IOException {
    return VomsServers.open(vomsdir, Duration.ZERO, Clock.systemUTC());
  }

  private void server(String vo, String host, String content) throws IOException {
    Files.writeString(Files.createDirectories(vomsdir.resolve(vo)).resolve(host + ".lsc"), content);
  }

  @Test
  void organizationThatIsAddedIsReadAndNothingElseIsReadAgain() throws Exception {
    try (VomsServers servers = open()) {
      VomsTrust before = servers.trust();
      assertThat(servers.reloadIfChanged()).isFalse();
      assertThat(servers.trust()).isSameAs(before);

      server("atlas", "voms.example.org", "/DC=org/CN=voms.example.org\n/DC=org/CN=CA\n");

      assertThat(servers.reloadIfChanged()).isTrue();
      assertThat(servers.trust()).isNotSameAs(before);
    }
  }

  @Test
  void fileThatIsWrittenInItsPlaceIsReadAgain() throws Exception {
    server("atlas", "voms.example.org", "not a name\n");
    try (VomsServers servers = open()) {
      assertThat(servers.trust().skipped()).hasSize(1);

      server("atlas", "voms.example.org", "/DC=org/CN=voms.example.org\n/DC=org/CN=CA\n");

      assertThat(servers.reloadIfChanged()).isTrue();
      assertThat(servers.trust().skipped()).isEmpty();
    }
  }

  @Test
  void serverWhoseFileIsDeletedIsForgotten() throws Exception {
    server("atlas", "voms.example.org", "not a name\n");
    try (VomsServers servers = open()) {
      Files.delete(vomsdir.resolve("atlas/voms.example.org.lsc"));

      assertThat(servers.reloadIfChanged()).isTrue();
      assertThat(servers.trust().skipped()).isEmpty();
    }
  }

  @Test
  void folderThatGoesAwayLeavesWhatWasReadInUse() throws Exception {
    Path folder = Files.createDirectory(vomsdir.resolve("within"));
    try (VomsServers servers = VomsServers.open(folder, Duration.ZERO, Clock.systemUTC())) {
      VomsTrust before = servers.trust();
      Files.delete(folder);

      assertThat(servers.reloadIfChanged()).isFalse();
      assertThat(servers.trust()).isSameAs(before);
    }
  }

  @Test
  void folderThatIsNotThereAtTheStartIsAnErrorAndNoneIsNone() throws Exception {
    Path missing = vomsdir.resolve("missing");

    assertThatThrownBy(() -> VomsServers.open(missing, Duration.ZERO, Clock.systemUTC()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("missing");
    try (VomsServers none = VomsServers.open(null, Duration.ZERO, Clock.systemUTC())) {
      assertThat(none.trust()).isSameAs(VomsTrust.none());
      assertThat(none.reloadIfChanged()).isFalse();
    }
  }
}
