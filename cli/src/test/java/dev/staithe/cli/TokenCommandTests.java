package dev.staithe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.cli.campus.PlayedHost;
import dev.staithe.cli.program.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenCommandTests {
  @TempDir private Path folder;

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
