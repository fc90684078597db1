package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.clients.Curl;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HEAD for checksums that are not kept, of files whose reading has no end as far as tests go. */
class ChecksumsOnDemandTests {
  private static final long ENDLESS = 1L << 40;

  @TempDir static Path folder;
  private static RunningStorage storage;

  @BeforeAll
  static void start() throws IOException {
    storage =
        RunningStorage.start(
            folder.resolve("storage"),
            Map.of("staithe.checksums.running", 2, "staithe.checksums.waiting", 2));
    for (String name : List.of("one", "two", "three")) {
      sparse(storage.open().resolve(name), ENDLESS);
    }
  }

  @AfterAll
  static void stop() {
    storage.close();
  }

  private static void sparse(Path path, long size) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(size);
    }
  }

  private static RawClient ask(String path) throws IOException {
    RawClient client = RawClient.to(storage.port(), storage.authority());
    client.send("HEAD " + path + " HTTP/1.1\r\nHost: localhost\r\nWant-Digest: md5\r\n\r\n");
    return client;
  }

  private static boolean jobs(int running, int waiting) {
    String metrics = storage.curl("/.staithe/metrics").run().text();
    return metrics.contains("staithe_checksums_running " + running + ".0\n")
        && metrics.contains("staithe_checksums_waiting " + waiting + ".0\n");
  }

  private static Curl.Response digest(String path, String token) {
    return storage.curl(path).head().token(token).header("Want-Digest", "md5").run();
  }

  @Test
  void allWhoAskForOneFileShareOneJobAndItEndsWithTheLast() throws IOException {
    List<RawClient> clients = new ArrayList<>();
    // Only one more than the places would be refused where each had a job.
    for (int i = 0; i < 20; i++) {
      clients.add(ask("/open/one"));
    }
    Eventually.holds("one job", () -> jobs(1, 0));
    for (RawClient client : clients.subList(0, 19)) {
      client.close();
    }
    RawClient other = ask("/open/two");
    Eventually.holds("the other waits for its turn", () -> jobs(1, 1));
    other.close();
    Eventually.holds("nobody waits for the other", () -> jobs(1, 0));
    clients.getLast().close();
    Eventually.holds("nobody waits for any", () -> jobs(0, 0));
  }

  @Test
  void fileThatManyAskForAtOnceIsAnsweredToAll() throws IOException {
    sparse(storage.open().resolve("short"), 64 << 20);
    List<RawClient> clients = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      clients.add(ask("/open/short"));
    }
    for (RawClient client : clients) {
      assertThat(client.readHead())
          .startsWith("HTTP/1.1 200 ")
          .containsIgnoringCase("digest: md5=");
      client.close();
    }
    Eventually.holds("the job has ended", () -> jobs(0, 0));
  }

  @Test
  void callerBeyondItsHalfGets503AndAnotherCallerIsServed() throws IOException {
    Files.write(storage.data().resolve("mine"), new byte[] {1, 2, 3});
    try (RawClient first = ask("/open/one");
        RawClient second = ask("/open/two")) {
      Eventually.holds("both are known", () -> jobs(1, 1));
      Curl.Response refused = storage.curl("/open/three").head().header("Want-Digest", "md5").run();
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.header("Retry-After")).contains("10");
      assertThat(digest("/data/mine", storage.token()).header("Digest"))
          .contains("md5=Uonfc331cyb83SJZevsfrA==");
      assertThat(first.socket().isClosed() || second.socket().isClosed()).isFalse();
    }
    Eventually.holds("nobody waits for any", () -> jobs(0, 0));
  }

  @Test
  void fileThatIsReplacedBeforeItsTurnComesIsNotAnsweredWithTheDigestOfAnother()
      throws IOException {
    Path file = Files.write(storage.open().resolve("replaced"), new byte[] {1});
    Path next = Files.write(folder.resolve("next"), new byte[] {2});
    RawClient first = ask("/open/one");
    try (RawClient second = ask("/open/replaced")) {
      Eventually.holds("the other waits for its turn", () -> jobs(1, 1));
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
      first.close();
      assertThat(second.readHead())
          .startsWith("HTTP/1.1 503 ")
          .containsIgnoringCase("\r\nretry-after:")
          .doesNotContainIgnoringCase("\r\ndigest:");
    }
    Eventually.holds("nobody waits for any", () -> jobs(0, 0));
  }

  @Test
  void digestThatIsNotKeptNeedsTheRightToRead() throws IOException {
    Files.write(storage.data().resolve("secret"), new byte[] {1, 2, 3});
    String writer = storage.token("storage.modify:/");
    Curl.Response hidden = digest("/data/secret", writer);
    assertThat(hidden.status()).isEqualTo(200);
    assertThat(hidden.header("Digest")).isEmpty();
    assertThat(digest("/data/secret", storage.token("storage.read:/")).header("Digest"))
        .isPresent();
    // From now on it is kept beside the file.
    assertThat(digest("/data/secret", writer).header("Digest")).isPresent();
  }
}
