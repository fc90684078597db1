package dev.staithe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.cli.program.Profile;
import dev.staithe.cli.program.Terminal;
import dev.staithe.pki.HashChain;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command finds in a gateway's folder of evidence that an operator keeps. */
class EvidenceCommandTests {
  @TempDir Path folder;
  private final StringWriter out = new StringWriter();

  private int staithe(String... arguments) {
    var writer = new PrintWriter(out, true);
    var terminal = new Terminal(null, new BufferedReader(new StringReader("")), writer, writer);
    return Commands.commandLine(new Profile(folder, Map.of()), terminal, Clock.systemUTC())
        .setErr(writer)
        .execute(arguments);
  }

  @Test
  void messagesOfDaysThatWerePackedAreFound() throws IOException {
    var line =
        HashChain.seal(
            "{\"time\":\"2026-03-01T12:00:00Z\",\"event\":\"message\",\"sha256\":\"0123456789abcdef\","
                + "\"endpoint\":\"/payments\",\"subject\":\"CN=Ada\\u001b[2J\"}",
            HashChain.Head.START);
    try (OutputStream packed =
        new GZIPOutputStream(Files.newOutputStream(folder.resolve("evidence.log.2026-03-01.gz")))) {
      packed.write((line.text() + "\n").getBytes(StandardCharsets.UTF_8));
    }

    assertThat(staithe("evidence", "list", folder.toString())).isZero();
    assertThat(out.toString())
        .startsWith("2026-03-01T12:00:00Z  0123456789ab  /payments  CN=Ada [2J");
  }

  @Test
  void lineThatNoGatewayWritesIsToldInOneLine() throws IOException {
    Path log = Files.writeString(folder.resolve("evidence.log"), "{\"time\"\n");

    assertThat(staithe("evidence", "list", folder.toString())).isEqualTo(1);
    assertThat(out.toString())
        .isEqualTo(
            "staithe: "
                + log
                + " has a line that no gateway writes: staithe evidence verify says which\n");
  }

  @Test
  void thatNoMessageFitsIsTold() {
    for (String command : new String[] {"list", "show"}) {
      out.getBuffer().setLength(0);

      assertThat(staithe("evidence", command, folder.toString(), "--subject", "Ada")).isEqualTo(1);
      assertThat(out.toString())
          .isEqualTo("staithe: no message in " + folder + " is meant by that\n");
    }
  }

  @Test
  void timeIsTakenAsHelpShowsIt() {
    assertThat(staithe("evidence", "list", "--help")).isZero();
    var shown = Pattern.compile("as ([0-9]\\S+)").matcher(out.toString());
    assertThat(shown.find()).isTrue();
    out.getBuffer().setLength(0);

    assertThat(staithe("evidence", "list", folder.toString(), "--from", shown.group(1)))
        .isEqualTo(1);
    assertThat(out.toString())
        .isEqualTo("staithe: no message in " + folder + " is meant by that\n");
  }

  @Test
  void logWhoseBeginIsNotThereIsNotToldToBeWhole() throws IOException {
    String message =
        "{\"time\":\"2026-03-01T12:00:00Z\",\"event\":\"message\",\"sha256\":\"0123\","
            + "\"endpoint\":\"/payments\",\"subject\":\"CN=Ada\","
            + "\"file\":\"messages-1.bin\",\"offset\":0,\"length\":1}";
    var cut = HashChain.seal(message, HashChain.Head.START);
    var line = HashChain.seal(message, cut.head());
    Files.writeString(folder.resolve("evidence.log"), line.text() + "\n");

    assertThat(staithe("evidence", "verify", folder.toString())).isEqualTo(1);

    assertThat(out.toString())
        .endsWith("0 messages verified, 1 not; no line is missing from number 2 to 2\n");
  }
}
