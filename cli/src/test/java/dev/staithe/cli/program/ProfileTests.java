package dev.staithe.cli.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileTests {
  @TempDir Path folder;

  @Test
  void authoritiesAreRememberedByTheirWholePath() throws IOException {
    var profile = new Profile(folder, Map.of());
    String whole = Path.of("ca.pem").toAbsolutePath().toString();

    profile.write(new Profile.Login("https://authn.example.org", "ca.pem", "token"));
    profile.write(new Profile.Campus("https://slcs.example.org", "ca.pem", "campus", "ada"));
    profile.write(new Profile.Delegations("https://d.example.org", "ca.pem", "json", "id"));

    assertThat(profile.read().orElseThrow().trust()).isEqualTo(whole);
    assertThat(profile.campus().orElseThrow().trust()).isEqualTo(whole);
    assertThat(profile.delegations().trust()).isEqualTo(whole);
  }

  @Test
  void noAuthoritiesStayNone() throws IOException {
    var profile = new Profile(folder, Map.of());

    profile.write(new Profile.Login("https://authn.example.org", "", "token"));

    assertThat(profile.read().orElseThrow().trust()).isEmpty();
  }
}
