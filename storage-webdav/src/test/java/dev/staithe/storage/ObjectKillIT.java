package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.VersityServer;
import dev.staithe.storage.objects.BucketFixture;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Kills the servers of areas in an object store, and that too, in the middle of their work. {@code
 * -Dstaithe.long=true} kills more often.
 */
final class ObjectKillIT {
  private static final int ROUNDS = Boolean.getBoolean("staithe.long") ? 10 : 1;
  private static final int IN_PARTS = (16 << 20) + 5;

  @TempDir private Path folder;
  private ThrowAwayAuthority authority;
  private TokenIssuer issuer;
  private VersityServer engine;

  @BeforeEach
  void start() {
    authority = ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
    engine = VersityServer.start(BucketFixture.BUCKET);
  }

  @AfterEach
  void end() {
    engine.close();
    issuer.close();
  }

  /** A server of an area of its own in the one bucket. */
  private StorageProcess door(String name) throws IOException {
    Map<String, Object> settings = new HashMap<>(ObjectEngineIT.bucket(engine));
    settings.put("staithe.areas[0].s3.bucket", BucketFixture.BUCKET);
    settings.put("staithe.areas[0].s3.prefix", name);
    return StorageProcess.start(folder.resolve(name), authority, issuer, settings);
  }

  private Path stored(String name) {
    return engine.dataFolder().resolve(BucketFixture.BUCKET).resolve(name);
  }

  private static List<Path> filesBelow(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  @Test
  void whenBothServersAndTheEngineAreKilledNothingPartialIsVisibleAndTheSweepLeavesNothing()
      throws IOException, InterruptedException {
    KilledCrowd crowd = new KilledCrowd(authority, issuer);
    BucketFixture bucket = BucketFixture.of(engine);
    List<String> doors = List.of("one", "two");
    try (RunningStorage source =
        RunningStorage.start(folder.resolve("source"), authority, issuer, Map.of())) {
      crowd.sources(source);
      for (int round = 0; round < ROUNDS; round++) {
        int open = 2 * (round + 1);
        try (StorageProcess one = door("one");
            StorageProcess two = door("two")) {
          crowd.workUntilKilled(
              source, round, IN_PARTS, () -> uploadsLeft(bucket) >= open, one, two);
        }
        engine.kill();
        crowd.onlyWholeFiles(stored("one"), stored("two"));
        engine.restart();
      }
    }
    assertThat(crowd.unanswered()).as("files under way when all were killed").isPositive();
    assertThat(uploadsLeft(bucket)).isGreaterThanOrEqualTo(2 * ROUNDS);
    try (StorageProcess one = door("one");
        StorageProcess two = door("two")) {
      crowd.isServedBy(one, two);
    }
    Clock tomorrow = Clock.offset(Clock.systemUTC(), Duration.ofHours(25));
    for (String door : doors) {
      bucket.sweep(door, folder.resolve(door).resolve("data"), tomorrow);
      assertThat(bucket.engineUploads(door)).isZero();
      assertThat(filesBelow(stored(door + "/.staithe"))).as("objects that are no files").isEmpty();
    }
    crowd.onlyWholeFiles(stored("one"), stored("two"));
    Trials.held(crowd.unanswered());
  }

  private static int uploadsLeft(BucketFixture bucket) {
    try {
      return bucket.engineUploads("one") + bucket.engineUploads("two");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Before the new name is there, and before the old one goes. */
  @ParameterizedTest
  @CsvSource({"copy, false", "delete, true"})
  void fileThatIsRenamedWhenTheServerIsKilledHasAWholeName(String step, boolean isThere)
      throws Exception {
    Path file = folder.resolve("file");
    Sample whole = Sample.write(file, 1, 3 << 20);
    try (StorageProcess killed = door("one")) {
      assertThat(asked(killed, "/data/from").upload(file).run().status()).isEqualTo(201);
      HeldAt held = HeldAt.entering(killed, "dev.staithe.s3.S3Client", step);
      Thread client = Thread.ofVirtual().start(() -> renamed(killed));
      assertThat(held.held(60_000)).as("it stands there").isTrue();
      killed.process().kill();
      client.join();
    }
    assertThat(Sample.of(stored("one/from"))).isEqualTo(whole);
    if (isThere) {
      assertThat(Sample.of(stored("one/to"))).isEqualTo(whole);
    } else {
      assertThat(stored("one/to")).doesNotExist();
    }
    try (StorageProcess door = door("one")) {
      assertThat(renamed(door).status()).isEqualTo(isThere ? 204 : 201);
      assertThat(asked(door, "/data/to").run().body()).isEqualTo(Files.readAllBytes(file));
      assertThat(asked(door, "/data/from").head().run().status()).isEqualTo(404);
    }
  }

  private String token() {
    return issuer
        .token()
        .scope("storage.read:/ storage.modify:/")
        .audience(RunningStorage.AUDIENCE)
        .sign();
  }

  private Curl asked(StorageProcess door, String path) {
    return Curl.to(door.url(path)).trusting(authority).token(token());
  }

  private Curl.Response renamed(StorageProcess door) {
    return asked(door, "/data/from")
        .method("MOVE")
        .header("Destination", door.url("/data/to"))
        .header("Overwrite", "T")
        .run();
  }
}
