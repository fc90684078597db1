package dev.staithe.storage.tpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.remote.CopySettings;
import dev.staithe.testkit.FreePort;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Pulls from servers that break off, lie, stall or speak nonsense. */
final class PullFaultTests extends ElementFixture {
  @Test
  void pullWhenSourceClosesBeforeItsLengthThenNothingIsKept() throws Exception {
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) -> {
              wire.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + TEXT);
              wire.close();
            })) {
      assertThat(pull(source).last())
          .isEqualTo("failure: the connection was closed after 28 of 1000 bytes");
      assertNothingWasKept();
    }
  }

  @Test
  void pullWhenSourceSendsMoreThanItsLengthThenNothingIsKept() throws Exception {
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) -> wire.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n" + TEXT))) {
      assertThat(pull(source).last()).startsWith("failure: the source sent more than the 4 bytes");
      assertNothingWasKept();
    }
  }

  @Test
  void pullWhenSourceResetsTheConnectionAfterItsLastByteThenTheFileIsThere() throws Exception {
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) -> {
              wire.socket().setSoLinger(true, 0);
              wire.respond("200 OK", "", TEXT);
              wire.close();
            })) {
      assertThat(pull(source).last()).isEqualTo("success: Created");
      assertThat(element.file("file")).hasContent(TEXT);
    }
  }

  @Test
  void pullWhenChunkedBodyBreaksOffThenNothingIsKept() throws Exception {
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) -> {
              wire.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nThou\r\n");
              wire.close();
            })) {
      assertThat(pull(source).last())
          .startsWith("failure: the connection was closed in the middle");
      assertNothingWasKept();
    }
  }

  @Test
  void pullWhenSourceStallsThenItFailsWithThatReason() throws Exception {
    change(settings -> settings.stall(SOON));
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) -> {
              wire.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + TEXT);
              wire.awaitClose();
            })) {
      Element.Answer answer = pull(source);
      assertThat(answer.status()).isEqualTo(202);
      assertThat(answer.last()).isEqualTo("failure: no bytes received for 500 ms");
      assertNothingWasKept();
    }
  }

  /** No silence, and no slowness in bytes of the file, of which no more are to come. */
  @Test
  void pullWhenSourceTricklesItsTrailersThenItFails() throws Exception {
    change(settings -> settings.stall(SOON));
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) -> {
              wire.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
              wire.send("4\r\nThou\r\n0\r\nT: ");
              while (true) {
                wire.send("t");
                wire.pause(2);
              }
            })) {
      assertThat(pull(source).last()).isEqualTo("failure: no bytes received for 500 ms");
      assertNothingWasKept();
    }
  }

  @Test
  void pullWhenHeaderNeverEndsThenItFails() throws Exception {
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) -> {
              wire.send("HTTP/1.1 200 OK\r\n");
              while (true) {
                wire.send("X-Filler: " + "x".repeat(1000) + "\r\n");
              }
            })) {
      assertThat(pull(source).last()).contains("header is longer than 65536 bytes");
      assertNothingWasKept();
    }
  }

  /** They would be in the log and in the list of transfers, too. */
  @Test
  void pullWhenSourceRefusesWithEndlessWordsThenTheyAreCut() throws Exception {
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) -> wire.respond("404 " + "x".repeat(60_000), "", ""))) {
      assertThat(pull(source).body()).startsWith("rejected GET: 404 xxx").hasSizeLessThan(250);
    }
  }

  @Test
  void pullWhenServerDoesNotSpeakHttpThenItIs400() throws Exception {
    try (ScriptedServer source =
        ScriptedServer.plain((request, wire) -> wire.send("220 ftp.example ready\r\n"))) {
      Element.Answer answer = pull(source);
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.body()).contains("does not speak HTTP/1");
    }
  }

  @Test
  void pullWhenSourceIsNeverReadyThenItFails() throws Exception {
    change(settings -> settings.notReady(SOON));
    try (ScriptedServer source =
        ScriptedServer.plain((request, wire) -> wire.respond("202 Accepted", "", "wait"))) {
      assertThat(pull(source).last()).contains("is still not ready");
      assertNothingWasKept();
    }
  }

  /** A source gets more time for a large file, and no more than a day for what it says. */
  @Test
  void pullWhenSourceTellsALengthBeyondAllAndIsNotReadyThenItIsAskedAgain() throws Exception {
    AtomicInteger heads = new AtomicInteger();
    String length = "Content-Length: 999999999999999999\r\n";
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) -> {
              if (request.method().equals("GET")) {
                wire.send("HTTP/1.1 200 OK\r\n" + length + "\r\nx");
              } else if (heads.incrementAndGet() == 1) {
                wire.send("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n");
              } else {
                wire.send("HTTP/1.1 200 OK\r\n" + length + "Digest: adler32=1\r\n\r\n");
              }
            })) {
      assertThat(pull(source, "RequireChecksumVerification: true").status()).isEqualTo(507);
      assertThat(source.methods()).containsExactly("GET", "HEAD", "HEAD", "GET");
      assertNothingWasKept();
    }
  }

  @Test
  void pullWhenSourceAnswersPartialContentUnaskedThenItFails() throws Exception {
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) ->
                wire.respond("206 Partial Content", "Content-Range: bytes 0-27/99\r\n", TEXT))) {
      assertThat(pull(source).body()).contains("rejected GET: 206");
      assertNothingWasKept();
    }
  }

  @Test
  void pullWhenSourceEncodesTheBodyThenItFails() throws Exception {
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) -> wire.respond("200 OK", "Content-Encoding: gzip\r\n", TEXT))) {
      assertThat(pull(source).last()).startsWith("failure: the source encodes the file");
      assertNothingWasKept();
    }
  }

  @Test
  void pullWhenNobodyListensThenItIs400WithTheReason() throws Exception {
    Element.Answer answer =
        element.copy("/data/file", "Source: http://127.0.0.1:" + FreePort.next() + "/file");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body()).contains("Connection refused");
  }

  @Test
  void pullOfMoreThanTheAreaCanHoldIs507BeforeTheBody() throws Exception {
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) ->
                wire.send("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999\r\n\r\nx"))) {
      Element.Answer answer = pull(source);
      assertThat(answer.status()).isEqualTo(507);
      assertNothingWasKept();
    }
  }

  @Test
  void pullFromServerThatTricklesIsEndedByTheSlowestRateBorne() throws Exception {
    try (Element strict = Element.start(folder.resolve("strict"), PullFaultTests::notSlow);
        ScriptedServer source =
            ScriptedServer.plain(
                (request, wire) -> {
                  wire.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
                  while (true) {
                    wire.send("x");
                    wire.pause(20);
                  }
                })) {
      assertThat(strict.copy("/data/file", "Source: " + source.url("/file")).last())
          .contains("moved less than 1000000 bytes per second for 300 ms");
      assertThat(strict.file("file")).doesNotExist();
    }
  }

  /** As those who read the file from a tape, or its checksum from the disk, before they answer. */
  @Test
  void pullFromServerThatAnswersLateIsJudgedByTheRateOfItsBytesAlone() throws Exception {
    try (Element strict = Element.start(folder.resolve("strict"), PullFaultTests::notSlow);
        ScriptedServer source =
            ScriptedServer.plain(
                (request, wire) -> {
                  wire.pause(600);
                  wire.respond("200 OK", "", TEXT);
                })) {
      assertThat(strict.copy("/data/file", "Source: " + source.url("/file")).last())
          .isEqualTo("success: Created");
      assertThat(strict.file("file")).hasContent(TEXT);
    }
  }

  private static CopySettings notSlow(CopySettings s) {
    CopySettings.Timeouts t = s.timeouts();
    return SettingsDraft.like(s)
        .timeouts(
            new CopySettings.Timeouts(
                t.connect(),
                t.handshake(),
                t.firstByte(),
                t.stall(),
                Duration.ofMillis(300),
                1_000_000,
                t.continueWait(),
                t.notReady(),
                t.notReadyRetry(),
                t.cleanUp()))
        .done();
  }

  @Test
  void lengthAndChunkedTogetherAreRefusedAsSmuggling() throws Exception {
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) ->
                wire.send(
                    "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "4\r\nThou\r\n0\r\n\r\n"))) {
      assertThat(pull(source).last()).contains("announced in a way that is not allowed");
      assertNothingWasKept();
    }
  }

  @Test
  void twoLengthsAreRefused() throws Exception {
    try (ScriptedServer source =
        ScriptedServer.plain(
            (request, wire) ->
                wire.send(
                    "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nThou"))) {
      assertThat(pull(source).last()).contains("two different lengths");
    }
  }
}
