package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.issuers.DevelopmentIssuer;
import dev.staithe.storage.state.StateFolder;
import dev.staithe.testkit.clients.Curl;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenCommandTests {
  @TempDir private Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... options) {
    List<String> args = new ArrayList<>(List.of("token"));
    args.addAll(List.of(options));
    args.addAll(List.of("--folder", folder.resolve("state").toString()));
    return TokenCommand.run(
        args.toArray(String[]::new),
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        Clock.systemUTC());
  }

  @Test
  void tokenOpensWhatItsScopeSaysAndNothingElse() throws Exception {
    RunningStorage shared = RunningStorage.shared();
    Path state = StateFolder.make(folder.resolve("state"));
    Path jwks =
        Files.writeString(
            folder.resolve("jwks.json"), DevelopmentIssuer.open(state, Clock.systemUTC()).keySet());
    try (RunningStorage storage =
        RunningStorage.beside(
            shared,
            folder.resolve("storage"),
            Map.of(
                "staithe.issuers[1].issuer",
                DevelopmentIssuer.ISSUER,
                "staithe.issuers[1].audiences",
                DevelopmentDefault.audience(),
                "staithe.issuers[1].jwks-file",
                jwks,
                "staithe.areas[0].grants[1].issuer",
                DevelopmentIssuer.ISSUER))) {
      assertThat(run("--scope", "storage.read:/a")).isZero();
      String token = out.toString(StandardCharsets.UTF_8);
      assertThat(token).hasLineCount(1);
      Files.createDirectories(storage.data().resolve("a"));
      Files.writeString(storage.data().resolve("a/file"), "content");
      Curl.Response read = storage.curl("/data/a/file").token(token.strip()).run();
      assertThat(read.text()).isEqualTo("content");
      assertThat(storage.curl("/data/b").token(token.strip()).run().status()).isEqualTo(403);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --scopes   | storage.read:/ | token: unknown option --scopes
          --scope    | read:/         | token: "read:/" is no storage scope; write one like storage.read:/path
          --scope    | storage.read   | token: the token's scope storage.read has no path
          --scope    | storage.read:x | token: the token's scope storage.read:x cannot be used: the path does not begin with a slash
          --lifetime | 1h             | token: --lifetime is a duration such as PT1H
          --lifetime | PT25H          | token: --lifetime is more than nothing and at most P1D
          --lifetime | PT0S           | token: --lifetime is more than nothing and at most P1D
          --lifetime | -PT1H          | token: --lifetime is more than nothing and at most P1D
          """)
  void optionThatIsWrongIsNamedAndNoTokenIsMade(String option, String value, String line) {
    assertThat(run(option, value)).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8).lines()).startsWith(line);
    assertThat(out.size()).isZero();
    assertThat(folder.resolve("state")).doesNotExist();
  }

  @Test
  void optionWithoutValueIsNamed() {
    int code =
        TokenCommand.run(
            new String[] {"token", "--scope"},
            new PrintStream(out),
            new PrintStream(err),
            Clock.systemUTC());
    assertThat(code).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .startsWith("token: --scope has no value\nusage: token");
  }

  @Test
  void keyThatOthersCanReadIsNotUsed() throws Exception {
    assertThat(run()).isZero();
    out.reset();
    Path key;
    try (var files = Files.list(folder.resolve("state"))) {
      key = files.findFirst().orElseThrow();
    }
    Files.setPosixFilePermissions(
        key, java.nio.file.attribute.PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(run()).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("chmod 600").hasLineCount(1);
    assertThat(out.size()).isZero();
    Files.writeString(key, "garbage");
    Files.setPosixFilePermissions(
        key, java.nio.file.attribute.PosixFilePermissions.fromString("rw-------"));
    err.reset();
    assertThat(run()).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).hasLineCount(1).doesNotContain("\tat ");
  }
}
