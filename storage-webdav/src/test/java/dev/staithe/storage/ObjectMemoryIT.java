package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.VersityServer;
import dev.staithe.testkit.ThrowAwayAuthority;
import dev.staithe.testkit.TokenIssuer;
import dev.staithe.testkit.Trials;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many large uploads into a bucket at once by a server with little memory. {@code
 * -Dstaithe.long=true} makes each of them 1 GiB.
 */
final class ObjectMemoryIT {
  private static final int UPLOADS = 50;
  private static final int CALLERS = 5;
  private static final long SIZE = Boolean.getBoolean("staithe.long") ? 1L << 30 : 17 << 20;

  @TempDir private Path folder;

  @Test
  void fiftyUploadsAtOnceAllCompleteInAQuarterOfAGibibyte() throws Exception {
    Path file = folder.resolve("file");
    Sample.write(file, 1, SIZE);
    ThrowAwayAuthority authority =
        ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    try (TokenIssuer issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
        VersityServer engine = VersityServer.start("data");
        StorageProcess storage =
            StorageProcess.start(
                folder.resolve("element"),
                authority,
                issuer,
                ObjectEngineIT.bucket(engine),
                "-Xmx256m",
                "-XX:MaxDirectMemorySize=256m");
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        HttpClient client =
            HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(authority.clientContext())
                .build()) {
      List<Callable<String>> uploads = new ArrayList<>();
      for (int i = 0; i < UPLOADS; i++) {
        HttpRequest request =
            HttpRequest.newBuilder(URI.create(storage.url("/data/file-" + i)))
                .timeout(Duration.ofHours(1))
                .header("Authorization", "Bearer " + token(issuer, "caller-" + i % CALLERS))
                .PUT(HttpRequest.BodyPublishers.ofFile(file))
                .build();
        uploads.add(
            () -> {
              HttpResponse<String> answer =
                  client.send(request, HttpResponse.BodyHandlers.ofString());
              return answer.statusCode() + " " + answer.body();
            });
      }
      List<String> answers = new ArrayList<>();
      for (Future<String> each : threads.invokeAll(uploads)) {
        answers.add(each.get());
      }
      assertThat(answers)
          .as(storage.process().output())
          .allSatisfy(answer -> assertThat(answer).startsWith("201 "));
      for (int i = 0; i < UPLOADS; i++) {
        Path stored = engine.dataFolder().resolve("data/file-" + i);
        assertThat(Files.mismatch(file, stored)).as("file %s", i).isEqualTo(-1);
      }
      assertThat(storage.process().output()).doesNotContain("OutOfMemory");
    }
    Trials.held(UPLOADS);
  }

  private static String token(TokenIssuer issuer, String subject) throws IOException {
    return issuer
        .token()
        .subject(subject)
        .scope("storage.modify:/")
        .audience(RunningStorage.AUDIENCE)
        .sign();
  }
}
