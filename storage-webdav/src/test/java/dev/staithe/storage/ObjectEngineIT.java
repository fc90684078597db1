package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.staithe.peers.VersityServer;
import dev.staithe.service.OneLineFailure;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How an area and the object store that keeps it come to trust each other, and go on to. */
final class ObjectEngineIT {
  private static final String ROTATED = "another-secret-of-today";

  @TempDir private Path folder;

  /** What has area {@code data} kept by that engine. */
  static Map<String, Object> bucket(VersityServer engine) {
    return Map.of(
        "staithe.areas[0].store",
        "s3",
        "staithe.areas[0].s3.endpoint",
        engine.endpoint(),
        "staithe.areas[0].s3.bucket",
        "data",
        "staithe.areas[0].s3.credentials-file",
        engine.credentialsFile());
  }

  private Path file(int size) throws IOException {
    return Files.write(folder.resolve("file"), Sample.bytes(size, size));
  }

  @Test
  void engineIsJudgedByTheServersAuthorities() throws IOException {
    ThrowAwayAuthority authority =
        ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    ThrowAwayAuthority.Host host = authority.localhost();
    Path file = file((17 << 20) + 1);
    try (TokenIssuer issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
        VersityServer engine = VersityServer.overTls(host.certificate(), host.key(), "data")) {
      try (RunningStorage storage =
          RunningStorage.start(folder.resolve("here"), authority, issuer, bucket(engine))) {
        assertThat(storage.curl("/data/f").token(storage.token()).upload(file).run().status())
            .isEqualTo(201);
        assertThat(storage.curl("/data/f").token(storage.token()).run().body())
            .isEqualTo(Files.readAllBytes(file));
      }
      // Another's authority knows nothing of it, so this server does not either.
      assertThat(
              OneLineFailure.describe(
                  catchThrowable(
                      () ->
                          RunningStorage.start(folder.resolve("stranger"), bucket(engine))
                              .close())))
          .startsWith("staithe.areas")
          .containsIgnoringCase("certificate")
          .doesNotContain(VersityServer.SECRET_KEY);
    }
  }

  @Test
  void keysThatAreChangedAreTakenUpWhileItRuns() throws IOException {
    Path file = file(100);
    try (VersityServer engine = VersityServer.start("data");
        RunningStorage storage = RunningStorage.start(folder.resolve("here"), bucket(engine))) {
      assertThat(put(storage, "/data/before", file).status()).isEqualTo(201);
      engine.kill();
      engine.restart(ROTATED);
      Curl.Response refused = put(storage, "/data/between", file);
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.header("Retry-After")).isPresent();
      assertThat(refused.text())
          .contains("the object store that keeps this area")
          .doesNotContain(VersityServer.ACCESS_KEY, "Signature");

      Files.writeString(
          engine.credentialsFile(), VersityServer.credentials(VersityServer.ACCESS_KEY, ROTATED));
      Eventually.holds(
          "the new keys are in use", () -> put(storage, "/data/after", file).status() / 100 == 2);
      for (String there : new String[] {"/data/before", "/data/after"}) {
        assertThat(storage.curl(there).token(storage.token()).run().body())
            .isEqualTo(Files.readAllBytes(file));
      }
    }
  }

  @Test
  void engineThatTakesItsTimeIsNotTakenForAClientThatIsSilent() throws Exception {
    Path file = file((17 << 20) + 1);
    Map<String, Object> settings = new HashMap<>();
    try (VersityServer engine = VersityServer.start("data");
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      settings.putAll(bucket(engine));
      settings.put("staithe.limits.idle-timeout", "1s");
      try (RunningStorage storage = RunningStorage.start(folder.resolve("here"), settings)) {
        engine.pause();
        long paused = System.nanoTime();
        Future<Curl.Response> answer = threads.submit(() -> put(storage, "/data/f", file));
        Eventually.holds(
            "it was silent for long", () -> System.nanoTime() - paused > 4_000_000_000L);
        engine.resume();
        assertThat(answer.get().status()).isEqualTo(201);
        assertThat(storage.curl("/data/f").token(storage.token()).run().body())
            .isEqualTo(Files.readAllBytes(file));
      }
    }
  }

  @Test
  void engineThatDoesNotAnswerIsToldWithoutItsAddress() throws IOException {
    Path file = file(10);
    try (VersityServer engine = VersityServer.start("data");
        RunningStorage storage = RunningStorage.start(folder.resolve("here"), bucket(engine))) {
      assertThat(put(storage, "/data/away", file).status()).isEqualTo(201);
      engine.kill();
      Curl.Response answer = storage.curl("/data/away").token(storage.token()).run();
      assertThat(answer.status()).isEqualTo(503);
      assertThat(answer.header("Retry-After")).isPresent();
      assertThat(answer.text())
          .contains("the object store that keeps this area")
          .doesNotContain("127.0.0.1", VersityServer.ACCESS_KEY, VersityServer.SECRET_KEY);
      engine.restart();
      assertThat(storage.curl("/data/away").token(storage.token()).run().body())
          .isEqualTo(Files.readAllBytes(file));
    }
  }

  private static Curl.Response put(RunningStorage storage, String path, Path file) {
    return storage.curl(path).token(storage.token()).upload(file).run();
  }
}
