package dev.staithe.storage.objects;

import static dev.staithe.storage.files.StoreFixture.done;
import static dev.staithe.storage.files.StoreFixture.path;
import static dev.staithe.storage.files.StoreFixture.put;
import static dev.staithe.storage.files.StoreFixture.refusal;
import static dev.staithe.storage.files.StoreFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.VersityServer;
import dev.staithe.s3.PartUpload;
import dev.staithe.s3.RenewedCredentials;
import dev.staithe.s3.S3Client;
import dev.staithe.s3.S3Endpoint;
import dev.staithe.s3.S3Settings;
import dev.staithe.s3.WriteCondition;
import dev.staithe.storage.files.ChecksumAlgorithm;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.FileStore.Replace;
import dev.staithe.storage.files.Listing;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.StoreContract;
import dev.staithe.storage.files.Upload;
import dev.staithe.storage.state.Sync;
import dev.staithe.testkit.Eventually;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every store holds, in a bucket of the Versity gateway; what this one refuses is said. */
final class VersityStoreIT extends StoreContract {
  private static VersityServer engine;

  @TempDir private Path state;

  private final String prefix = "area-" + UUID.randomUUID();

  @BeforeAll
  static void start() {
    engine = VersityServer.start("bucket");
  }

  @AfterAll
  static void end() {
    engine.close();
  }

  private static S3Endpoint endpoint() {
    return S3Endpoint.of(engine.endpoint(), "us-east-1", "bucket");
  }

  private FileStore open(Clock clock) throws IOException {
    return ObjectStore.open(
        new ObjectStore.Settings(
            endpoint(),
            endpoint(),
            prefix,
            engine.credentialsFile(),
            Duration.ZERO,
            64,
            8,
            state,
            Sync.NONE,
            false,
            100),
        (host, port) -> {
          throw new IllegalStateException("no TLS here");
        },
        clock);
  }

  @Override
  protected FileStore open() throws IOException {
    return open(Clock.systemUTC());
  }

  @Override
  protected int severalParts() {
    return (33 << 20) + 7;
  }

  @Override
  protected Optional<Refusal> refusesRanges() {
    return Optional.of(Refusal.UNSUPPORTED);
  }

  @Override
  protected boolean stagesInPlace() {
    return false;
  }

  @Override
  protected boolean keepsModified() {
    return false;
  }

  @Override
  protected boolean keepsProperties() {
    return false;
  }

  @Override
  protected boolean takesUploadsInParts() {
    return false;
  }

  @Override
  protected boolean replacesCollections() {
    return false;
  }

  /** Another tool of object stores at the same bucket. */
  private interface Other {
    void act(S3Client client) throws IOException;
  }

  private static void other(Other other) throws IOException {
    try (RenewedCredentials credentials =
            new RenewedCredentials(engine.credentialsFile(), Duration.ZERO, Clock.systemUTC());
        S3Client client =
            new S3Client(
                endpoint(),
                S3Settings.DEFAULT,
                credentials,
                (host, port) -> {
                  throw new IllegalStateException("no TLS here");
                },
                Clock.systemUTC())) {
      other.act(client);
    }
  }

  private static List<ByteBuffer> bytes(String text) {
    return List.of(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void filesAreObjectsUnderTheKeysThatTheirPathsSpell() throws IOException {
    try (FileStore store = open()) {
      done(store.makeCollection(path("/a"), Replace.NEVER));
      put(store, "/a/file", "content");
      other(
          client -> {
            assertThat(client.head(prefix + "/a/file").orElseThrow().size()).isEqualTo(7);
            client.put(prefix + "/implied/x", bytes("theirs"), Map.of(), WriteCondition.NONE);
          });
      assertThat(text(store, "/implied/x")).isEqualTo("theirs");
      assertThat(store.find(path("/implied")).orElseThrow().collection()).isTrue();
    }
  }

  @Test
  void tagsOfAnotherWritersObjectCountForNothing() throws IOException {
    try (FileStore store = open()) {
      put(store, "/file", "ours");
      other(
          client -> {
            Map<String, String> tags = client.tags(prefix + "/file");
            assertThat(tags).containsKeys("staithe-of", "staithe-adler32");
            client.put(prefix + "/file", bytes("theirs"), Map.of(), WriteCondition.NONE);
            client.tag(prefix + "/file", tags);
          });
      FileEntry file = store.find(path("/file")).orElseThrow();
      assertThat(store.kept(file, ChecksumAlgorithm.ADLER32)).isEmpty();
      assertThat(store.checksum(file, ChecksumAlgorithm.MD5).hex()).isEqualTo(md5("theirs"));
    }
  }

  private static String md5(String text) {
    try {
      return java.util.HexFormat.of()
          .formatHex(
              java.security.MessageDigest.getInstance("MD5")
                  .digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whatACrashLeftIsSweptAfterADayAndNotBefore() throws IOException {
    List<PartUpload> begun = new ArrayList<>();
    other(client -> begun.add(client.begin(prefix + "/left", Map.of())));
    open().close();
    other(client -> assertThat(client.uploads(prefix + "/", null).uploads()).hasSize(1));
    try (FileStore store = open(Clock.offset(Clock.systemUTC(), Duration.ofMinutes(5)))) {
      assertThat(store.find(path("/left"))).isEmpty();
    }
    other(client -> assertThat(client.uploads(prefix + "/", null).uploads()).hasSize(1));
    other(
        client -> {
          LeftUploads.sweep(
              client, prefix + "/", Clock.offset(Clock.systemUTC(), Duration.ofHours(25)));
          assertThat(client.uploads(prefix + "/", null).uploads()).isEmpty();
        });
  }

  @Test
  void pathThatNoKeyHasRoomForIsRefused() throws IOException {
    String deep = ("/" + "y".repeat(250)).repeat(4) + "/z".repeat(20);
    try (FileStore store = open()) {
      assertThat(refusal(put(store, deep, "x", Replace.NEVER))).isEqualTo(Refusal.NAME_TOO_LONG);
      assertThat(store.find(path(deep))).isEmpty();
    }
  }

  @Test
  void collectionOfMoreMembersThanOneRequestListsIsNotRenamed() throws Exception {
    other(
        client -> {
          for (int i = 0; i <= ObjectChanges.MOST; i++) {
            client.put(prefix + "/many/" + i, List.of(), Map.of(), WriteCondition.NONE);
          }
        });
    try (FileStore store = open()) {
      assertThat(refusal(store.move(path("/many"), path("/other"), Replace.NEVER)))
          .isEqualTo(Refusal.UNSUPPORTED);
      assertThat(store.find(path("/other"))).isEmpty();
      int members = 0;
      try (Listing listing = done(store.list(path("/many")))) {
        while (listing.next() != null) {
          members++;
        }
      }
      assertThat(members).isEqualTo(ObjectChanges.MOST + 1);
    }
  }

  /** Eight buffers there are: a caller who sends eight files slowly has four of them. */
  @Test
  void uploadsOfOneCallerLeaveBuffersForThoseOfOthers() throws Exception {
    try (FileStore store = open()) {
      CountDownLatch end = new CountDownLatch(1);
      AtomicInteger holding = new AtomicInteger();
      List<Thread> slow = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        int number = i;
        slow.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      try (Upload upload =
                          done(store.stage("slow", path("/slow-" + number), 20 << 20, Set.of()))) {
                        upload.append(ByteBuffer.allocate(2 << 20));
                        holding.incrementAndGet();
                        end.await();
                      } catch (IOException | InterruptedException refused) {
                        // Whoever gets no buffer in half a minute.
                      }
                    }));
      }
      try {
        Eventually.holds("half is held", () -> holding.get() == 4);
        try (Upload upload = done(store.stage("other", path("/other"), 17 << 20, Set.of()))) {
          for (int i = 0; i < 17; i++) {
            upload.append(ByteBuffer.allocate(1 << 20));
          }
          done(upload.commit(Replace.ALLOWED));
        }
        assertThat(holding).hasValue(4);
      } finally {
        end.countDown();
        for (Thread each : slow) {
          each.join();
        }
      }
    }
  }
}
