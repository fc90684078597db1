package dev.staithe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.cli.campus.PlayedHost;
import dev.staithe.cli.program.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenCommandTests {
  @TempDir private Path folder;

  @Test
  void sessionIsEndedWhoseIdBeginsAsAnOption() throws IOException {
    String id = "-hAbCdEfGhIjKlMnOpQrSt";
    try (var service = new PlayedHost()) {
      service.plays(asked -> new PlayedHost.Answer(200, "application/json", "{}", "", ""));
      new Profile(folder, Map.of()).write(new Profile.Login(service.url(), "", "session"));

      for (String[] said :
          new String[][] {{"--session", id, "--json"}, {"--session=-V" + id.substring(2)}}) {
        var arguments = new ArrayList<>(List.of("logout"));
        arguments.addAll(List.of(said));
        assertThat(new StaitheProgram(folder).done("", arguments.toArray(String[]::new)).output())
            .contains("ended");
      }

      assertThat(service.requests())
          .extracting(PlayedHost.Asked::body)
          .containsExactly(
              "{\"sessionId\":\"" + id + "\"}", "{\"sessionId\":\"-V" + id.substring(2) + "\"}");
    }
  }

  @Test
  void sessionThatHasEndedEndsNoOthersAndSaysSo() throws IOException {
    try (var service = new PlayedHost()) {
      service.plays(asked -> new PlayedHost.Answer(401, "application/json", "{}", "", ""));
      new Profile(folder, Map.of()).write(new Profile.Login(service.url(), "", "session"));
      var staithe = new StaitheProgram(folder);

      var ran = staithe.run("", "logout", "--all");

      assertThat(ran.code()).isEqualTo(1);
      assertThat(ran.output()).isEmpty();
      assertThat(ran.errors())
          .isEqualTo(
              "staithe: the session had ended already, and ends no others: staithe login, then"
                  + " logout --all\n");
      assertThat(staithe.done("", "logout").output()).isEqualTo("the session had ended already\n");
    }
  }

  @Test
  void answerWithoutATokenIsNoSuccessAndReplacesNone() throws IOException {
    Path file = Files.writeString(folder.resolve("token"), "the last one");
    try (var service = new PlayedHost()) {
      service.plays(asked -> new PlayedHost.Answer(200, "application/json", "{}", "", ""));
      new Profile(folder, Map.of()).write(new Profile.Login(service.url(), "", "session"));

      var ran =
          new StaitheProgram(folder)
              .run("", "token", "--scope", "s", "--audience", "a", "--file", file.toString());

      assertThat(ran.code()).isEqualTo(1);
      assertThat(ran.output()).isEmpty();
      assertThat(ran.errors()).startsWith("staithe: the service gave no token").hasLineCount(1);
    }
    assertThat(file).hasContent("the last one");
  }
}
