package dev.staithe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.cli.campus.PlayedHost;
import dev.staithe.cli.program.Profile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

class AdministrationTests {
  @TempDir private Path folder;

  private final PlayedHost service = new PlayedHost();

  @AfterEach
  void stop() {
    service.close();
  }

  @Test
  void whatWasDoneIsToldByTheAnswerWhereThatIsAskedFor() throws IOException {
    service.plays(
        asked -> new PlayedHost.Answer(200, "application/json", "{\"secret\":\"s\"}", "", ""));
    new Profile(folder, Map.of()).write(new Profile.Login(service.url(), "", "token"));
    var staithe = new StaitheProgram(folder);
    List<List<String>> commands =
        List.of(
            List.of("user", "add", "ada"),
            List.of("user", "change", "ada", "--disable"),
            List.of("user", "password", "ada"),
            List.of("user", "remove", "ada"),
            List.of("user", "code-off", "ada"),
            List.of("user", "logout", "ada"),
            List.of("group", "add", "/g", "ada"),
            List.of("group", "remove", "/g", "ada"),
            List.of("client", "add", "c", "--grant", "client_credentials"),
            List.of("client", "change", "c", "--scope", "s"),
            List.of("client", "secret", "c"),
            List.of("client", "remove", "c"),
            List.of("session", "end", "s"),
            List.of("session", "end-all"),
            List.of("grant", "end", "g"));

    for (List<String> command : commands) {
      var asked = new ArrayList<>(command);
      asked.add("--json");
      String told = staithe.done("password\n", asked.toArray(String[]::new)).output();
      assertThat(JsonMapper.shared().readTree(told).path("secret").asString(""))
          .as("%s", command)
          .isEqualTo("s");
    }
    assertThat(staithe.done("", "client", "secret", "c").output()).isEqualTo("s\n");
  }
}
