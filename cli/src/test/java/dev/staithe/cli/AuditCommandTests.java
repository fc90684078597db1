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
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditCommandTests {
  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final List<String> lines = new ArrayList<>();
  private HashChain.Head head = HashChain.Head.START;

  @BeforeEach
  void write() {
    for (int i = 0; i < 6; i++) {
      var line = HashChain.seal("{\"event\":\"login\",\"n\":" + i + "}", head);
      lines.add(line.text());
      head = line.head();
    }
  }

  private int staithe(String... arguments) {
    return staithe(new PrintWriter(out, true), arguments);
  }

  private int staithe(PrintWriter results, String... arguments) {
    var writer = new PrintWriter(out, true);
    var terminal = new Terminal(null, new BufferedReader(new StringReader("")), results, writer);
    return Commands.commandLine(new Profile(folder, Map.of()), terminal, Clock.systemUTC())
        .setErr(writer)
        .execute(arguments);
  }

  private String file(String name, List<String> content) throws IOException {
    Path file = folder.resolve(name);
    try (OutputStream plain = Files.newOutputStream(file);
        OutputStream stream = name.endsWith(".gz") ? new GZIPOutputStream(plain) : plain) {
      stream.write((String.join("\n", content) + "\n").getBytes(StandardCharsets.UTF_8));
    }
    return file.toString();
  }

  @Test
  void untouchedLogOverTwoFilesIsIntact() throws Exception {
    String old = file("audit.log.2026-03-01.gz", lines.subList(0, 2));
    String now = file("audit.log", lines.subList(2, 6));

    assertThat(staithe("audit", "verify", old, now)).isZero();
    assertThat(out.toString()).startsWith("intact: 6 lines, numbers 1 to 6, last hash ");
  }

  @Test
  void firstBrokenLineIsNamed() throws Exception {
    lines.set(3, lines.get(3).replace("\"n\":3", "\"n\":7"));
    String log = file("audit.log", lines);

    assertThat(staithe("audit", "verify", log)).isEqualTo(1);
    assertThat(out.toString()).contains("audit.log line 4 has another hash than its text");
  }

  @Test
  void cutOffEndIsFoundByAHashThatIsKnown() throws Exception {
    String log = file("audit.log", lines.subList(0, 4));

    assertThat(staithe("audit", "verify", log)).as("without it, nothing is seen").isZero();
    assertThat(staithe("audit", "verify", "--last", head.hash(), log)).isEqualTo(1);
  }

  @Test
  void resultThatCannotBeWrittenIsNoSuccess() throws Exception {
    String log = file("audit.log", lines);
    Writer full = Writer.nullWriter();
    full.close();

    assertThat(staithe(new PrintWriter(full, true), "audit", "verify", log)).isEqualTo(1);
    assertThat(out.toString()).isEqualTo("staithe: standard output cannot be written\n");
  }

  @Test
  void fileThatIsNotThereIsNoIntactLog() {
    assertThat(staithe("audit", "verify", folder.resolve("none").toString())).isEqualTo(1);
    assertThat(out.toString()).contains("none cannot be read");
  }

  @Test
  void folderThatIsNotThereIsToldAsThat() {
    Path none = folder.resolve("none");

    assertThat(staithe("evidence", "list", none.toString())).isEqualTo(1);
    assertThat(out.toString()).isEqualTo("staithe: " + none + ": no such file or folder\n");
  }
}
