package dev.staithe.testkit.trust;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThrowAwayAuthorityTests {
  @TempDir private Path folder;

  /** A service reads its files again when they change; clients take that for an interception. */
  @Test
  void whoAsksForLocalhostAgainChangesNothingForServersThatHaveIt() throws IOException {
    ThrowAwayAuthority authority = ThrowAwayAuthority.in(folder, Clock.systemUTC());
    ThrowAwayAuthority.Host server = authority.localhost();
    String certificate = Files.readString(server.certificate());
    String key = Files.readString(server.key());

    assertThat(authority.localhost()).isSameAs(server);
    assertThat(server.certificate()).hasContent(certificate);
    assertThat(server.key()).hasContent(key);
  }
}
