package dev.staithe.storage.tpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.tls.ClientTls;
import dev.staithe.tls.TlsProvider;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Clock;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pulls by several ranged requests at once. */
final class StripedPullTests extends ElementFixture {
  private final byte[] content = new byte[200_000];

  @BeforeEach
  void makeContent() {
    new Random(7).nextBytes(content);
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

  private Element.Answer striped(ScriptedServer source) throws IOException {
    return pull(source, "X-Number-Of-Streams: 4");
  }

  /** HEAD tells the length and {@code more}; GET is answered so. */
  private ScriptedServer source(String more, ScriptedServer.Script get) throws IOException {
    return ScriptedServer.plain(
        (request, wire) -> {
          if (request.method().equals("HEAD")) {
            head(wire, more);
          } else {
            get.answer(request, wire);
          }
        });
  }

  private void whole(ScriptedServer.Wire wire) throws IOException {
    send(wire, "HTTP/1.1 200 OK\r\nContent-Length: " + content.length + "\r\n\r\n", content);
  }

  @Test
  void partsMakeTheWholeFileAndItsChecksumIsCompared() throws Exception {
    String digest = sum(ChecksumAlgorithm.ADLER32, content).rfc3230();
    try (ScriptedServer source =
        source(
            "ETag: \"one\"\r\nDigest: " + digest + "\r\n",
            (request, wire) -> range(request, wire, content.length))) {
      assertThat(striped(source).last()).isEqualTo("success: Created");
      assertThat(Files.readAllBytes(element.file("file"))).isEqualTo(content);
      assertThat(source.methods()).containsExactly("HEAD", "GET", "GET", "GET", "GET");
      assertThat(source.requests().getLast().headers())
          .containsEntry("if-range", "\"one\"")
          .containsEntry("if-match", "\"one\"");
    }
  }

  @Test
  void conditionThatTheClientSendsTooIsThereOnce() throws Exception {
    try (ScriptedServer source =
        source("ETag: \"one\"\r\n", (request, wire) -> range(request, wire, content.length))) {
      assertThat(pull(source, "X-Number-Of-Streams: 4", "TransferHeaderIf-Match: \"one\"").last())
          .isEqualTo("success: Created");
      assertThat(source.requests()).allMatch(each -> each.header("if-match").equals("\"one\""));
    }
  }

  @Test
  void wrongPartIsFoundByTheChecksumOfTheWhole() throws Exception {
    try (ScriptedServer source =
        source(
            "ETag: \"one\"\r\nDigest: adler32=12345678\r\n",
            (request, wire) -> range(request, wire, content.length))) {
      assertThat(striped(source).last()).startsWith("failure: checksum mismatch adler32");
      assertNothingWasKept();
    }
  }

  @Test
  void sourceThatIgnoresRangesIsPulledInOneStream() throws Exception {
    try (ScriptedServer source = source("ETag: \"one\"\r\n", (request, wire) -> whole(wire))) {
      assertThat(striped(source).last()).isEqualTo("success: Created");
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
                whole(wire);
              }
            })) {
      assertThat(striped(source).last()).isEqualTo("success: Created");
    }
  }

  @Test
  void sourceWithoutValidatorAndChecksumIsPulledInOneStream() throws Exception {
    try (ScriptedServer source =
        source(
            "",
            (request, wire) -> {
              assertThat(request.headers()).doesNotContainKey("range");
              whole(wire);
            })) {
      assertThat(striped(source).last()).isEqualTo("success: Created");
    }
  }

  @Test
  void sourceThatTellsItsChecksumWithGetAloneIsPulledInOneStream() throws Exception {
    String digest = "Digest: " + sum(ChecksumAlgorithm.ADLER32, content).rfc3230() + "\r\n";
    try (ScriptedServer source =
        source(
            "ETag: \"one\"\r\n",
            (request, wire) ->
                send(
                    wire,
                    "HTTP/1.1 200 OK\r\nContent-Length: "
                        + content.length
                        + "\r\n"
                        + digest
                        + "\r\n",
                    content))) {
      Element.Answer answer =
          pull(source, "X-Number-Of-Streams: 4", "RequireChecksumVerification: true");

      assertThat(answer.last()).isEqualTo("success: Created");
      assertThat(source.methods()).containsExactly("HEAD", "GET");
    }
  }

  @Test
  void sourceThatChangesDuringTheCopyIsNoticed() throws Exception {
    AtomicInteger gets = new AtomicInteger();
    try (ScriptedServer source =
        source(
            "ETag: \"one\"\r\n",
            (request, wire) -> {
              if (gets.incrementAndGet() < 3) {
                range(request, wire, content.length);
              } else {
                wire.respond("412 Precondition Failed", "", "");
              }
            })) {
      assertThat(striped(source).last()).isEqualTo("failure: the source changed during the copy");
      assertNothingWasKept();
    }
  }

  @Test
  void rangeOfAnotherLengthOfFileIsNoticed() throws Exception {
    AtomicInteger gets = new AtomicInteger();
    try (ScriptedServer source =
        source(
            "Last-Modified: Sat, 21 Nov 2026 00:00:00 GMT\r\n",
            (request, wire) ->
                range(request, wire, content.length + (gets.incrementAndGet() > 1 ? 1 : 0)))) {
      assertThat(striped(source).last()).isEqualTo("failure: the source changed during the copy");
      assertNothingWasKept();
    }
  }

  @Test
  void oneStreamThatStallsEndsAll() throws Exception {
    change(settings -> settings.firstByte(SOON));
    AtomicInteger gets = new AtomicInteger();
    try (ScriptedServer source =
        source(
            "ETag: \"one\"\r\n",
            (request, wire) -> {
              if (gets.incrementAndGet() == 1) {
                range(request, wire, content.length);
              } else {
                wire.awaitEndOfTest();
              }
            })) {
      Element.Answer answer = striped(source);
      assertThat(answer.last()).startsWith("failure: no response from 127.0.0.1:");
      assertNothingWasKept();
    }
  }

  /** The last part is missing, which leaves no gap. */
  @Test
  void streamThatEndsByAnErrorEndsAll() throws Exception {
    ThrowAwayAuthority authority = ThrowAwayAuthority.in(folder.resolve("ca"), Clock.systemUTC());
    AtomicInteger connections = new AtomicInteger();
    CountDownLatch second = new CountDownLatch(1);
    try (ClientTls tls = TlsCopyTests.client(authority, TlsProvider.Choice.JDK);
        ScriptedServer source =
            ScriptedServer.tls(
                authority.serverContext(authority.localhost().credential()),
                (request, wire) -> {
                  if (request.method().equals("HEAD")) {
                    head(wire, "ETag: \"one\"\r\n");
                    return;
                  }
                  wire.send(
                      "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-99999/200000\r\n"
                          + "Content-Length: 100000\r\n\r\n");
                  try {
                    second.await();
                  } catch (InterruptedException e) {
                    throw new IOException(e);
                  }
                  send(wire, "", Arrays.copyOf(content, 100_000));
                });
        Element other =
            Element.start(
                folder.resolve("other"),
                settings -> settings,
                null,
                (host, port) -> {
                  if (connections.incrementAndGet() > 1) {
                    second.countDown();
                    throw new OutOfMemoryError("thrown on purpose");
                  }
                  return tls.engine(host, port);
                })) {
      Element.Answer answer =
          other.copy("/data/file", "Source: " + source.url("/file"), "X-Number-Of-Streams: 2");
      assertThat(answer.body()).contains("internal error");
      assertThat(other.file("file")).doesNotExist();
      assertThat(other.staged()).isEmpty();
    }
  }
}
