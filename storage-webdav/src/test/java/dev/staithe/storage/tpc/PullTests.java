package dev.staithe.storage.tpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class PullTests extends ElementFixture {
  private static Checksum sum(ChecksumAlgorithm algorithm, String text) {
    return sum(algorithm, text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static String adler(String text) {
    return sum(ChecksumAlgorithm.ADLER32, text).rfc3230();
  }

  @Test
  void pullGivesTheFileAndSaysSo() throws Exception {
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) -> wire.respond("200 OK", "Digest: " + adler(TEXT) + "\r\n", TEXT))) {
      Element.Answer answer = pull(source, "RequireChecksumVerification: true");
      assertThat(answer.status()).isEqualTo(202);
      assertThat(answer.headers().get("Content-Type")).startsWith("text/perf-marker-stream");
      assertThat(answer.headers()).containsEntry("Connection", "close");
      assertThat(answer.body()).endsWith("\nsuccess: Created\n");
      assertThat(answer.body())
          .startsWith("Perf Marker\nTimestamp: ")
          .contains("Stripe Bytes Transferred: " + TEXT.length() + "\n")
          .contains("RemoteConnections: tcp:127.0.0.1:" + source.port() + "\n");
      assertThat(element.file("file")).hasContent(TEXT);
      ScriptedServer.Request request = source.requests().getFirst();
      assertThat(request.target()).isEqualTo("/file?opaque=1");
      assertThat(request.header("accept-encoding")).isEqualTo("identity");
      assertThat(request.header("want-digest")).startsWith("adler32");
      assertThat(request.header("want-repr-digest")).contains("adler=");
      assertThat(source.methods()).containsExactly("GET");
    }
    assertThat(element.finished)
        .singleElement()
        .satisfies(
            copy -> {
              assertThat(copy.outcome()).isEqualTo("success");
              assertThat(copy.direction()).isEqualTo("pull");
              assertThat(copy.area()).isEqualTo("data");
              assertThat(copy.bytes()).isEqualTo(TEXT.length());
            });
  }

  @Test
  void pullWhenSourceSendsWrongDigestThenNothingIsKept() throws Exception {
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) -> wire.respond("200 OK", "Digest: adler32=deadbeef\r\n", TEXT))) {
      Element.Answer answer = pull(source, "RequireChecksumVerification: false");
      assertThat(answer.last())
          .startsWith("failure: checksum mismatch adler32 local=")
          .contains("remote=deadbeef");
      assertNothingWasKept();
    }
  }

  @Test
  void pullWhenDigestComesInTrailerThenItIsCompared() throws Exception {
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) ->
                wire.send(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: Digest\r\n\r\n"
                        + "4\r\nThou\r\n0\r\nDigest: md5=AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"))) {
      assertThat(pull(source).last()).startsWith("failure: checksum mismatch md5 ");
      assertNothingWasKept();
    }
  }

  @Test
  void pullWhenChecksumIsRequiredAndGetLacksItThenHeadIsAsked() throws Exception {
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) -> {
              if (request.method().equals("GET")) {
                wire.respond("200 OK", "", TEXT);
              } else {
                wire.send(
                    "HTTP/1.1 200 OK\r\nContent-Length: 28\r\nDigest: "
                        + sum(ChecksumAlgorithm.MD5, TEXT).rfc3230()
                        + "\r\n\r\n");
              }
            })) {
      assertThat(pull(source, "RequireChecksumVerification: true").last())
          .isEqualTo("success: Created");
      assertThat(source.methods()).containsExactly("GET", "HEAD");
      assertThat(element.file("file")).hasContent(TEXT);
    }
  }

  @Test
  void pullWhenChecksumIsRequiredAndNoneIsOfferedThenItFails() throws Exception {
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) ->
                wire.respond("200 OK", "", request.method().equals("GET") ? TEXT : ""))) {
      assertThat(pull(source, "RequireChecksumVerification: true").last())
          .startsWith("failure: the source offers no checksum");
      assertNothingWasKept();
    }
  }

  /** Many bytes are not fetched to be thrown away: the user reads at once why there is no copy. */
  @Test
  void pullOfALargeFileWhoseSourceOffersNoChecksumFailsBeforeItsBytesAreMoved() throws Exception {
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) -> {
              wire.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n");
              if (request.method().equals("GET")) {
                wire.awaitClose();
              }
            })) {
      Element.Answer answer = pull(source, "RequireChecksumVerification: true");

      assertThat(answer.last())
          .isEqualTo(
              "failure: the source offers no checksum and RequireChecksumVerification is set");
      assertThat(answer.body()).doesNotContainPattern("Bytes Transferred: [1-9]");
      assertThat(source.methods()).containsExactly("GET", "HEAD");
      assertNothingWasKept();
    }
  }

  /** As presigned addresses of object stores are: good for one method. */
  @Test
  void pullWhoseSourceTellsNoChecksumWithGetAndRefusesHeadSaysThatThereIsNone() throws Exception {
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) ->
                wire.respond(
                    request.method().equals("GET") ? "200 OK" : "403 Forbidden",
                    "",
                    request.method().equals("GET") ? "x".repeat((1 << 20) + 1) : ""))) {
      assertThat(pull(source, "RequireChecksumVerification: true").last())
          .isEqualTo(
              "failure: the source offers no checksum and RequireChecksumVerification is set");
      assertThat(source.methods()).containsExactly("GET", "HEAD", "GET");
      assertNothingWasKept();
    }
  }

  /** {@code Content-MD5} there is of the one byte. */
  @Test
  void pullWhoseSourceRefusesHeadAndTellsItsChecksumWithARangeSucceeds() throws Exception {
    String large = "x".repeat((1 << 20) + 1);
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) -> {
              if (request.method().equals("HEAD")) {
                wire.respond("403 Forbidden", "", "");
              } else if (request.headers().containsKey("range")) {
                wire.respond(
                    "206 Partial Content",
                    "Content-Range: bytes 0-0/"
                        + large.length()
                        + "\r\nRepr-Digest: "
                        + sum(ChecksumAlgorithm.SHA_256, large).rfc9530()
                        + "\r\nContent-MD5: ndTkYSaMgDT1yFZOFVxnpg==\r\n",
                    "x");
              } else {
                wire.respond("200 OK", "", large);
              }
            })) {
      assertThat(pull(source, "RequireChecksumVerification: true").last())
          .isEqualTo("success: Created");
      assertThat(source.methods()).containsExactly("GET", "HEAD", "GET", "GET");
      assertThat(element.file("file")).hasContent(large);
    }
  }

  @Test
  void pullOfALargeFileWhoseSourceTellsItsChecksumByHeadOnlySucceeds() throws Exception {
    String large = "x".repeat((1 << 20) + 1);
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) -> {
              if (request.method().equals("HEAD")) {
                wire.send(
                    "HTTP/1.1 200 OK\r\nContent-Length: "
                        + large.length()
                        + "\r\nDigest: "
                        + sum(ChecksumAlgorithm.MD5, large).rfc3230()
                        + "\r\n\r\n");
              } else {
                wire.respond("200 OK", "", large);
              }
            })) {
      assertThat(pull(source, "RequireChecksumVerification: true").last())
          .isEqualTo("success: Created");
      assertThat(source.methods()).containsExactly("GET", "HEAD", "GET");
      assertThat(element.file("file")).hasContent(large);
    }
  }

  @Test
  void pullWhenChecksumIsNotRequiredAndNoneIsOfferedThenItSucceeds() throws Exception {
    try (ScriptedServer source =
        ScriptedServer.plain((request, wire) -> wire.respond("200 OK", "", TEXT))) {
      assertThat(pull(source).last()).isEqualTo("success: Created");
      assertThat(source.methods()).containsExactly("GET");
    }
  }

  @Test
  void pullWhenClientsReprDigestDiffersFromReceivedBytesThenNothingIsKept() throws Exception {
    try (ScriptedServer source =
        ScriptedServer.plain((request, wire) -> wire.respond("200 OK", "", TEXT))) {
      Element.Answer answer =
          pull(source, "Repr-Digest: " + sum(ChecksumAlgorithm.SHA_256, "other").rfc9530());
      assertThat(answer.last()).startsWith("failure: checksum mismatch sha-256");
      assertNothingWasKept();
    }
  }

  @Test
  void pullWhenClientsReprDigestDiffersFromSourcesThenItIs412BeforeTheBody() throws Exception {
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) -> wire.respond("200 OK", "Digest: " + adler(TEXT) + "\r\n", TEXT))) {
      Element.Answer answer =
          pull(source, "Repr-Digest: " + sum(ChecksumAlgorithm.ADLER32, "other").rfc9530());
      assertThat(answer.status()).isEqualTo(412);
      assertThat(answer.body()).contains("checksum mismatch");
      assertNothingWasKept();
    }
  }

  @Test
  void pullPassesInterimResponsesBy() throws Exception {
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) -> {
              wire.send("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 104 x\r\n\r\n");
              wire.respond("200 OK", "", TEXT);
            })) {
      assertThat(pull(source).last()).isEqualTo("success: Created");
    }
  }

  @Test
  void pullWhenSourceIsNotReadyThenItIsAskedAgain() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) ->
                wire.respond(asked.incrementAndGet() < 3 ? "202 Accepted" : "200 OK", "", TEXT))) {
      assertThat(pull(source).last()).isEqualTo("success: Created");
      assertThat(asked).hasValue(3);
    }
  }

  @Test
  void pullWhenSourceIsMissingThenItIs404WithTheReason() throws Exception {
    try (ScriptedServer source =
        ScriptedServer.plain((request, wire) -> wire.respond("404 Not Found", "", "nope"))) {
      Element.Answer answer = pull(source);
      assertThat(answer.status()).isEqualTo(404);
      assertThat(answer.body()).contains("rejected GET: 404 Not Found");
      assertThat(answer.headers().get("Content-Type")).startsWith("text/plain");
    }
  }

  @Test
  void pullWhenSourceFailsOverTheChecksumThenItIsAskedWithout() throws Exception {
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) -> {
              if (request.header("want-digest") != null) {
                wire.respond("500 Internal Server Error", "", "cannot compute");
              } else {
                wire.respond("200 OK", "", request.method().equals("GET") ? TEXT : "");
              }
            })) {
      assertThat(pull(source).last()).isEqualTo("success: Created");
      assertThat(source.methods()).containsExactly("GET", "HEAD", "GET");
    }
  }

  @Test
  void pullWhenSourceHides404Behind500ThenItIsFound() throws Exception {
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) -> {
              if (request.method().equals("GET")) {
                wire.respond("500 Internal Server Error", "", "cannot compute");
              } else {
                wire.send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
              }
            })) {
      assertThat(pull(source).status()).isEqualTo(404);
    }
  }

  @Test
  void pullWhenSourceRefusesTheTokenThenItIs403() throws Exception {
    try (ScriptedServer source =
        ScriptedServer.plain((request, wire) -> wire.respond("401 Unauthorized", "", ""))) {
      assertThat(pull(source).status()).isEqualTo(403);
    }
  }

  @Test
  void pullWhenSourceIsOverloadedThenTheStreamTellsIt() throws Exception {
    try (ScriptedServer source =
        ScriptedServer.plain((request, wire) -> wire.respond("503 Busy", "", ""))) {
      Element.Answer answer = pull(source);
      assertThat(answer.status()).isEqualTo(202);
      assertThat(answer.last()).isEqualTo("failure: rejected GET: 503 Busy");
    }
  }

  @Test
  void pullOfEmptyFileMakesAnEmptyFile() throws Exception {
    try (ScriptedServer source =
        ScriptedServer.plain((request, wire) -> wire.respond("200 OK", "", ""))) {
      assertThat(pull(source).last()).isEqualTo("success: Created");
      assertThat(element.file("file")).exists().isEmptyFile();
    }
  }

  @Test
  void pullUntilTheConnectionEndsTakesAll() throws Exception {
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) -> {
              wire.send("HTTP/1.0 200 OK\r\n\r\n" + TEXT);
              wire.close();
            })) {
      assertThat(pull(source).last()).isEqualTo("success: Created");
      assertThat(element.file("file")).hasContent(TEXT);
    }
  }

  @Test
  void pullOntoExistingFileWithOverwriteFIs412AndAsksNobody() throws Exception {
    element.put("file", "old".getBytes(StandardCharsets.UTF_8));
    try (ScriptedServer source =
        ScriptedServer.plain((request, wire) -> wire.respond("200 OK", "", TEXT))) {
      assertThat(pull(source, "Overwrite: F").status()).isEqualTo(412);
      assertThat(source.requests()).isEmpty();
      assertThat(element.file("file")).hasContent("old");
    }
  }

  @Test
  void pullWhenFileComesMeanwhileAndOverwriteIsFThenTheOtherFileStays() throws Exception {
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) -> {
              element.put("file", "other".getBytes(StandardCharsets.UTF_8));
              wire.respond("200 OK", "", TEXT);
            })) {
      assertThat(pull(source, "Overwrite: F").body()).contains("File exists");
      assertThat(element.file("file")).hasContent("other");
      assertThat(element.staged()).isEmpty();
    }
  }

  @Test
  void pullOverExistingFileReplacesItOnlyWhenTheNewOneIsWhole() throws Exception {
    element.put("file", "old".getBytes(StandardCharsets.UTF_8));
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) -> wire.respond("200 OK", "Digest: adler32=1\r\n", TEXT))) {
      assertThat(pull(source).last()).startsWith("failure: ");
      assertThat(element.file("file")).hasContent("old");
    }
    try (ScriptedServer source =
        ScriptedServer.plain((request, wire) -> wire.respond("200 OK", "", TEXT))) {
      assertThat(pull(source).last()).isEqualTo("success: Created");
      assertThat(Files.readString(element.file("file"))).isEqualTo(TEXT);
    }
  }

  @Test
  void anonymousCopyIsAskedForACredential() throws Exception {
    Element.Answer answer = element.send("/data/file", "Source: https://se.example/x");
    assertThat(answer.status()).isEqualTo(401);
    assertThat(answer.headers()).containsKey("WWW-Authenticate");
  }

  @Test
  void copyWithBodyIs415() throws Exception {
    assertThat(
            element
                .copy("/data/file", "Source: https://se.example/x", "Content-Length: 5")
                .status())
        .isEqualTo(415);
  }

  @Test
  void copyWithinThisServerIsLeftToTheOtherMethod() throws Exception {
    assertThat(element.copy("/data/file", "Destination: " + element.url("/data/b")).status())
        .isEqualTo(418);
  }

  @Test
  void pullOntoCollectionIs409() throws Exception {
    Files.createDirectory(element.file("file"));
    assertThat(element.copy("/data/file", "Source: http://127.0.0.1:1/x").status()).isEqualTo(409);
  }
}
