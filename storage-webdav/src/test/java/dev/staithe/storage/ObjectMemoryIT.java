package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.VersityServer;
import dev.staithe.peers.process.Program;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many large uploads into a bucket at once by a server with little memory. {@code
 * -Dstaithe.long=true} makes each of them 1 GiB, or as large as the disk has room for: the engine
 * keeps the parts until the object is made of them, which is twice as much.
 */
final class ObjectMemoryIT {
  private static final int UPLOADS = 50;
  private static final int CALLERS = 5;
  private static final boolean LONG = Boolean.getBoolean("staithe.long");

  /** What hashes and encrypts 50 GiB must be compiled by the second compiler too. */
  private static final String COMPILER = "-XX:TieredStopAtLevel=" + (LONG ? 4 : 1);

  @TempDir private Path folder;

  @Test
  void fiftyUploadsAtOnceAllCompleteInAQuarterOfAGibibyte() throws Exception {
    Path file = folder.resolve("file");
    Sample.write(file, 1, size());
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
                "-XX:MaxDirectMemorySize=256m",
                COMPILER);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<String>> uploads = new ArrayList<>();
      for (int i = 0; i < UPLOADS; i++) {
        String url = storage.url("/data/file-" + i);
        String token = token(issuer, "caller-" + i % CALLERS);
        uploads.add(() -> put(file, url, token, authority.certificateFile()));
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

  private long size() throws IOException {
    long room = Files.getFileStore(folder).getUsableSpace() / (2 * UPLOADS + 20);
    return LONG ? Math.min(1 << 30, room) : 17 << 20;
  }

  /** By curl: what the test's own JVM would take to encrypt 50 GiB is an hour. */
  private static String put(Path file, String url, String token, Path authority) {
    Program.Ran ran =
        Program.CURL.run(
            List.of(
                "--silent",
                "--show-error",
                "--cacert",
                authority.toString(),
                "--write-out",
                "%{http_code} ",
                "--config",
                "-",
                "--upload-file",
                file.toString(),
                url),
            Map.of(),
            ("header = \"Authorization: Bearer " + token + "\"").getBytes(StandardCharsets.UTF_8),
            Duration.ofHours(1));
    return new String(ran.output(), StandardCharsets.UTF_8) + ran.errors();
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
