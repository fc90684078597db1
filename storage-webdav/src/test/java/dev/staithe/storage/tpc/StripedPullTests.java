package dev.staithe.storage.tpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pulls by several ranged requests at once. */
final class StripedPullTests {
  private final byte[] content = new byte[200_000];

  @TempDir Path folder;
  private Element element;

  @BeforeEach
  void start() {
    new Random(7).nextBytes(content);
    element = Element.start(folder.resolve("here"));
  }

  @AfterEach
  void stop() {
    element.close();
  }

  private static void send(ScriptedServer.Wire wire, String head, byte[] body) throws IOException {
    wire.out().write(head.getBytes(StandardCharsets.ISO_8859_1));
    wire.out().write(body);
    wire.out().flush();
  }

  private void head(ScriptedServer.Wire wire, String more) throws IOException {
    wire.send("HTTP/1.1 200 OK\r\nContent-Length: " + content.length + "\r\n" + more + "\r\n");
  }

  private void range(ScriptedServer.Request request, ScriptedServer.Wire wire, long total)
      throws IOException {
    String[] ends = request.header("range").substring("bytes=".length()).split("-");
    int from = Integer.parseInt(ends[0]);
    int to = Integer.parseInt(ends[1]) + 1;
    send(
        wire,
        "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes "
            + from
            + "-"
            + (to - 1)
            + "/"
            + total
            + "\r\nContent-Length: "
            + (to - from)
            + "\r\n\r\n",
        Arrays.copyOfRange(content, from, to));
  }

  private Element.Answer pull(ScriptedServer source) throws IOException {
    return element.copy("/data/file", "Source: " + source.url("/file"), "X-Number-Of-Streams: 4");
  }

  private void assertNothingWasKept() throws IOException {
    assertThat(element.file("file")).doesNotExist();
    assertThat(element.staged()).isEmpty();
  }

  @Test
  void partsMakeTheWholeFileAndItsChecksumIsCompared() throws Exception {
    String digest =
        PushTests.sum(dev.staithe.storage.files.ChecksumAlgorithm.ADLER32, content).rfc3230();
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) -> {
              if (request.method().equals("HEAD")) {
                head(wire, "ETag: \"one\"\r\nDigest: " + digest + "\r\n");
              } else {
                range(request, wire, content.length);
              }
            })) {
      assertThat(pull(source).last()).isEqualTo("success: Created");
      assertThat(Files.readAllBytes(element.file("file"))).isEqualTo(content);
      assertThat(source.methods()).containsExactly("HEAD", "GET", "GET", "GET", "GET");
      assertThat(source.requests().getLast().headers())
          .containsEntry("if-range", "\"one\"")
          .containsEntry("if-match", "\"one\"");
    }
  }

  @Test
  void wrongPartIsFoundByTheChecksumOfTheWhole() throws Exception {
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) -> {
              if (request.method().equals("HEAD")) {
                head(wire, "ETag: \"one\"\r\nDigest: adler32=12345678\r\n");
              } else {
                range(request, wire, content.length);
              }
            })) {
      assertThat(pull(source).last()).startsWith("failure: checksum mismatch adler32");
      assertNothingWasKept();
    }
  }

  @Test
  void sourceThatIgnoresRangesIsPulledInOneStream() throws Exception {
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) -> {
              if (request.method().equals("HEAD")) {
                head(wire, "ETag: \"one\"\r\n");
              } else {
                send(
                    wire,
                    "HTTP/1.1 200 OK\r\nContent-Length: " + content.length + "\r\n\r\n",
                    content);
              }
            })) {
      assertThat(pull(source).last()).isEqualTo("success: Created");
      assertThat(Files.readAllBytes(element.file("file"))).isEqualTo(content);
      assertThat(source.methods()).containsExactly("HEAD", "GET");
    }
  }

  @Test
  void sourceThatKnowsNoHeadIsPulledInOneStream() throws Exception {
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) -> {
              if (request.method().equals("HEAD")) {
                wire.send("HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n\r\n");
              } else {
                send(
                    wire,
                    "HTTP/1.1 200 OK\r\nContent-Length: " + content.length + "\r\n\r\n",
                    content);
              }
            })) {
      assertThat(pull(source).last()).isEqualTo("success: Created");
    }
  }

  @Test
  void sourceWithoutValidatorAndChecksumIsPulledInOneStream() throws Exception {
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) -> {
              if (request.method().equals("HEAD")) {
                head(wire, "");
              } else {
                assertThat(request.headers()).doesNotContainKey("range");
                send(
                    wire,
                    "HTTP/1.1 200 OK\r\nContent-Length: " + content.length + "\r\n\r\n",
                    content);
              }
            })) {
      assertThat(pull(source).last()).isEqualTo("success: Created");
    }
  }

  @Test
  void sourceThatChangesDuringTheCopyIsNoticed() throws Exception {
    AtomicInteger gets = new AtomicInteger();
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) -> {
              if (request.method().equals("HEAD")) {
                head(wire, "ETag: \"one\"\r\n");
              } else if (gets.incrementAndGet() < 3) {
                range(request, wire, content.length);
              } else {
                wire.respond("412 Precondition Failed", "", "");
              }
            })) {
      assertThat(pull(source).last()).isEqualTo("failure: the source changed during the copy");
      assertNothingWasKept();
    }
  }

  @Test
  void rangeOfAnotherLengthOfFileIsNoticed() throws Exception {
    AtomicInteger gets = new AtomicInteger();
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) -> {
              if (request.method().equals("HEAD")) {
                head(wire, "Last-Modified: Sat, 21 Nov 2026 00:00:00 GMT\r\n");
              } else {
                range(request, wire, content.length + (gets.incrementAndGet() > 1 ? 1 : 0));
              }
            })) {
      assertThat(pull(source).last()).isEqualTo("failure: the source changed during the copy");
      assertNothingWasKept();
    }
  }

  @Test
  void oneStreamThatStallsEndsAll() throws Exception {
    AtomicInteger gets = new AtomicInteger();
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) -> {
              if (request.method().equals("HEAD")) {
                head(wire, "ETag: \"one\"\r\n");
              } else if (gets.incrementAndGet() == 1) {
                range(request, wire, content.length);
              } else {
                wire.awaitEndOfTest();
              }
            })) {
      Element.Answer answer = pull(source);
      assertThat(answer.last()).startsWith("failure: no response from 127.0.0.1:");
      assertNothingWasKept();
    }
  }
}
