package dev.staithe.storage.dav;

import static dev.staithe.storage.dav.Requests.curl;
import static dev.staithe.storage.dav.Requests.destination;
import static dev.staithe.storage.dav.Requests.freshCollection;
import static dev.staithe.storage.dav.Requests.get;
import static dev.staithe.storage.dav.Requests.put;
import static dev.staithe.storage.dav.Requests.status;
import static dev.staithe.storage.dav.Requests.storage;
import static dev.staithe.storage.dav.Requests.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.HeldSource;
import dev.staithe.storage.RawConnection;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.clients.Curl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What others do between the head of a request and its end counts. */
class MeanwhileTests {
  private static final String LOCKINFO =
      "<D:lockinfo xmlns:D=\"DAV:\"><D:lockscope><D:exclusive/></D:lockscope>"
          + "<D:locktype><D:write/></D:locktype></D:lockinfo>";

  private final String folder = freshCollection();
  private final String file = folder + "file";

  private static String lock(String path) {
    return lock(curl("LOCK", path));
  }

  private static String lock(Curl request) {
    Curl.Response response =
        request.header("Depth", "0").header("Content-Type", "application/xml").body(LOCKINFO).run();
    assertThat(response.status()).as(response.text()).isIn(200, 201);
    return response.header("Lock-Token").orElseThrow();
  }

  /** A PUT of {@code 0123456789} of which the first half is there, and staged, at {@code file}. */
  private RawConnection halfOf(String... headers) throws IOException {
    RawConnection connection =
        RawConnection.to(storage)
            .send(
                "PUT "
                    + file
                    + " HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
                    + "Content-Length: 10\r\n"
                    + String.join("", headers)
                    + "\r\n");
    assertThat(connection.head().status()).isEqualTo(100);
    return connection.send("01234");
  }

  private static RawConnection.Answer end(RawConnection half) throws IOException {
    return half.send("56789").answer();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Content-Range: bytes 0-9/*\r\n"})
  void lockThatIsTakenWhileBytesComeIsNotOverwritten(String header) throws IOException {
    put(file, "before").run();
    try (RawConnection half = halfOf(header)) {
      String token = lock(file);
      RawConnection.Answer late = end(half);
      assertThat(late.status()).as(late.toString()).isEqualTo(423);
      assertThat(text(file)).isEqualTo("before");
      assertThat(put(file, "mine").header("If", "(" + token + ")").run().status()).isEqualTo(204);
    }
  }

  @Test
  void lockOnANameThatWasFreeIsNotOverwritten() throws IOException {
    try (RawConnection half = halfOf()) {
      lock(file);
      assertThat(end(half).status()).isEqualTo(423);
      assertThat(text(file)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Content-Range: bytes 0-9/*\r\n"})
  void slowWriterWhoseConditionHeldLosesAgainstAFastOne(String header) throws IOException {
    put(file, "before").run();
    String etag = get(file).head().run().header("ETag").orElseThrow();
    try (RawConnection half = halfOf("If-Match: " + etag + "\r\n", header)) {
      assertThat(put(file, "fast").header("If-Match", etag).run().status()).isEqualTo(204);
      RawConnection.Answer late = end(half);
      assertThat(late.status()).as(late.toString()).isEqualTo(412);
      assertThat(text(file)).isEqualTo("fast");
    }
  }

  @Test
  void slowWriterOfALockThatIsGivenBackMeanwhileFails() throws IOException {
    put(file, "before").run();
    String token = lock(file);
    try (RawConnection half = halfOf("If: (" + token + ")\r\n")) {
      assertThat(curl("UNLOCK", file).header("Lock-Token", token).run().status()).isEqualTo(204);
      assertThat(end(half).status()).isEqualTo(412);
      assertThat(text(file)).isEqualTo("before");
    }
  }

  @Test
  void replyTellsWhetherTheFileIsNewAtTheEndAndNotAtTheBeginning() throws IOException {
    try (RawConnection half = halfOf()) {
      put(file, "fast").run();
      assertThat(end(half).status()).isEqualTo(204);
      assertThat(text(file)).isEqualTo("0123456789");
    }
  }

  private String begun(String... headers) {
    Curl begin =
        curl("PUT", file).header("Upload-Complete", "?0").header("Expect", "").body("01234");
    for (int i = 0; i < headers.length; i += 2) {
      begin = begin.header(headers[i], headers[i + 1]);
    }
    return begin.run().header("Location").orElseThrow();
  }

  private static Curl rest(String location) {
    return storage
        .curl(location)
        .method("PATCH")
        .header("Content-Type", "application/partial-upload")
        .header("Upload-Offset", "5")
        .header("Upload-Complete", "?1")
        .body("56789");
  }

  @Test
  void uploadInPartsDoesNotEndOnAFileThatAnotherHasLocked() {
    put(file, "before").run();
    String location = begun();
    String token = lock(file);
    assertThat(rest(location).run().status()).isEqualTo(423);
    assertThat(text(file)).isEqualTo("before");
    // Its bytes wait for the one who has the lock, or for its end.
    assertThat(rest(location).header("If", "(" + token + ")").run().status()).isEqualTo(204);
    assertThat(text(file)).isEqualTo("0123456789");
  }

  @Test
  void conditionsOfAnUploadInPartsHoldUntilItsEnd() {
    put(file, "before").run();
    String etag = get(file).head().run().header("ETag").orElseThrow();
    String kept = begun("If-Match", etag);
    assertThat(rest(kept).run().status()).isEqualTo(204);
    String lost = begun("If-Match", get(file).head().run().header("ETag").orElseThrow());
    put(file, "fast").run();
    assertThat(rest(lost).run().status()).isEqualTo(412);
    assertThat(text(file)).isEqualTo("fast");
  }

  @Test
  void uploadInPartsThatMustNotReplaceDoesNot() {
    String location = begun("If-None-Match", "*");
    put(file, "fast").run();
    assertThat(rest(location).run().status()).isEqualTo(412);
    assertThat(text(file)).isEqualTo("fast");
  }

  @Test
  void uploadWhoseFileHasGotItsNameIsCompleteThoughNobodyCouldSaySo() throws IOException {
    String location = begun("Upload-Length", "10");
    Path uploads = storage.open().resolve(".staithe/uploads");
    // As a server leaves it that ends between the rename and the note of it.
    Files.delete(uploads.resolve(location.substring(location.lastIndexOf('/') + 1)));
    Curl.Response state = storage.curl(location).head().run();
    assertThat(state.status()).isEqualTo(204);
    assertThat(state.header("Upload-Complete")).contains("?1");
    assertThat(state.header("Upload-Offset")).contains("10");
    assertThat(rest(location).run().status()).isIn(400, 410);
  }

  @Test
  void pullDoesNotEndOnAFileThatAnotherHasLockedMeanwhile() throws Exception {
    String name = "/data/" + UUID.randomUUID();
    try (HeldSource source = new HeldSource(storage.authority(), 1000, true);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Curl.Response> pull =
          threads.submit(
              () ->
                  curl("COPY", name)
                      .token(storage.token())
                      .header("Source", source.url("/f"))
                      .header("Credential", "none")
                      .header("RequireChecksumVerification", "false")
                      .run());
      Eventually.holds("half of it is there", () -> source.begun() == 1);
      assertThat(lock(curl("LOCK", name).token(storage.token()))).isNotEmpty();
      source.release();
      Curl.Response answer = pull.get();
      assertThat(answer.status()).isIn(202, 423);
      assertThat(answer.text()).contains("locked");
      assertThat(Files.size(storage.data().resolve(name.substring(6)))).isZero();
    }
  }

  /** What was in a collection is taken apart behind its back, when its name is free already. */
  @ParameterizedTest
  @ValueSource(strings = {"DELETE", "MOVE"})
  void lockOnANameThatHasJustBecomeFreeStays(String method) throws Exception {
    Path large = storage.open().resolve(folder.substring("/open/".length())).resolve("large");
    Files.createDirectory(large);
    for (int i = 0; i < 5_000; i++) {
      Files.createFile(large.resolve("member" + i));
    }
    String gone = folder + (method.equals("DELETE") ? "large" : "moved");
    curl("MKCOL", gone).run();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor();
        RawConnection other = RawConnection.to(storage)) {
      Future<Curl.Response> change =
          threads.submit(
              () -> curl(method, gone).header("Destination", destination(folder + "large")).run());
      int made;
      do {
        made =
            other.send("MKCOL " + gone + " HTTP/1.1\r\nHost: localhost\r\n\r\n").answer().status();
      } while (made == 405 && (!change.isDone() || change.get().status() == 204));
      assertThat(made).isEqualTo(201);
      RawConnection.Answer lock =
          other
              .send(
                  "LOCK "
                      + gone
                      + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
                      + LOCKINFO.length()
                      + "\r\n\r\n"
                      + LOCKINFO)
              .answer();
      assertThat(lock.status()).as(lock.toString()).isEqualTo(200);
      assertThat(change.get().status()).isEqualTo(204);
      assertThat(put(gone + "/file", "x").run().status()).as("it is locked").isEqualTo(423);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"COPY", "MOVE"})
  void collectionThatIsReplacedIsThereAllTheTime(String method) throws Exception {
    String target = folder + "target/";
    curl("MKCOL", target).run();
    put(target + "member", "0").run();
    AtomicBoolean done = new AtomicBoolean();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor();
        RawConnection reader = RawConnection.to(storage)) {
      Future<Integer> reads =
          threads.submit(
              () -> {
                int n = 0;
                for (; !done.get() || n == 0; n++) {
                  RawConnection.Answer answer =
                      reader
                          .send("GET " + target + "member HTTP/1.1\r\nHost: localhost\r\n\r\n")
                          .answer();
                  assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
                }
                return n;
              });
      for (int i = 1; i <= 10; i++) {
        String source = folder + "source" + i + "/";
        curl("MKCOL", source).run();
        put(source + "member", Integer.toString(i)).run();
        assertThat(curl(method, source).header("Destination", destination(target)).run().status())
            .isEqualTo(204);
        assertThat(text(target + "member")).isEqualTo(Integer.toString(i));
        assertThat(status(source)).isEqualTo(method.equals("MOVE") ? 404 : 200);
      }
      done.set(true);
      assertThat(reads.get()).isPositive();
      Trials.held(reads.get());
    }
  }
}
