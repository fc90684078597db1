package dev.staithe.storage.tpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.files.StoragePath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class PushTests extends ElementFixture {
  private static final byte[] BYTES = "Goods outward.".getBytes(StandardCharsets.UTF_8);

  @BeforeEach
  void putFile() {
    element.put("file", BYTES);
  }

  /** Takes the body as a good server does. */
  private static byte[] take(ScriptedServer.Request request, ScriptedServer.Wire wire)
      throws IOException {
    if (request.header("expect") != null) {
      wire.send("HTTP/1.1 100 Continue\r\n\r\n");
    }
    return wire.read(request.length());
  }

  private static void head(ScriptedServer.Wire wire, byte[] bytes) throws IOException {
    wire.send(
        "HTTP/1.1 200 OK\r\nContent-Length: "
            + bytes.length
            + "\r\nDigest: "
            + sum(ChecksumAlgorithm.ADLER32, bytes).rfc3230()
            + "\r\n\r\n");
  }

  @Test
  void pushSendsTheFileAndComparesWhatArrived() throws Exception {
    byte[][] arrived = new byte[1][];
    try (ScriptedServer to =
        ScriptedServer.plain(
            (request, wire) -> {
              if (request.method().equals("PUT")) {
                arrived[0] = take(request, wire);
                wire.respond("201 Created", "", "");
              } else {
                head(wire, arrived[0]);
              }
            })) {
      Element.Answer answer =
          push(
              to,
              "TransferHeaderAuthorization: Bearer theirs",
              "TransferHeaderArchiveMetadata: e30=",
              "RequireChecksumVerification: true");
      assertThat(answer.status()).isEqualTo(202);
      assertThat(answer.last()).isEqualTo("success: Created");
      assertThat(answer.body())
          .contains("Stripe Bytes Transferred: " + BYTES.length + "\n")
          .contains("RemoteConnections: tcp:127.0.0.1:" + to.port());
      assertThat(arrived[0]).isEqualTo(BYTES);
      assertThat(to.methods()).containsExactly("PUT", "HEAD");
      ScriptedServer.Request put = to.requests().getFirst();
      assertThat(put.target()).isEqualTo("/new?opaque=1");
      assertThat(put.headers())
          .containsEntry("expect", "100-continue")
          .containsEntry("content-length", String.valueOf(BYTES.length))
          .containsEntry("archivemetadata", "e30=")
          .doesNotContainKey("transfer-encoding");
      assertThat(to.requests().getLast().headers())
          .containsEntry("authorization", "Bearer theirs")
          .containsEntry("accept-encoding", "identity")
          .containsKey("want-digest");
    }
  }

  /**
   * A token that ends while the bytes are sent: the answer to PUT says all, nothing more is asked.
   */
  @Test
  void pushWhoseDestinationTellsTheChecksumAtOnceNeedsItsTokenNoMore() throws Exception {
    try (ScriptedServer to =
        ScriptedServer.plain(
            (request, wire) -> {
              if (request.method().equals("PUT")) {
                byte[] arrived = take(request, wire);
                wire.respond(
                    "201 Created",
                    "Digest: " + sum(ChecksumAlgorithm.ADLER32, arrived).rfc3230() + "\r\n",
                    "");
              } else {
                wire.respond("401 Unauthorized", "", "");
              }
            })) {
      Element.Answer answer = push(to, "RequireChecksumVerification: true");

      assertThat(answer.last()).isEqualTo("success: Created");
      assertThat(to.methods()).containsExactly("PUT");
      assertThat(to.requests().getFirst().header("want-digest")).startsWith("adler32");
    }
  }

  /** Some put a digest of the few words in their answer there. */
  @Test
  void pushWhoseDestinationTellsAnotherChecksumAtFirstIsJudgedByHead() throws Exception {
    try (ScriptedServer to =
        ScriptedServer.plain(
            (request, wire) -> {
              if (request.method().equals("PUT")) {
                take(request, wire);
                wire.respond("201 Created", "Digest: adler32=00000001\r\n", "");
              } else {
                head(wire, BYTES);
              }
            })) {
      assertThat(push(to, "RequireChecksumVerification: true").last())
          .isEqualTo("success: Created");
      assertThat(to.methods()).containsExactly("PUT", "HEAD");
    }
  }

  @Test
  void pushSendsKeptChecksumSoThatTheDestinationCanCompare() throws Exception {
    var entry = element.store().find(StoragePath.of("/file")).orElseThrow();
    element.store().checksum(entry, ChecksumAlgorithm.SHA_256);
    try (ScriptedServer to =
        ScriptedServer.plain(
            (request, wire) -> {
              take(request, wire);
              wire.respond("412 Precondition Failed", "", "");
            })) {
      assertThat(push(to).body()).contains("rejected PUT: 412");
      assertThat(to.requests().getFirst().header("repr-digest"))
          .contains(sum(ChecksumAlgorithm.SHA_256, BYTES).rfc9530());
      assertThat(to.methods()).containsExactly("PUT");
    }
  }

  @Test
  void pushWhenDestinationRedirectsThenTheBodyGoesThere() throws Exception {
    byte[][] arrived = new byte[1][];
    try (ScriptedServer pool =
            ScriptedServer.plain(
                (request, wire) -> {
                  arrived[0] = take(request, wire);
                  wire.respond("201 Created", "", "");
                });
        ScriptedServer door =
            ScriptedServer.plain(
                (request, wire) -> {
                  if (request.method().equals("PUT")) {
                    wire.respond("307 x", "Location: " + pool.url("/pool") + "\r\n", "");
                  } else {
                    head(wire, arrived[0]);
                  }
                })) {
      Element.Answer answer = push(door, "TransferHeaderAuthorization: Bearer secret");
      assertThat(answer.last()).isEqualTo("success: Created");
      assertThat(arrived[0]).isEqualTo(BYTES);
      assertThat(pool.requests().getFirst().headers()).doesNotContainKey("authorization");
      assertThat(door.methods()).containsExactly("PUT", "HEAD");
    }
  }

  @Test
  void pushWhenDestinationIgnoresExpectThenTheBodyIsSentAfterAWhile() throws Exception {
    try (ScriptedServer to =
        ScriptedServer.plain(
            (request, wire) -> {
              if (request.method().equals("PUT")) {
                wire.read(request.length());
                wire.respond("204 No Content", "", "");
              } else {
                head(wire, BYTES);
              }
            })) {
      assertThat(push(to).last()).isEqualTo("success: Created");
    }
  }

  @Test
  void pushWhenExpectationIsRefusedThenItIsRepeatedWithout() throws Exception {
    try (ScriptedServer to =
        ScriptedServer.plain(
            (request, wire) -> {
              if (request.header("expect") != null) {
                wire.respond("417 Expectation Failed", "", "");
              } else if (request.method().equals("PUT")) {
                wire.read(request.length());
                wire.respond("201 Created", "", "");
              } else {
                head(wire, BYTES);
              }
            })) {
      assertThat(push(to).last()).isEqualTo("success: Created");
      assertThat(to.methods()).containsExactly("PUT", "PUT", "HEAD");
    }
  }

  @Test
  void pushWhenDestinationRefusesBeforeTheBodyThenItIsNotDeletedThere() throws Exception {
    try (ScriptedServer to =
        ScriptedServer.plain((request, wire) -> wire.respond("403 Forbidden", "", "no"))) {
      Element.Answer answer = push(to);
      assertThat(answer.status()).isEqualTo(403);
      assertThat(answer.body()).contains("rejected PUT: 403 Forbidden");
      assertThat(to.methods()).containsExactly("PUT");
    }
  }

  @Test
  void pushWhenDestinationIsFullThenTheStreamOrStatusSays507AndThePartIsRemoved() throws Exception {
    try (ScriptedServer to =
        ScriptedServer.plain(
            (request, wire) -> {
              if (request.method().equals("PUT")) {
                take(request, wire);
                wire.respond("507 Insufficient Storage", "", "");
              } else {
                wire.respond("204 No Content", "", "");
              }
            })) {
      assertThat(push(to).body()).contains("rejected PUT: 507");
      assertThat(to.methods()).containsExactly("PUT", "HEAD", "DELETE");
    }
  }

  /** A server that shows files once they are whole still has the one that was to be replaced. */
  @Test
  void pushThatIsNotTakenLeavesTheFileOfBefore() throws Exception {
    for (boolean answered : new boolean[] {true, false}) {
      try (ScriptedServer to = notTaken(answered, "Sat, 28 Nov 2026 11:50:00 GMT")) {
        assertThat(push(to).body()).contains("; the file of before is still there");
        assertThat(to.methods()).containsExactly("PUT", "HEAD");
      }
    }
  }

  @Test
  void pushThatIsNotTakenRemovesWhatIsAsYoungAsIt() throws Exception {
    try (ScriptedServer to = notTaken(false, "Sat, 28 Nov 2026 12:00:00 GMT")) {
      assertThat(push(to).body()).doesNotContain("of before", "removing");
      assertThat(to.methods()).containsExactly("PUT", "HEAD", "DELETE");
    }
  }

  /** At noon, by its own clock. */
  private static ScriptedServer notTaken(boolean answered, String modified) throws Exception {
    return ScriptedServer.plain(
        (request, wire) -> {
          switch (request.method()) {
            case "PUT" -> {
              take(request, wire);
              if (answered) {
                wire.respond("503 Service Unavailable", "", "");
              } else {
                wire.close();
              }
            }
            case "HEAD" ->
                wire.respond(
                    "200 OK",
                    "Date: Sat, 28 Nov 2026 12:00:00 GMT\r\nLast-Modified: " + modified + "\r\n",
                    "");
            default -> wire.respond("204 No Content", "", "");
          }
        });
  }

  @Test
  void pushWhenOtherBytesArrivedThenTheyAreRemoved() throws Exception {
    try (ScriptedServer to =
        ScriptedServer.plain(
            (request, wire) -> {
              switch (request.method()) {
                case "PUT" -> {
                  take(request, wire);
                  wire.respond("201 Created", "", "");
                }
                case "HEAD" -> {
                  byte[] wrong = BYTES.clone();
                  wrong[0]++;
                  head(wire, wrong);
                }
                default -> wire.respond("403 Forbidden", "", "");
              }
            })) {
      assertThat(push(to).last())
          .startsWith("failure: verification failed: checksum mismatch adler32 local=")
          .endsWith("; removing the destination failed: 403 Forbidden");
      assertThat(to.methods()).containsExactly("PUT", "HEAD", "DELETE");
    }
  }

  @Test
  void pushWhenFewerBytesArrivedThenTheyAreRemoved() throws Exception {
    try (ScriptedServer to =
        ScriptedServer.plain(
            (request, wire) -> {
              switch (request.method()) {
                case "PUT" -> {
                  take(request, wire);
                  wire.respond("201 Created", "", "");
                }
                case "HEAD" -> head(wire, Arrays.copyOf(BYTES, 3));
                default -> wire.respond("204 No Content", "", "");
              }
            })) {
      assertThat(push(to).last())
          .isEqualTo("failure: verification failed: size mismatch local=14 remote=3");
      assertThat(to.methods()).containsExactly("PUT", "HEAD", "DELETE");
    }
  }

  /** What another writer has put there meanwhile is the other's to remove. */
  @Test
  void pushRemovesNothingButWhatTheDestinationSaysThatItTook() throws Exception {
    for (String tag : new String[] {"\"ours\"", "W/\"weak\""}) {
      try (ScriptedServer to =
          ScriptedServer.plain(
              (request, wire) -> {
                switch (request.method()) {
                  case "PUT" -> {
                    take(request, wire);
                    wire.respond("201 Created", "ETag: " + tag + "\r\n", "");
                  }
                  case "HEAD" -> head(wire, Arrays.copyOf(BYTES, 3));
                  default -> wire.respond("412 Precondition Failed", "", "");
                }
              })) {
        assertThat(push(to).last())
            .endsWith("; removing the destination failed: 412 Precondition Failed");
        assertThat(to.methods()).containsExactly("PUT", "HEAD", "DELETE");
        // Weak ones never match (RFC 9110 section 13.1.1).
        assertThat(to.requests().getLast().header("if-match"))
            .isEqualTo(tag.startsWith("W/") ? null : tag);
      }
    }
  }

  @Test
  void pushWhenDestinationOffersAnotherAlgorithmThenThatIsCompared() throws Exception {
    try (ScriptedServer to =
        ScriptedServer.plain(
            (request, wire) -> {
              if (request.method().equals("PUT")) {
                take(request, wire);
                wire.respond("201 Created", "", "");
              } else {
                wire.send(
                    "HTTP/1.1 200 OK\r\nContent-Length: 14\r\nRepr-Digest: "
                        + sum(ChecksumAlgorithm.SHA_512, BYTES).rfc9530()
                        + "\r\n\r\n");
              }
            })) {
      assertThat(push(to, "RequireChecksumVerification: true").last())
          .isEqualTo("success: Created");
    }
  }

  @Test
  void pushWhenNoHeadIsAskedForThenTheDestinationIsNotAskedAfterwards() throws Exception {
    try (ScriptedServer to =
        ScriptedServer.plain(
            (request, wire) -> {
              take(request, wire);
              wire.respond("200 OK", "", "");
            })) {
      assertThat(push(to, "Copy-Flags: NoHead").last()).isEqualTo("success: Created");
      assertThat(to.methods()).containsExactly("PUT");
    }
  }

  /** As a proxy does that answers 200 to everything. */
  @Test
  void pushWhoseDestinationWantsNoneOfTheFileFailsWhereNothingTellsThatItHasIt() throws Exception {
    try (ScriptedServer to =
        ScriptedServer.plain((request, wire) -> wire.respond("200 OK", "", ""))) {
      assertThat(push(to, "Copy-Flags: NoHead").last())
          .isEqualTo("failure: the destination accepted the file before all of it was sent");
      assertThat(to.methods()).containsExactly("PUT");
    }
  }

  @Test
  void pushWithOverwriteFOntoExistingFileIsRefusedAndNothingIsSent() throws Exception {
    try (ScriptedServer to = ScriptedServer.plain((request, wire) -> head(wire, BYTES))) {
      Element.Answer answer = push(to, "Overwrite: F");
      assertThat(answer.status()).isEqualTo(412);
      assertThat(answer.body()).contains("File exists");
      assertThat(to.methods()).containsExactly("HEAD");
    }
  }

  /** Another one was quicker: a copy that was given up and tried again, say. */
  @Test
  void pushWithOverwriteFReplacesNoFileThatCameMeanwhile() throws Exception {
    try (ScriptedServer to =
        ScriptedServer.plain(
            (request, wire) ->
                wire.respond(
                    request.method().equals("HEAD")
                        ? "404 Not Found"
                        : "*".equals(request.header("if-none-match"))
                            ? "412 Precondition Failed"
                            : "201 Created",
                    "",
                    ""))) {
      assertThat(push(to, "Overwrite: F").body())
          .contains("rejected PUT: 412", "Overwrite is F, and the file may be there by now");
      assertThat(to.methods()).containsExactly("HEAD", "PUT");
    }
  }

  @Test
  void pushWhenDestinationAnswersEarlyAndClosesThenItsReasonIsTold() throws Exception {
    byte[] large = new byte[20 << 20];
    new Random(1).nextBytes(large);
    element.put("file", large);
    try (ScriptedServer to =
        ScriptedServer.plain(
            (request, wire) -> {
              if (request.method().equals("PUT")) {
                wire.send("HTTP/1.1 100 Continue\r\n\r\n");
                wire.read(1 << 20);
                wire.respond("413 Content Too Large", "Connection: close\r\n", "");
                wire.awaitClose();
              } else {
                wire.respond("204 No Content", "", "");
              }
            })) {
      assertThat(push(to).body()).contains("rejected PUT: 413");
    }
  }

  @Test
  void pushWhenDestinationStopsReadingThenItFailsAndIsCleanedUp() throws Exception {
    change(settings -> settings.stall(SOON));
    byte[] large = new byte[32 << 20];
    element.put("file", large);
    try (ScriptedServer to =
        ScriptedServer.plain(
            (request, wire) -> {
              if (request.method().equals("PUT")) {
                wire.send("HTTP/1.1 100 Continue\r\n\r\n");
                wire.read(1000);
                wire.awaitEndOfTest();
              } else {
                wire.respond("204 No Content", "", "");
              }
            })) {
      assertThat(push(to).last()).contains("no bytes accepted by 127.0.0.1");
      assertThat(to.methods()).containsExactly("PUT", "HEAD", "DELETE");
    }
  }

  @Test
  void pushOfEmptyFileExpectsNothing() throws Exception {
    element.put("file", new byte[0]);
    try (ScriptedServer to =
        ScriptedServer.plain(
            (request, wire) -> {
              if (request.method().equals("PUT")) {
                wire.respond("201 Created", "", "");
              } else {
                head(wire, new byte[0]);
              }
            })) {
      assertThat(push(to).last()).isEqualTo("success: Created");
      assertThat(to.requests().getFirst().headers())
          .containsEntry("content-length", "0")
          .doesNotContainKey("expect");
    }
  }

  @Test
  void pushOfMissingFileIs404AndOfCollectionIs400() throws Exception {
    assertThat(element.copy("/data/none", "Destination: http://127.0.0.1:9/x").status())
        .isEqualTo(404);
    assertThat(element.copy("/data/", "Destination: http://127.0.0.1:9/x").status()).isEqualTo(400);
  }

  @Test
  void pushWhenClientsReprDigestIsOfAnotherFileThenTheDestinationIsNotLeftWithIt()
      throws Exception {
    try (ScriptedServer to =
        ScriptedServer.plain(
            (request, wire) -> {
              take(request, wire);
              wire.respond("201 Created", "", "");
            })) {
      Element.Answer answer =
          push(to, "Repr-Digest: " + sum(ChecksumAlgorithm.MD5, new byte[3]).rfc9530());
      assertThat(answer.body()).contains("the file is another than requested");
      assertThat(to.methods()).containsExactly("PUT", "DELETE");
    }
  }
}
