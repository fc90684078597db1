package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files on tape: gfal2, by which FTS stages, and a server that is killed in the middle. */
class TapeIT {
  @TempDir Path folder;
  private ThrowAwayAuthority authority;
  private TokenIssuer issuer;
  private TapeShelf shelf;
  private Path data;

  @BeforeEach
  void prepare() throws IOException {
    authority = ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
    shelf = new TapeShelf(folder.resolve("tapes"));
    data = Files.createDirectories(folder.resolve("storage/data"));
  }

  @AfterEach
  void finish() {
    issuer.close();
  }

  private String token(String scopes) {
    return issuer.token().subject("fts").scope(scopes).audience(RunningStorage.AUDIENCE).sign();
  }

  private GridTools.Ran gfal(GridTools tools, String tool, String... arguments) {
    Map<String, String> environment = new HashMap<>();
    environment.put("LC_ALL", "C.UTF-8");
    environment.put("BEARER_TOKEN", token("storage.stage:/ storage.read:/"));
    environment.put("X509_CERT_DIR", tools.authorities().toString());
    environment.put("GFAL_PYTHONBIN", "/usr/bin/python3");
    return tools.run(tool, "gfal2-util-scripts gfal2-plugin-http", environment, arguments);
  }

  @Test
  void gfal2StagesPollsSumsUpAndEvicts() throws IOException {
    Sample sample = Sample.write(data.resolve("file"), 1, 1_000_001);
    shelf.migrate(data.resolve("file"));
    GridTools tools = new GridTools(folder.resolve("tools"), authority);
    try (RunningStorage storage =
        RunningStorage.start(folder.resolve("storage"), authority, issuer, shelf.settings())) {
      String url = storage.url("/data/file").replace("https://", "davs://");
      assertThat(gfal(tools, "gfal-xattr", url, "user.status").works().output())
          .contains("NEARLINE")
          .doesNotContain("ONLINE_AND");
      GridTools.Ran refused = gfal(tools, "gfal-sum", url, "ADLER32");
      assertThat(refused.exitCode()).as(refused.output()).isNotZero();

      GridTools.Ran staged =
          gfal(tools, "gfal-bringonline", "--pin-lifetime", "600", "--polling-timeout", "60", url);

      assertThat(staged.works().output()).contains(url + " READY");
      gfal(tools, "gfal-archivepoll", url).works();
      assertThat(gfal(tools, "gfal-sum", url, "ADLER32").works().output())
          .contains(sample.adler32());
      gfal(tools, "gfal-evict", url).works();
      Eventually.holds("evicted", () -> shelf.count("release end", "file") == 1);
      assertThat(gfal(tools, "gfal-xattr", url, "user.status").works().output())
          .contains("NEARLINE")
          .doesNotContain("ONLINE_AND");
    }
  }

  @Test
  void afterKillNineInTheMiddleOfARecallTheRequestGoesOn() throws IOException {
    for (String name : new String[] {"one", "two"}) {
      Sample.write(data.resolve(name), 2, 100_001);
      shelf.migrate(data.resolve(name));
      shelf.fault(name, "slow");
    }
    Map<String, Object> settings = shelf.settings();
    settings.put("staithe.tape.running", 1);
    String token = token("storage.stage:/ storage.read:/");
    String id;
    try (StorageProcess storage =
        StorageProcess.start(folder.resolve("storage"), authority, issuer, settings)) {
      Curl.Response asked =
          Curl.to(storage.url("/api/v1/stage"))
              .trusting(authority)
              .token(token)
              .header("Content-Type", "application/json")
              .body("{\"files\":[{\"path\":\"/data/one\"},{\"path\":\"/data/two\"}]}")
              .run();
      assertThat(asked.status()).as(asked.text()).isEqualTo(201);
      id = asked.text().replaceAll(".*:\"|\".*", "");
      Eventually.holds("the recall runs", () -> shelf.count("recall begin", "one") == 1);
      storage.process().kill();
    }

    try (StorageProcess storage =
        StorageProcess.start(folder.resolve("storage"), authority, issuer, settings)) {
      Eventually.holds("it is recalled anew", () -> shelf.count("recall begin", "one") == 2);
      shelf.go();
      Eventually.holds(
          "both are there",
          () ->
              Curl.to(storage.url("/api/v1/stage/" + id))
                      .trusting(authority)
                      .token(token)
                      .run()
                      .text()
                      .split("COMPLETED", -1)
                      .length
                  == 3);
      for (String name : new String[] {"one", "two"}) {
        assertThat(
                Curl.to(storage.url("/data/" + name)).trusting(authority).token(token).run().body())
            .hasSize(100_001);
      }
    }
    Trials.held(1);
  }
}
