package dev.staithe.storage.tpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.checksum.ChecksumAlgorithm;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pushes that the client lets depend on what the destination has (RFC 9110 section 13). */
final class ConditionalPushTests extends ElementFixture {
  private static final byte[] BYTES = "If it be there.".getBytes(StandardCharsets.UTF_8);

  /** What the file was before is not what it is after that. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"If-Match|\"old\"", "If-None-Match|*"})
  void conditionIsOfThePutAndNotOfWhatFollows(String name, String value) throws Exception {
    element.put("file", BYTES);
    String field = name.toLowerCase(Locale.ROOT);
    try (ScriptedServer to =
        ScriptedServer.plain(
            (request, wire) -> {
              if (request.method().equals("PUT")) {
                wire.send("HTTP/1.1 100 Continue\r\n\r\n");
                byte[] taken = wire.read(request.length());
                wire.respond(taken.length == BYTES.length ? "201 Created" : "400 Short", "", "");
              } else if (request.header(field) != null) {
                wire.respond("412 Precondition Failed", "", "");
              } else {
                wire.send(
                    "HTTP/1.1 200 OK\r\nContent-Length: "
                        + BYTES.length
                        + "\r\nDigest: "
                        + sum(ChecksumAlgorithm.ADLER32, BYTES).rfc3230()
                        + "\r\n\r\n");
              }
            })) {
      Element.Answer answer = push(to, "TransferHeader" + name + ": " + value);

      assertThat(answer.last()).isEqualTo("success: Created");
      assertThat(to.methods()).containsExactly("PUT", "HEAD");
      assertThat(to.requests().getFirst().header(field)).isEqualTo(value);
    }
  }

  /** As a door sends on to a pool, which would replace what must not be replaced. */
  @Test
  void conditionGoesWhereARedirectLeadsAndTheCredentialDoesNot() throws Exception {
    element.put("file", BYTES);
    try (ScriptedServer pool =
            ScriptedServer.plain(
                (request, wire) ->
                    wire.respond(
                        "\"old\"".equals(request.header("if-match"))
                            ? "412 Precondition Failed"
                            : "201 Created",
                        "",
                        ""));
        ScriptedServer door =
            ScriptedServer.plain(
                (request, wire) ->
                    wire.respond("307 x", "Location: " + pool.url("/pool") + "\r\n", ""))) {
      Element.Answer answer =
          push(
              door,
              "TransferHeaderAuthorization: Bearer secret",
              "TransferHeaderIf-Match: \"old\"");

      assertThat(answer.status()).isEqualTo(412);
      assertThat(answer.body()).contains("rejected PUT: 412");
      assertThat(pool.methods()).containsExactly("PUT");
      assertThat(pool.requests().getFirst().headers()).doesNotContainKey("authorization");
    }
  }

  @Test
  void fileThatMustNotBeThereAndIsFailsTheCondition() throws Exception {
    element.put("file", BYTES);
    try (ScriptedServer to =
        ScriptedServer.plain(
            (request, wire) ->
                wire.respond(
                    "*".equals(request.header("if-none-match")) ? "304 Not Modified" : "200 OK",
                    "",
                    ""))) {
      Element.Answer answer = push(to, "Overwrite: F", "TransferHeaderIf-None-Match: *");

      assertThat(answer.status()).isEqualTo(412);
      assertThat(answer.body()).contains("File exists");
      assertThat(to.methods()).containsExactly("HEAD");
    }
  }

  /** nginx answers 400 to a condition that is there twice. */
  @Test
  void conditionThatTheClientSendsAlongWithOverwriteFIsThereOnce() throws Exception {
    element.put("file", BYTES);
    try (ScriptedServer to =
        ScriptedServer.plain(
            (request, wire) ->
                wire.respond(
                    request.method().equals("HEAD") ? "404 Not Found" : "412 Precondition Failed",
                    "",
                    ""))) {
      push(to, "Overwrite: F", "TransferHeaderIf-None-Match: *");

      assertThat(to.methods()).containsExactly("HEAD", "PUT");
      assertThat(to.requests().getLast().header("if-none-match")).isEqualTo("*");
    }
  }
}
