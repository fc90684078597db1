package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.VersityServer;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Uploads over several requests into an area that a real object store keeps, by curl. {@code
 * -Dstaithe.long=true} kills more often.
 */
final class ObjectResumeIT {
  private static final int ROUNDS = Boolean.getBoolean("staithe.long") ? 10 : 2;
  private static final Pattern OFFSET = Pattern.compile("(?im)^upload-offset: *([0-9]+)");
  private static final Pattern LOCATION = Pattern.compile("(?im)^location: *(\\S+)");

  @TempDir private Path folder;
  private ThrowAwayAuthority authority;
  private TokenIssuer issuer;
  private VersityServer engine;

  @BeforeEach
  void start() {
    authority = ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
    engine = VersityServer.start("data");
  }

  @AfterEach
  void end() {
    engine.close();
    issuer.close();
  }

  private String token(String subject) {
    return issuer
        .token()
        .subject(subject)
        .scope("storage.read:/ storage.modify:/")
        .audience(RunningStorage.AUDIENCE)
        .sign();
  }

  private Path stored(String name) {
    return engine.dataFolder().resolve("data").resolve(name);
  }

  private Path part(Path file, long from, long end) throws IOException {
    Path part = folder.resolve("part");
    try (FileChannel in = FileChannel.open(file);
        FileChannel out =
            FileChannel.open(
                part,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING)) {
      in.transferTo(from, end - from, out);
    }
    return part;
  }

  private Curl asked(String url) {
    return Curl.to(url).trusting(authority).token(token("ada"));
  }

  private static Curl patch(Curl curl, Path content, long offset, boolean last) {
    return curl.upload(content)
        .method("PATCH")
        .header("Content-Type", "application/partial-upload")
        .header("Upload-Offset", Long.toString(offset))
        .header("Upload-Complete", last ? "?1" : "?0");
  }

  @Test
  void fileComesByThreeRequestsAndIsSeenAtTheEnd() throws IOException {
    Path file = folder.resolve("file");
    Sample whole = Sample.write(file, 1, 40 << 20);
    try (RunningStorage storage =
        RunningStorage.start(folder.resolve("here"), authority, issuer, bucket())) {
      Curl.Response begun =
          asked(storage.url("/data/deep/file"))
              .upload(part(file, 0, 10 << 20))
              .header("Upload-Complete", "?0")
              .header("Digest", "sha-256=" + whole.sha256())
              .header("If-None-Match", "*")
              .run();
      assertThat(begun.status()).as(begun.text()).isEqualTo(201);
      String upload = storage.url(begun.header("Location").orElseThrow());
      Path second = part(file, 10 << 20, 35 << 20);
      assertThat(patch(asked(upload), second, 5, false).run().status()).isEqualTo(409);
      Curl.Response told = patch(asked(upload), second, 10 << 20, false).run();
      assertThat(told.status()).isEqualTo(204);
      assertThat(told.header("Upload-Offset")).contains(Integer.toString(35 << 20));
      assertThat(asked(storage.url("/data/deep/file")).head().run().status()).isEqualTo(404);
      assertThat(asked(storage.url("/data/")).method("PROPFIND").header("Depth", "1").run().text())
          .doesNotContain("staithe/uploads");
      // Another's upload is as unknown as none.
      assertThat(Curl.to(upload).trusting(authority).token(token("eve")).head().run().status())
          .isEqualTo(404);
      Path third = part(file, 35 << 20, 40 << 20);
      Curl.Response late =
          patch(asked(upload), third, 35 << 20, true).header("Digest", "md5=00").run();
      assertThat(late.status()).as("broken").isEqualTo(400);
      Curl.Response done = patch(asked(upload), third, 35 << 20, true).run();
      assertThat(done.status()).as(done.text()).isEqualTo(201);
      assertThat(Sample.of(stored("deep/file"))).isEqualTo(whole);
      Curl.Response head =
          asked(storage.url("/data/deep/file")).head().header("Want-Digest", "adler32").run();
      assertThat(head.header("Digest")).contains("adler32=" + whole.adler32());
      assertThat(asked(upload).head().run().header("Upload-Complete")).contains("?1");
    }
  }

  private Map<String, Object> bucket() {
    return ObjectEngineIT.bucket(engine);
  }

  @Test
  void whatIsNotAsItShouldBeLeavesNothing() throws IOException {
    Path file = folder.resolve("file");
    Sample.write(file, 2, 18 << 20);
    try (RunningStorage storage =
        RunningStorage.start(folder.resolve("here"), authority, issuer, bucket())) {
      String url = storage.url("/data/wrong");
      Curl.Response wrong =
          asked(url)
              .upload(file)
              .header("Upload-Complete", "?1")
              .header("Digest", "adler32=00000001")
              .run();
      assertThat(wrong.status()).isEqualTo(412);
      assertThat(wrong.text()).contains("checksum mismatch");
      // A checksum that nobody counted while the bytes came is not taken for granted.
      Curl.Response begun = asked(url).upload(file).header("Upload-Complete", "?0").run();
      String upload = storage.url(begun.header("Location").orElseThrow());
      Path empty = Files.write(folder.resolve("empty"), new byte[0]);
      Curl.Response late =
          patch(asked(upload), empty, 18 << 20, true)
              .header("Digest", "md5=d41d8cd98f00b204e9800998ecf8427e")
              .run();
      assertThat(late.status()).isEqualTo(501);
      assertThat(late.text()).contains("state it before them");
      assertThat(stored("wrong")).doesNotExist();
      assertThat(asked(upload).method("DELETE").run().status()).isEqualTo(204);
      assertThat(asked(upload).head().run().status()).isEqualTo(404);
      // The engine's answer stops nobody else, and is told as what it is.
      Curl.Response other =
          asked(url).upload(part(file, 0, 1)).header("Upload-Complete", "?0").run();
      String away = storage.url(other.header("Location").orElseThrow());
      engine.kill();
      assertThat(patch(asked(away), file, 1, true).run().status()).isEqualTo(503);
      engine.restart();
      assertThat(asked(away).head().run().header("Upload-Offset")).contains("1");
      assertThat(patch(asked(away), file, 1, true).run().status()).isEqualTo(201);
      assertThat(Files.size(stored("wrong"))).isEqualTo(1 + (18 << 20));
    }
  }

  @Test
  void uploadGoesOnFromWhatWasToldAfterServerAndEngineWereKilled() throws IOException {
    Path file = folder.resolve("file");
    Sample whole = Sample.write(file, 3, 160 << 20);
    for (int round = 0; round < ROUNDS; round++) {
      String name = "file-" + round;
      Path heads = folder.resolve("heads-" + round);
      String upload;
      long told;
      try (StorageProcess target = storage();
          ManagedProcess _ = slowly(target.url("/data/" + name), file, whole, heads)) {
        Eventually.holds("some of it is told", () -> found(OFFSET, heads).isPresent());
        target.process().kill();
        engine.kill();
        told = Long.parseLong(found(OFFSET, heads).orElseThrow());
        upload = found(LOCATION, heads).orElseThrow();
      }
      assertThat(told).isLessThan(whole.size());
      assertThat(stored(name)).doesNotExist();
      engine.restart();
      try (StorageProcess target = storage()) {
        Curl.Response state = asked(target.url(upload)).head().run();
        assertThat(state.header("Upload-Complete")).contains("?0");
        long offset = Long.parseLong(state.header("Upload-Offset").orElseThrow());
        assertThat(offset).isBetween(told, whole.size() - 1);
        Path rest = part(file, offset, whole.size());
        Curl.Response done = patch(asked(target.url(upload)), rest, offset, true).run();
        assertThat(done.status()).as(done.text()).isEqualTo(201);
      }
      assertThat(Sample.of(stored(name))).isEqualTo(whole);
    }
    Trials.held(ROUNDS);
  }

  private StorageProcess storage() throws IOException {
    return StorageProcess.start(folder.resolve("target"), authority, issuer, bucket());
  }

  private ManagedProcess slowly(String url, Path file, Sample whole, Path heads)
      throws IOException {
    Path token =
        Files.writeString(folder.resolve("token"), "Authorization: Bearer " + token("ada"));
    return ManagedProcess.start(
        List.of(
            "curl",
            "-q",
            "--silent",
            "--limit-rate",
            "60M",
            "--cacert",
            authority.certificateFile().toString(),
            "--header",
            "@" + token,
            "--header",
            "Upload-Complete: ?1",
            "--header",
            "Digest: sha-256=" + whole.sha256(),
            "--dump-header",
            heads.toString(),
            "--upload-file",
            file.toString(),
            url),
        Map.of(),
        folder.resolve("client.log"));
  }

  private static Optional<String> found(Pattern pattern, Path heads) {
    try {
      Matcher matcher = pattern.matcher(Files.exists(heads) ? Files.readString(heads) : "");
      return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
