package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Decisions are explained by a configuration, with nothing running but the issuer. */
class ExplainCommandTests {
  private static final RunningStorage SHARED = RunningStorage.shared();

  @TempDir private Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private Path config;

  @BeforeEach
  void configure() throws IOException {
    Path policy =
        Files.writeString(
            folder.resolve("policy.yml"),
            """
            rules:
              - {deny: modify, path: /raw, anyone: true}
              - {permit: stage, path: /tape, anyone: true, network: 192.0.2.0/24}
            """);
    config =
        Files.writeString(
            folder.resolve("storage.yml"),
            """
            server: {port: 1}
            staithe:
              tls: {enabled: false}
              trust: %s
              issuers:
                - issuer: %s
                  audiences: ["%s"]
              areas:
                - name: data
                  root: %s
                  policy: %s
                  grants: [{issuer: "%s"}]
            """
                .formatted(
                    SHARED.authority().certificateFile(),
                    SHARED.issuer().issuer(),
                    RunningStorage.AUDIENCE,
                    Files.createDirectory(folder.resolve("area")),
                    policy,
                    SHARED.issuer().issuer()));
  }

  private int run(String... more) {
    List<String> args = new ArrayList<>(List.of("explain", "--config", config.toString()));
    args.addAll(List.of(more));
    return ExplainCommand.run(
        args.toArray(String[]::new),
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        Clock.systemUTC());
  }

  private String said() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String complained() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void tokenIsJudgedAndTheRuleNamedWithoutServerOrToken() throws IOException {
    String token = SHARED.token("storage.modify:/");
    Path file = Files.writeString(folder.resolve("token"), token + "\n");

    assertThat(run("--token", file.toString(), "--method", "PUT", "/data/raw/f")).isZero();
    assertThat(said())
        .contains("caller: tester@" + SHARED.issuer().issuer())
        .contains("scopes: storage.modify:/")
        .contains("area: data, path /raw/f")
        .contains("MODIFY: refused")
        .contains("rule 1 (line 2) denies")
        .contains("CREATE: allowed")
        .doesNotContain(token.substring(0, 40));
    assertThat(complained()).isEmpty();
    assertThat(folder.resolve("area")).as("which nobody opened").isEmptyDirectory();

    out.reset();
    Files.writeString(file, token.substring(0, token.length() - 6) + "AAAAAA");
    assertThat(run("--token", file.toString(), "--method", "PUT", "/data/raw/f")).isZero();
    assertThat(said()).isEqualTo("the credential is refused: the token's signature is wrong\n");
  }

  @Test
  void certificatesNetworksAndNobodyInParticularMayBeAskedAbout() {
    assertThat(run("--certificate", "/C=DE/CN=Ada", "--method", "GET", "/data/f")).isZero();
    assertThat(said()).contains("what is granted to CN=Ada,C=DE is nothing here");
    out.reset();
    assertThat(run("--method", "STAGE", "--from", "192.0.2.7", "/data/tape/f")).isZero();
    assertThat(said()).contains("caller: anonymous", "STAGE: allowed");
    out.reset();
    assertThat(run("--method", "STAGE", "/data/tape/f")).isZero();
    assertThat(said()).contains("STAGE: refused", "would allow: rule 2");
    out.reset();
    assertThat(run("--method", "POLL", "--from", "192.0.2.7", "/data/tape/f")).isZero();
    assertThat(said()).contains("POLL: allowed");
    out.reset();
    assertThat(run("--method", "GET", "--from", "192.0.2.7", "/data/tape/f")).isZero();
    assertThat(said()).contains("READ: refused");
  }

  @Test
  void whatCannotBeExplainedIsSaidInOneLine() throws IOException {
    assertThat(run("--method", "GET", "/elsewhere")).isEqualTo(2);
    assertThat(complained()).isEqualTo("explain: no storage area has this path\n");
    err.reset();
    assertThat(run("--method", "GRAB", "/data/f")).isEqualTo(2);
    assertThat(complained()).startsWith("explain: method is one of [COPY, DELETE, ");
    err.reset();
    assertThat(run("--token", "/none", "--method", "GET", "/data/f")).isEqualTo(2);
    assertThat(complained()).isEqualTo("explain: the file with the token cannot be read\n");
    err.reset();
    Files.writeString(folder.resolve("policy.yml"), "rules:\n- {permit: raed, path: /}\n");
    assertThat(run("--method", "GET", "/data/f")).isEqualTo(2);
    assertThat(complained()).contains("line 2: rule 1: no right is called").hasLineCount(1);
    err.reset();
    Files.writeString(config, "staithe: {speed: fast}\n");
    assertThat(run("--method", "GET", "/data/f")).isEqualTo(2);
    assertThat(complained()).startsWith("explain: staithe.speed = ").hasLineCount(1);
  }
}
