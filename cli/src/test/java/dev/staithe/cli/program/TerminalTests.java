package dev.staithe.cli.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TerminalTests {
  @TempDir Path folder;

  private static Terminal with(BufferedReader input) {
    var writer = new PrintWriter(new StringWriter(), true);
    return new Terminal(null, input, writer, writer);
  }

  @Test
  void secretIsNotReadFromATerminalThatShowsIt() throws IOException {
    var shown = with(new Terminal.EchoedInput(new StringReader("secret\n")));

    assertThatThrownBy(() -> shown.secret("Password of ada"))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("the password of ada would be shown as it is typed");
    assertThatThrownBy(() -> shown.secretOf("-", "token")).isInstanceOf(IOException.class);
    assertThat(with(new BufferedReader(new StringReader("secret\n"))).secret("Password"))
        .isEqualTo("secret");
  }

  @Test
  void secretInAnotherEncodingIsNotSentWithOtherLetters() {
    byte[] latin = "Pa\u00dfwort\n".getBytes(StandardCharsets.ISO_8859_1);
    var typed =
        with(
            new BufferedReader(
                new InputStreamReader(new ByteArrayInputStream(latin), StandardCharsets.UTF_8)));

    assertThatThrownBy(() -> typed.secret("Password of ada"))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("the password of ada has letters that cannot be read")
        .hasMessageContaining("UTF-8");
  }

  @Test
  void terminalIsKnownByTheLinkOfItsDescriptor() throws IOException {
    assertThat(Terminal.isTerminal(leadingTo("/dev/pts/3"))).isTrue();
    assertThat(Terminal.isTerminal(leadingTo("/dev/tty1"))).isTrue();
    assertThat(Terminal.isTerminal(leadingTo("/dev/null"))).isFalse();
    assertThat(Terminal.isTerminal(leadingTo("pipe:[4711]"))).isFalse();
    assertThat(Terminal.isTerminal(folder.resolve("none"))).isFalse();
  }

  private Path leadingTo(String target) throws IOException {
    return Files.createSymbolicLink(folder.resolve(target.replace('/', '-')), Path.of(target));
  }
}
