package dev.staithe.storage.dav;

import static dev.staithe.storage.dav.Requests.curl;
import static dev.staithe.storage.dav.Requests.freshCollection;
import static dev.staithe.storage.dav.Requests.get;
import static dev.staithe.storage.dav.Requests.put;
import static dev.staithe.storage.dav.Requests.status;
import static dev.staithe.storage.dav.Requests.storage;
import static dev.staithe.storage.dav.Requests.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.RawConnection;
import dev.staithe.storage.RunningStorage;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.clients.Curl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PutTests {
  private final String folder = freshCollection();
  private final String file = folder + "file";

  private static Path onDisk(String path) {
    return storage.open().resolve(path.substring("/open/".length()));
  }

  @Test
  void newFileIsCreatedAndAnotherOneReplacesIt() {
    Curl.Response first = put(file, "one").run();
    assertThat(first.status()).isEqualTo(201);
    Curl.Response second = put(file, "another").run();
    assertThat(second.status()).isEqualTo(204);
    assertThat(second.header("ETag")).isPresent().isNotEqualTo(first.header("ETag"));
    assertThat(get(file).run().header("ETag")).isEqualTo(second.header("ETag"));
    assertThat(text(file)).isEqualTo("another");
  }

  @Test
  void emptyFileReplacesOneWithContent() {
    put(file, "content").run();
    assertThat(put(file, "").run().status()).isEqualTo(204);
    assertThat(get(file).head().run().header("Content-Length")).contains("0");
    assertThat(text(file)).isEmpty();
  }

  @Test
  void chunkedUploadMakesAndReplacesFiles() {
    assertThat(put(file, "first").header("Transfer-Encoding", "chunked").run().status())
        .isEqualTo(201);
    assertThat(put(file, "and second").header("Transfer-Encoding", "chunked").run().status())
        .isEqualTo(204);
    assertThat(text(file)).isEqualTo("and second");
    assertThat(put(file, "").header("Transfer-Encoding", "chunked").run().status()).isEqualTo(204);
    assertThat(text(file)).isEmpty();
  }

  @Test
  void missingParentIsAConflictWhereTheAreaSaysSo(@TempDir Path other) {
    try (RunningStorage strict =
        RunningStorage.beside(storage, other, Map.of("staithe.areas[1].create-parents", false))) {
      Curl.Response response =
          strict.curl("/open/no/such/file").method("PUT").header("Expect", "").body("x").run();
      assertThat(response.status()).isEqualTo(409);
      assertThat(response.text()).isEqualTo("the enclosing collection does not exist\n");
      assertThat(strict.curl("/open/no/").run().status()).isEqualTo(404);
    }
  }

  @Test
  void parentThatIsAFileIsAConflict() {
    put(file, "x").run();
    assertThat(put(file + "/below", "x").run().status()).isEqualTo(409);
    assertThat(text(file)).isEqualTo("x");
  }

  @Test
  void missingParentsAreMade() {
    assertThat(put(folder + "a/b/c", "deep").run().status()).isEqualTo(201);
    assertThat(text(folder + "a/b/c")).isEqualTo("deep");
    Curl.Response broken = put(folder + "x/y/z", "deep").header("Digest", "adler32=00000001").run();
    assertThat(broken.status()).isEqualTo(412);
    assertThat(status(folder + "x/")).isEqualTo(404);
  }

  @Test
  void readerOfTheOldFileGetsItWholeWhileItIsReplaced() throws IOException {
    byte[] old = new byte[8 << 20];
    Files.write(onDisk(file), old);
    try (RawConnection reader = RawConnection.to(storage)) {
      reader.send("GET " + file + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
      RawConnection.Answer head = reader.head();
      assertThat(put(file, "new").run().status()).isEqualTo(204);
      assertThat(reader.content(head)).hasSize(old.length);
    }
    assertThat(text(file)).isEqualTo("new");
  }

  @Test
  void replacingLeavesNoMomentWithoutAFile() throws Exception {
    put(file, "0".repeat(1000)).run();
    CountDownLatch done = new CountDownLatch(1);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Integer> wrong =
          threads.submit(
              () -> {
                int bad = 0;
                while (done.getCount() > 0) {
                  byte[] seen = Files.readAllBytes(onDisk(file));
                  bad += seen.length == 1000 ? 0 : 1;
                }
                return bad;
              });
      for (int i = 1; i < 10; i++) {
        assertThat(put(file, Integer.toString(i).repeat(1000)).run().status()).isEqualTo(204);
      }
      done.countDown();
      assertThat(wrong.get()).isZero();
    }
  }

  @Test
  void clientThatBreaksOffLeavesNothing() throws IOException {
    put(folder + "kept", "as it was").run();
    for (String name : List.of("fresh", "kept")) {
      try (RawConnection client = RawConnection.to(storage)) {
        client
            .send(
                "PUT "
                    + folder
                    + name
                    + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n")
            .send(new byte[300_000]);
        Eventually.holds("the upload has begun", () -> staged() > 0);
        client.breakOff();
      }
      Eventually.holds("what was staged is removed", () -> staged() == 0);
    }
    assertThat(status(folder + "fresh")).isEqualTo(404);
    assertThat(text(folder + "kept")).isEqualTo("as it was");
  }

  /** Bytes in the files that are being uploaded now. */
  private static long staged() {
    try (Stream<Path> files = Files.walk(storage.open().resolve(".staithe/stage"))) {
      return files
          .filter(f -> !f.endsWith("lock") && Files.isRegularFile(f))
          .mapToLong(f -> f.toFile().length())
          .sum();
    } catch (IOException | java.io.UncheckedIOException changedMeanwhile) {
      return -1;
    }
  }

  @Test
  void chunkedClientThatEndsWithoutTheLastChunkLeavesNothing() throws IOException {
    try (RawConnection client = RawConnection.to(storage)) {
      client.send(
          "PUT "
              + file
              + " HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
    }
    Eventually.holds("what was staged is removed", () -> staged() == 0);
    assertThat(status(file)).isEqualTo(404);
  }

  @Test
  void contentEncodingIsRefused() {
    Curl.Response response = put(file, "x").header("Content-Encoding", "gzip").run();
    assertThat(response.status()).isEqualTo(415);
    assertThat(status(file)).isEqualTo(404);
    assertThat(put(file, "x").header("Content-Encoding", "identity").run().status()).isEqualTo(201);
  }

  @Test
  void collectionIsNotReplacedByAFile() {
    assertThat(put(folder.substring(0, folder.length() - 1), "x").run().status()).isEqualTo(405);
    assertThat(put(folder, "x").run().status()).isEqualTo(409);
    assertThat(status(folder)).isEqualTo(200);
    assertThat(put("/open/", "x").run().status()).isEqualTo(409);
    assertThat(put("/open", "x").run().status()).isEqualTo(409);
  }

  @Test
  void trailingSlashAndEncodedSlashMakeNoFile() throws IOException {
    assertThat(put(file + "/", "x").run().status()).isEqualTo(409);
    assertThat(put(folder + "a%2Fb", "x").run().status()).isEqualTo(400);
    try (Stream<Path> members = Files.list(onDisk(folder))) {
      assertThat(members).isEmpty();
    }
  }

  @Test
  void modificationTimeOfTheClientIsKept() {
    Curl.Response response = put(file, "x").header("X-OC-Mtime", "1000000000").run();
    assertThat(response.header("X-OC-Mtime")).contains("accepted");
    assertThat(get(file).head().run().header("Last-Modified"))
        .contains("Sun, 09 Sep 2001 01:46:40 GMT");
    assertThat(put(file, "y").header("X-OC-Mtime", "yesterday").run().header("X-OC-Mtime"))
        .isEmpty();
  }

  @Test
  void contentsWithTheSameTimeOfTheClientHaveDifferentTags() {
    List<String> tags =
        IntStream.range(0, 6)
            .mapToObj(
                i ->
                    put(file, Integer.toString(i))
                        .header("X-OC-Mtime", "1000000000")
                        .run()
                        .header("ETag")
                        .orElseThrow())
            .toList();
    assertThat(tags).doesNotHaveDuplicates();
  }

  @Test
  void conditionsDecideWhetherTheFileIsReplaced() {
    assertThat(put(file, "x").header("If-Match", "*").run().status()).isEqualTo(412);
    assertThat(status(file)).isEqualTo(404);
    assertThat(put(file, "one").header("If-None-Match", "*").run().status()).isEqualTo(201);
    assertThat(put(file, "two").header("If-None-Match", "*").run().status()).isEqualTo(412);
    String etag = get(file).head().run().header("ETag").orElseThrow();
    assertThat(put(file, "two").header("If-Match", "\"other\"").run().status()).isEqualTo(412);
    assertThat(put(file, "two").header("If-Match", "W/" + etag).run().status()).isEqualTo(412);
    assertThat(put(file, "two").header("If-None-Match", etag).run().status()).isEqualTo(412);
    assertThat(text(file)).isEqualTo("one");
    assertThat(put(file, "two").header("If-Match", "\"other\", " + etag).run().status())
        .isEqualTo(204);
    assertThat(
            put(file, "three")
                .header("If-Unmodified-Since", "Sat, 01 Jan 2000 00:00:00 GMT")
                .run()
                .status())
        .isEqualTo(412);
    assertThat(text(file)).isEqualTo("two");
  }

  @Test
  void refusedRetrySeesByTheDigestThatTheFileIsTheOneItBrings() {
    String path = "/data/" + UUID.randomUUID();
    String all = storage.token();
    Curl.Response first = put(path, "grain").token(all).header("Want-Digest", "md5").run();
    assertThat(first.status()).isEqualTo(201);

    Curl.Response retry = put(path, "grain").token(all).header("If-None-Match", "*").run();

    assertThat(retry.status()).isEqualTo(412);
    assertThat(retry.header("Repr-Digest").orElseThrow())
        .isEqualTo("adler=:BjMCEg==:, md5=:x3MGMlcgHGZEjI/1C9Truw==:");
  }

  @Test
  void createOnlyTokenNeverReplacesEvenInARace() throws Exception {
    String path = "/data/" + UUID.randomUUID();
    String token = storage.token("storage.create:/");
    List<Curl.Response> answers;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Curl.Response>> writers =
          IntStream.range(0, 8)
              .mapToObj(
                  i -> (Callable<Curl.Response>) () -> put(path, "writer " + i).token(token).run())
              .toList();
      answers = threads.invokeAll(writers).stream().map(Future::resultNow).toList();
    }
    assertThat(answers)
        .extracting(Curl.Response::status)
        .isSubsetOf(201, 403, 412)
        .containsOnlyOnce(201);
    int winner = answers.stream().map(Curl.Response::status).toList().indexOf(201);
    assertThat(get(path).token(storage.token()).run().text()).isEqualTo("writer " + winner);
    assertThat(put(path, "again").token(token).run().status()).isEqualTo(403);
    assertThat(curl("DELETE", path).token(token).run().status()).isEqualTo(403);
    Trials.held(answers.size());
  }

  @Test
  void onlyOneOfManyWhoDemandAbsenceMakesTheFile() throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Integer>> writers =
          IntStream.range(0, 8)
              .mapToObj(
                  i ->
                      (Callable<Integer>)
                          () -> put(file, "writer").header("If-None-Match", "*").run().status())
              .toList();
      assertThat(threads.invokeAll(writers).stream().map(Future::resultNow))
          .isSubsetOf(201, 412)
          .containsOnlyOnce(201);
    }
  }
}
