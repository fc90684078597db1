package dev.staithe.storage.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.staithe.service.OneLineFailure;
import dev.staithe.storage.RunningStorage;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.core.env.MapPropertySource;

/** What an area of local accounts does not do is refused at the start, by the key to change. */
final class AccountsPropertiesTests {
  @TempDir Path folder;
  private TokenIssuer issuer;
  private Map<String, Object> properties;

  @BeforeEach
  void settings() throws IOException {
    ThrowAwayAuthority authority =
        ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
    Files.createDirectories(folder.resolve("data"));
    Files.createDirectories(folder.resolve("open"));
    properties = RunningStorage.properties(folder, authority, issuer);
    properties.put("staithe.areas[0].store", "accounts");
    properties.put(
        "staithe.areas[0].accounts.rules", Files.writeString(folder.resolve("rules"), "# none\n"));
  }

  @AfterEach
  void end() {
    issuer.close();
  }

  private void bind() {
    StoragePropertiesTests.bound(new MapPropertySource("test", properties));
  }

  @Test
  void areaWithAMappingIsTaken() {
    assertThatCode(this::bind).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "areas[0].shared                | true    | false with store: accounts",
        "areas[0].read-ahead            | 1MB     | absent with store: s3 or accounts",
        "areas[0].keep-free             | 1GB     | 0B with store: accounts",
        "areas[0].quota.hard            | 1TB     | absent with store: accounts",
        "areas[0].quota.soft            | 1TB     | absent with store: accounts",
        "areas[0].storm-checksum        | true    | false with store: accounts",
        "areas[0].accounts.socket       | socket  | an absolute path",
        "areas[0].accounts.tree         | a/b     | up to 64 of",
        "areas[0].accounts.rules        | /none   | a file that this user can read",
        "areas[0].accounts.rules        |         | a file that maps people to accounts",
        "areas[0].accounts.grid-mapfile | /none   | a file that this user can read",
        "areas[0].store                 | posix   | absent without store: accounts",
        "tape.areas                     | data    | no area with store: s3 or accounts",
      })
  void settingThatDoesNotFitIsNamedWithWhatIsWanted(String key, String value, String wanted) {
    if (value == null) {
      properties.remove("staithe." + key);
    } else {
      properties.put("staithe." + key, value);
    }
    if (key.startsWith("tape")) {
      properties.put("staithe.tape.command", "/bin/true");
    }
    Throwable failure = catchThrowable(this::bind);
    assertThat(failure).isNotNull();
    assertThat(OneLineFailure.describe(failure)).contains(wanted);
  }
}
