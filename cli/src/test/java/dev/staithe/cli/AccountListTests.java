package dev.staithe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.cli.campus.PlayedHost;
import dev.staithe.cli.program.Profile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccountListTests {
  @TempDir private Path folder;

  private final PlayedHost service = new PlayedHost();

  @AfterEach
  void stop() {
    service.close();
  }

  private void has(int accounts) {
    String users =
        IntStream.range(0, accounts)
            .mapToObj(i -> "{\"name\":\"user-" + i + "\"}")
            .collect(Collectors.joining(",", "{\"users\":[", "]}"));
    service.plays(asked -> new PlayedHost.Answer(200, "application/json", users, "", ""));
  }

  @Test
  void listThatMayNotBeWholeSaysHowItGoesOn() throws IOException {
    new Profile(folder, Map.of()).write(new Profile.Login(service.url(), "", "token"));
    var staithe = new StaitheProgram(folder);
    String[][] commands = {{"user", "list"}, {"group", "members", "/g"}};

    for (String[] command : commands) {
      has(1000);
      assertThat(staithe.done("", command).errors())
          .isEqualTo("staithe: there may be more: --after user-999\n");
      has(999);
      assertThat(staithe.done("", command).errors()).isEmpty();
    }
  }
}
