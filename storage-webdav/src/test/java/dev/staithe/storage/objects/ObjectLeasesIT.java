package dev.staithe.storage.objects;

import static dev.staithe.storage.files.StoreFixture.done;
import static dev.staithe.storage.files.StoreFixture.path;
import static dev.staithe.storage.files.StoreFixture.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.peers.VersityServer;
import dev.staithe.s3.S3Failure;
import dev.staithe.s3.WriteCondition;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.FileStore.Replace;
import dev.staithe.storage.files.OpenFile;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.SharedStateException;
import dev.staithe.storage.files.Upload;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.FaultyWay;
import dev.staithe.testkit.Trials;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two servers create in one bucket of an engine whose completions replace what is there. */
final class ObjectLeasesIT {
  private static final int ROUNDS = 6;

  @TempDir private Path folder;
  private final String prefix = BucketFixture.prefix();
  private VersityServer behind;
  private IgnoringEngine engine;
  private BucketFixture bucket;

  @BeforeEach
  void start() {
    behind = VersityServer.start(BucketFixture.BUCKET);
    engine = new IgnoringEngine(behind);
    bucket = new BucketFixture(engine.endpoint(), behind.credentialsFile());
  }

  @AfterEach
  void end() throws IOException {
    engine.close();
    behind.close();
  }

  private ObjectStore open(String server) throws IOException {
    return bucket.open(prefix, folder.resolve(server));
  }

  private List<Path> leases() throws IOException {
    Path leases =
        behind
            .dataFolder()
            .resolve(BucketFixture.BUCKET)
            .resolve(prefix)
            .resolve(".staithe/leases");
    if (!Files.exists(leases)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(leases)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  /** Null where the server was told to try again. */
  private static Boolean creates(FileStore store, String path, int size, byte fill)
      throws IOException {
    byte[] content = new byte[size];
    Arrays.fill(content, fill);
    try (Upload upload = done(store.stage("ada", path(path), size, Set.of()))) {
      upload.append(ByteBuffer.wrap(content));
      return upload.commit(Replace.NEVER) instanceof Outcome.Done<FileEntry>;
    } catch (SharedStateException busy) {
      return null;
    }
  }

  @Test
  void ofTwoServersThatCreateOneFileOneDoesAndItsBytesStay() throws Exception {
    try (ObjectStore one = open("one");
        ObjectStore two = open("two")) {
      assertThat(one.traits().completesOnce()).as("what the engine is made to ignore").isFalse();
      race(one, two, ROUNDS, engine::isCompleting);
    }
    assertThat(leases()).isEmpty();
    Trials.held(ROUNDS);
  }

  /**
   * Both create the same file at once, again and again. Every other round the second has one of one
   * request, whose condition the engine knows, and begins when the first is nearly done.
   */
  static void race(ObjectStore one, ObjectStore two, int rounds, BooleanSupplier completing)
      throws Exception {
    int large = (16 << 20) + 1;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int round = 0; round < rounds; round++) {
        String path = "/file-" + round;
        boolean alike = round % 2 == 0;
        int other = alike ? large : 1000;
        List<Callable<Boolean>> creators =
            List.of(
                () -> creates(one, path, large, (byte) 1),
                () -> {
                  if (!alike) {
                    Eventually.holds("the first is nearly done", completing);
                  }
                  return creates(two, path, other, (byte) 2);
                });
        List<Boolean> created = new ArrayList<>();
        for (Future<Boolean> each : threads.invokeAll(creators)) {
          created.add(each.get());
        }
        assertThat(created).as("round %s", round).containsOnlyOnce(true);
        boolean first = Boolean.TRUE.equals(created.getFirst());
        try (OpenFile file = done(one.open(path(path)))) {
          assertThat(file.entry().size()).isEqualTo(first ? large : other);
          ByteBuffer some = ByteBuffer.allocate(1);
          file.read(some, 0);
          assertThat(some.get(0)).isEqualTo((byte) (first ? 1 : 2));
        }
      }
    }
  }

  @Test
  void copyThatMustReplaceNothingTakesTurnsToo() throws IOException {
    try (ObjectStore one = open("one")) {
      put(one, "/source", "source");
      bucket.other(
          client ->
              client.put(
                  lease(prefix, "/copy") + "another-1", List.of(), Map.of(), WriteCondition.NONE));
      assertThatThrownBy(() -> one.copy("ada", path("/source"), path("/copy"), true, Replace.NEVER))
          .isInstanceOf(SharedStateException.class)
          .hasMessageContaining("another server");
      assertThat(one.find(path("/copy"))).isEmpty();
      done(one.copy("ada", path("/source"), path("/copy"), true, Replace.ALLOWED));
    }
  }

  /** Seen where a folder of leases is removed with another server's. */
  @Test
  void whoIsRefusedOnceTriesAgainAndWhoAlwaysIsSaysSo() throws Exception {
    var no = new FaultyWay.Fault.Says(409, "ExistingObjectIsDirectory");
    try (FaultyWay way = FaultyWay.to(behind.port())) {
      new BucketFixture(way.endpoint(), behind.credentialsFile())
          .other(
              client -> {
                ObjectKeys keys = ObjectKeys.below(prefix);
                var leases = new ObjectLeases(client, keys, "one", true, Duration.ofHours(1));
                way.next(no);
                try (ObjectLeases.Lease taken = leases.take(prefix + "/file", true)) {
                  taken.check();
                }
                assertThat(way.left()).as("it was refused once").isZero();

                way.always(no);
                assertThatThrownBy(() -> leases.take(prefix + "/file", true))
                    .isInstanceOf(S3Failure.class)
                    .hasMessageContaining("ExistingObjectIsDirectory");
              });
    }
    assertThat(leases()).isEmpty();
  }

  @Test
  void leaseThatCouldNotBeEndedIsInTheWayOfOthersOnly() throws Exception {
    try (FaultyWay way = FaultyWay.to(behind.port())) {
      new BucketFixture(way.endpoint(), behind.credentialsFile())
          .other(
              client -> {
                ObjectKeys keys = ObjectKeys.below(prefix);
                var one = new ObjectLeases(client, keys, "one", true, Duration.ofHours(1));
                ObjectLeases.Lease left = one.take(prefix + "/file", true);
                way.always(new FaultyWay.Fault.Says(403, "AccessDenied"));
                left.close();
                way.always(null);
                assertThat(leases()).as("what could not be ended").hasSize(1);
                var two = new ObjectLeases(client, keys, "two", true, Duration.ofHours(1));
                assertThatThrownBy(() -> two.take(prefix + "/file", true))
                    .isInstanceOf(SharedStateException.class);
                try (ObjectLeases.Lease again = one.take(prefix + "/file", true)) {
                  assertThatThrownBy(() -> one.take(prefix + "/file", true))
                      .as("while it is in use")
                      .isInstanceOf(SharedStateException.class);
                  again.check();
                }
              });
    }
    assertThat(leases()).isEmpty();
  }

  private static String lease(String prefix, String path) {
    return ObjectLeases.all(ObjectKeys.below(prefix), prefix + path);
  }

  @Test
  void leasesOfAKilledServerEndWhenItStartsAndForOthersWhenTheyAreOld() throws Exception {
    String server;
    try (ObjectStore one = open("one")) {
      put(one, "/first", "x");
      server = one.state("server").read("server").orElseThrow();
    }
    bucket.other(
        client ->
            client.put(
                lease(prefix, "/file") + server + "-left",
                List.of(),
                Map.of(),
                WriteCondition.NONE));
    try (ObjectStore two = open("two")) {
      assertThat(creates(two, "/file", 10, (byte) 2)).as("kept while it may be used").isNull();
    }
    open("one").close();
    assertThat(leases()).isEmpty();

    bucket.other(
        client -> {
          ObjectKeys keys = ObjectKeys.below(prefix);
          client.put(lease(prefix, "/other") + "gone-1", List.of(), Map.of(), WriteCondition.NONE);
          var leases = new ObjectLeases(client, keys, "two", true, Duration.ofSeconds(2));
          Eventually.holds(
              "it is old",
              () -> {
                try (ObjectLeases.Lease taken = leases.take(prefix + "/other", true)) {
                  taken.check();
                  return true;
                } catch (SharedStateException notYet) {
                  return false;
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              });
        });
    assertThat(leases()).isEmpty();
  }
}
