package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.process.Program;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** The alerts, as Prometheus itself reads and computes them. */
@SuppressWarnings("try")
final class AlertRulesIT {
  private static final Path ALERTS = Path.of("../deploy/prometheus");
  private static final Path STORAGE = ALERTS.resolve("staithe-storage.rules.yml");

  /** Of Prometheus itself, for each server that it scrapes. */
  private static final Set<String> OF_PROMETHEUS = Set.of("up");

  private static final Pattern METRIC = Pattern.compile("\\b(staithe_[a-z_]+|up)\\b");

  @TempDir Path folder;

  private static String promtool(String... arguments) {
    Program.Ran ran =
        Program.PROMTOOL.run(List.of(arguments), Map.of(), new byte[0], Duration.ofMinutes(1));
    String said = new String(ran.output(), StandardCharsets.UTF_8) + ran.errors();
    assertThat(ran.exitCode()).as(said).isZero();
    return said;
  }

  @Test
  void everyFileOfRulesIsGoodForPrometheus() throws IOException {
    List<String> arguments = new ArrayList<>(List.of("check", "rules"));
    try (var files = Files.newDirectoryStream(ALERTS, "*.rules.yml")) {
      files.forEach(file -> arguments.add(file.toString()));
    }
    assertThat(arguments).hasSizeGreaterThan(5);
    assertThat(promtool(arguments.toArray(String[]::new))).doesNotContain("FAILED");
  }

  @ParameterizedTest
  @ValueSource(strings = {"storage", "gateway"})
  void alertsFireWhenTheyShouldAndNotBefore(String service) {
    Path tests = ALERTS.resolve("staithe-" + service + ".tests.yml");

    assertThat(promtool("test", "rules", tests.toString())).contains("SUCCESS");
  }

  @Test
  void everyMetricThatAnAlertAsksForIsInAScrape() throws Exception {
    ThrowAwayAuthority authority =
        ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    int port = FreePort.next();
    Path key = folder.resolve("contract.pem");
    Pem.writePrivateKey(key, KeyKind.EC_P256.generate().getPrivate());
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("server.port", port);
    settings.put("staithe.contracts.origin", "https://localhost:" + port);
    settings.put("staithe.contracts.key", key);
    settings.put("staithe.contracts.state", folder.resolve("contracts"));
    settings.put(
        "staithe.areas[0].policy",
        Files.writeString(
            folder.resolve("policy.yml"), "rules:\n- {deny: all, anyone: true, path: /nothing}\n"));
    try (TokenIssuer issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
        RunningStorage server =
            RunningStorage.start(folder.resolve("s"), authority, issuer, settings)) {
      // What is counted by kind is there once one of the kind was.
      server
          .curl("/data/copied")
          .token(server.token())
          .header("Source", "https://localhost:1/none")
          .header("Credential", "none")
          .method("COPY")
          .run();
      server.curl("/data/file").token(server.token() + "x").run();
      Set<String> scraped =
          METRIC
              .matcher(server.curl("/.staithe/metrics").run().text())
              .results()
              .map(MatchResult::group)
              .collect(Collectors.toCollection(TreeSet::new));

      assertThat(asked(STORAGE)).hasSizeGreaterThan(10).isSubsetOf(scraped);
    }
  }

  /** The metrics in the expressions of a file of rules. */
  private static Set<String> asked(Path file) throws IOException {
    Map<String, List<Map<String, List<Map<String, Object>>>>> rules =
        new Yaml().load(Files.readString(file));
    return rules.getOrDefault("groups", List.of()).stream()
        .flatMap(group -> group.getOrDefault("rules", List.of()).stream())
        .map(rule -> String.valueOf(rule.get("expr")).replaceAll("\"[^\"]*\"", ""))
        .flatMap(expression -> METRIC.matcher(expression).results())
        .map(MatchResult::group)
        .filter(metric -> !OF_PROMETHEUS.contains(metric))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
