package dev.staithe.storage.dav;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.RunningStorage;
import dev.staithe.testkit.clients.Curl;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The resumable upload draft over the wire. */
class ResumableUploadTests {
  private static final RunningStorage storage = RunningStorage.shared();

  private static Curl.Response begin(String name, String content) {
    return storage
        .curl("/open/" + name)
        .method("PUT")
        .header("Upload-Complete", "?0")
        .header("Content-Type", "application/octet-stream")
        .body(content)
        .run();
  }

  private static Curl patch(String location, long offset, boolean last, String content) {
    return storage
        .curl(location)
        .method("PATCH")
        .header("Content-Type", "application/partial-upload")
        .header("Upload-Offset", Long.toString(offset))
        .header("Upload-Complete", last ? "?1" : "?0")
        .body(content);
  }

  @Test
  void uploadInPartsAppearsWholeAndOnlyAtTheEnd() throws IOException {
    Curl.Response begun = begin("parts", "one ");
    assertThat(begun.status()).isEqualTo(201);
    assertThat(begun.header("Upload-Complete")).contains("?0");
    String location = begun.header("Location").orElseThrow();
    assertThat(Files.exists(storage.open().resolve("parts"))).isFalse();

    Curl.Response second = patch(location, 4, false, "two ").run();
    assertThat(second.status()).isEqualTo(204);
    assertThat(second.header("Upload-Offset")).contains("8");

    Curl.Response state = storage.curl(location).head().run();
    assertThat(state.status()).isEqualTo(204);
    assertThat(state.header("Upload-Offset")).contains("8");
    assertThat(state.header("Upload-Complete")).contains("?0");
    assertThat(state.header("Cache-Control")).contains("no-store");

    Curl.Response last = patch(location, 8, true, "three").run();
    assertThat(last.status()).isEqualTo(201);
    assertThat(last.header("Upload-Complete")).contains("?1");
    assertThat(storage.open().resolve("parts")).hasContent("one two three");
    assertThat(storage.curl(location).head().run().header("Upload-Complete")).contains("?1");
    assertThat(storage.curl("/open/parts").run().header("Digest")).isEqualTo(last.header("Digest"));
  }

  @Test
  void interimResponseNamesTheUploadBeforeTheContent() throws IOException {
    String reply =
        raw(
            "PUT /open/interim HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                + "Upload-Complete: ?1\r\nContent-Length: 4\r\n\r\nwhole");
    assertThat(reply).startsWith("HTTP/1.1 104 ").contains("Location: /.staithe/uploads/open/");
    assertThat(reply).contains("HTTP/1.1 201 ").contains("Upload-Complete: ?1");
  }

  @Test
  void connectionThatBreaksOffLeavesWhatCameToBeGoneOnWith() throws IOException {
    String head =
        raw(
            "PUT /open/broken HTTP/1.1\r\nHost: x\r\nUpload-Complete: ?1\r\n"
                + "Content-Length: 10\r\n\r\n01234");
    String location = location(head);
    assertThat(Files.exists(storage.open().resolve("broken"))).isFalse();
    Curl.Response state = storage.curl(location).head().run();
    assertThat(state.header("Upload-Offset")).contains("5");
    assertThat(state.header("Upload-Length")).contains("10");
    assertThat(patch(location, 5, true, "56789").run().status()).isEqualTo(201);
    assertThat(storage.open().resolve("broken")).hasContent("0123456789");
  }

  @Test
  void wrongOffsetIsAConflictThatTellsTheRightOne() {
    String location = begin("offset", "12345").header("Location").orElseThrow();
    Curl.Response response = patch(location, 3, true, "x").run();
    assertThat(response.status()).isEqualTo(409);
    assertThat(response.header("Upload-Offset")).contains("5");
    assertThat(response.text()).contains("mismatching-upload-offset");
  }

  @Test
  void lengthsThatDoNotAgreeAreRefused() {
    Curl.Response begun =
        storage
            .curl("/open/length")
            .method("PUT")
            .header("Upload-Complete", "?0")
            .header("Upload-Length", "6")
            .body("12345")
            .run();
    String location = begun.header("Location").orElseThrow();
    assertThat(patch(location, 5, true, "678").run().status()).isEqualTo(400);
    assertThat(patch(location, 5, false, "678").run().status()).isEqualTo(400);
  }

  @Test
  void uploadThatEndsBeforeItsLengthIsNoFileAndGoesOn() throws IOException {
    String reply =
        raw(
            "PUT /open/early HTTP/1.1\r\nHost: x\r\nConnection: close\r\nUpload-Complete: ?1\r\n"
                + "Upload-Length: 10\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n0\r\n\r\n");
    assertThat(reply).contains("HTTP/1.1 400 ", "inconsistent-upload-length");
    assertThat(Files.exists(storage.open().resolve("early"))).isFalse();
    assertThat(patch(location(reply), 5, true, "56789").run().status()).isEqualTo(201);
    assertThat(storage.open().resolve("early")).hasContent("0123456789");
  }

  private static String location(String head) {
    return head.lines()
        .filter(l -> l.startsWith("Location: "))
        .findFirst()
        .orElseThrow()
        .substring(10);
  }

  @Test
  void digestOfTheWholeIsVerifiedAtTheEnd() {
    Curl.Response begun =
        storage
            .curl("/open/digest")
            .method("PUT")
            .header("Upload-Complete", "?0")
            .header("Digest", "adler32=00000001")
            .body("12345")
            .run();
    String location = begun.header("Location").orElseThrow();
    Curl.Response last = patch(location, 5, true, "6").run();
    assertThat(last.status()).isEqualTo(412);
    assertThat(last.text()).contains("checksum mismatch adler32");
    assertThat(Files.exists(storage.open().resolve("digest"))).isFalse();
  }

  /** RFC 1864: it is of the content of its message. */
  @Test
  void contentMd5OfAPartIsNotTakenForThatOfTheWhole() {
    Curl.Response begun =
        storage
            .curl("/open/content-md5")
            .method("PUT")
            .header("Upload-Complete", "?0")
            .header("Content-MD5", "gnzLDuqKcGxMNKFokfhOew==")
            .body("12345")
            .run();
    String location = begun.header("Location").orElseThrow();

    Curl last = patch(location, 5, true, "6").header("Content-MD5", "FnkJHFqID69vteYIfrGy3A==");

    assertThat(last.run().status()).isEqualTo(201);
    assertThat(storage.open().resolve("content-md5")).hasContent("123456");
  }

  @Test
  void brokenDigestOfALaterPartIsRefusedAndNotPassedOver() {
    String location = begin("broken-digest", "12345").header("Location").orElseThrow();
    assertThat(patch(location, 5, true, "6").header("Digest", "md5=00").run().status())
        .isEqualTo(400);
    assertThat(storage.curl(location).head().run().header("Upload-Offset")).contains("5");
    assertThat(patch(location, 5, true, "6").run().status()).isEqualTo(201);
  }

  @Test
  void cancelledUploadIsGone() {
    String location = begin("cancelled", "x").header("Location").orElseThrow();
    assertThat(storage.curl(location).method("DELETE").run().status()).isEqualTo(204);
    assertThat(storage.curl(location).head().run().status()).isEqualTo(404);
  }

  @Test
  void uploadWhoseNameIsTakenMeanwhileIsCancelledByWhoMayOnlyCreate() {
    String path = "/data/" + UUID.randomUUID();
    String creator = storage.token("storage.create:/");
    Curl begin = storage.curl(path).token(creator).method("PUT").header("Upload-Complete", "?0");
    String location = begin.body("mine").run().header("Location").orElseThrow();
    storage.curl(path).token(storage.token()).method("PUT").body("other").run();
    assertThat(patch(location, 4, true, "more").token(creator).run().status()).isEqualTo(403);
    assertThat(storage.curl(location).method("DELETE").run().status()).isEqualTo(404);
    assertThat(storage.curl(location).token(creator).method("DELETE").run().status())
        .isEqualTo(204);
    assertThat(storage.curl(location).token(creator).head().run().status()).isEqualTo(404);
    assertThat(storage.curl(path).token(storage.token()).run().text()).isEqualTo("other");
  }

  @Test
  void uploadOfAnotherCallerIsAsUnknownAsNone() {
    Curl.Response begun =
        storage
            .curl("/data/mine")
            .token(storage.token())
            .method("PUT")
            .header("Upload-Complete", "?0")
            .body("secret")
            .run();
    String location = begun.header("Location").orElseThrow();
    String other =
        storage
            .issuer()
            .token()
            .subject("another")
            .scope("storage.modify:/")
            .audience(RunningStorage.AUDIENCE)
            .sign();
    assertThat(storage.curl(location).token(other).head().run().status()).isEqualTo(404);
    assertThat(storage.curl(location).token(storage.token()).head().run().status()).isEqualTo(204);
    assertThat(storage.curl("/.staithe/uploads/data/../../x").token(other).head().run().status())
        .isIn(400, 404);
  }

  @Test
  void newerRequestEndsAnOlderOneThatHangs() throws IOException {
    String location = begin("hang", "ab").header("Location").orElseThrow();
    try (Socket hanging = socket()) {
      hanging
          .getOutputStream()
          .write(
              ("PATCH "
                      + location
                      + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/partial-upload\r\n"
                      + "Upload-Offset: 2\r\nUpload-Complete: ?1\r\nContent-Length: 100\r\n\r\ncd")
                  .getBytes(StandardCharsets.US_ASCII));
      hanging.getOutputStream().flush();
      long offset = 2;
      for (int i = 0; i < 100 && offset < 4; i++) {
        offset =
            Long.parseLong(
                storage.curl(location).head().run().header("Upload-Offset").orElseThrow());
      }
      assertThat(offset).isIn(2L, 4L);
      assertThat(hanging.getInputStream().read()).isEqualTo(-1);
    }
    assertThat(storage.curl(location).method("DELETE").run().status()).isEqualTo(204);
  }

  private static Socket socket() throws IOException {
    Socket socket =
        storage
            .authority()
            .clientContext()
            .getSocketFactory()
            .createSocket("localhost", storage.port());
    socket.setSoTimeout(180_000);
    return socket;
  }

  /** Sends the text, reads until nothing comes, and closes. */
  private static String raw(String request) throws IOException {
    try (Socket socket = socket()) {
      OutputStream out = socket.getOutputStream();
      out.write(request.getBytes(StandardCharsets.US_ASCII));
      out.flush();
      StringBuilder reply = new StringBuilder();
      InputStream in = socket.getInputStream();
      int b;
      boolean whole = request.contains("Connection: close");
      while ((b = in.read()) >= 0) {
        reply.append((char) b);
        if (!whole && reply.toString().endsWith("\r\n\r\n")) {
          break;
        }
      }
      return reply.toString();
    }
  }
}
