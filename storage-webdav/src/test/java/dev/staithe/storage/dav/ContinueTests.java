package dev.staithe.storage.dav;

import static dev.staithe.storage.dav.Requests.freshCollection;
import static dev.staithe.storage.dav.Requests.put;
import static dev.staithe.storage.dav.Requests.status;
import static dev.staithe.storage.dav.Requests.storage;
import static dev.staithe.storage.dav.Requests.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.RawConnection;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code Expect: 100-continue}: a client is told to send only what would be taken. */
class ContinueTests {
  private static RawConnection.Answer expecting(String path, String... more) throws IOException {
    String[] head = new String[4 + more.length];
    head[0] = "PUT " + path + " HTTP/1.1";
    head[1] = "Host: localhost";
    head[2] = "Expect: 100-continue";
    head[3] = "X-Test: " + path.length();
    System.arraycopy(more, 0, head, 4, more.length);
    return RawConnection.ask(storage, head);
  }

  @Test
  void clientIsToldToGoOnBeforeItsContentIsTaken() throws IOException {
    String file = freshCollection() + "file";
    try (RawConnection client = RawConnection.to(storage)) {
      client.send(
          "PUT "
              + file
              + " HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
              + "Content-Length: 5\r\n\r\n");
      assertThat(client.answer().status()).isEqualTo(100);
      assertThat(client.send("hello").answer().status()).isEqualTo(201);
      client.send("GET " + file + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(client.answer().text()).isEqualTo("hello");
    }
    assertThat(text(file)).isEqualTo("hello");
  }

  @Test
  void callerWithoutTokenIsRefusedWithoutContinue() throws IOException {
    RawConnection.Answer answer = expecting("/data/x", "Content-Length: 5");
    assertThat(answer.status()).isEqualTo(401);
  }

  @Test
  void callerWithTooSmallATokenIsRefusedWithoutContinue() throws IOException {
    RawConnection.Answer answer =
        expecting(
            "/data/" + UUID.randomUUID(),
            "Content-Length: 5",
            "Authorization: Bearer " + storage.token("storage.read:/"));
    assertThat(answer.status()).isEqualTo(403);
  }

  @Test
  void fileThatDoesNotFitIsRefusedWithoutContinue() throws IOException {
    String file = freshCollection() + "huge";
    RawConnection.Answer answer = expecting(file, "Content-Length: 1000000000000000");
    assertThat(answer.status()).isEqualTo(507);
    assertThat(answer.text()).isEqualTo("not enough space in the storage area\n");
    assertThat(status(file)).isEqualTo(404);
  }

  @Test
  void whatWouldBeRefusedAnywayIsRefusedWithoutContinue() throws IOException {
    assertThat(expecting(freshCollection(), "Content-Length: 5").status()).isEqualTo(409);
    String file = freshCollection() + "file";
    put(file, "x").run();
    for (String below : List.of("/x", "/below/x")) {
      assertThat(expecting(file + below, "Content-Length: 5").status()).as(below).isEqualTo(409);
    }
    assertThat(expecting(freshCollection() + "x", "Content-Length: 5", "If-Match: \"y\"").status())
        .isEqualTo(412);
    assertThat(
            expecting(freshCollection() + "x", "Content-Length: 5", "Content-Encoding: br")
                .status())
        .isEqualTo(415);
    assertThat(expecting(freshCollection() + "x", "Content-Length: 5", "Digest: md5=x").status())
        .isEqualTo(400);
    assertThat(
            expecting(freshCollection() + "x", "Content-Length: 5", "Content-Range: bytes 3-7/8")
                .status())
        .isEqualTo(416);
  }

  /** A client that was not told would send its next request into a connection that has ended. */
  @ParameterizedTest
  @CsvSource({
    "401, /data/x, x: y",
    "403, /data/x, Authorization: Bearer READER",
    "409, FRESH/, x: y",
    "412, FRESH/x, 'If-Match: \"y\"'",
    "507, FRESH/x, x: y",
  })
  void refusalBeforeTheContentHasComeSaysThatTheConnectionEnds(
      int status, String path, String field) throws IOException {
    String length = status == 507 ? "1000000000000000" : "300000";
    try (RawConnection client = RawConnection.to(storage)) {
      client.send(
          "PUT "
              + path.replace("FRESH/", freshCollection())
              + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
              + length
              + "\r\n"
              + field.replace("READER", storage.token("storage.read:/"))
              + "\r\n\r\n");
      RawConnection.Answer answer = client.answer();
      assertThat(answer.status()).isEqualTo(status);
      assertThat(answer.header("Connection")).hasValue("close");
    }
  }

  @Test
  void refusalOfWhatHasComeAlreadyKeepsTheConnection() throws IOException {
    try (RawConnection client = RawConnection.to(storage)) {
      for (int i = 0; i < 3; i++) {
        client.send("PUT /data/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello");
        RawConnection.Answer answer = client.answer();
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.header("Connection")).isEmpty();
      }
    }
  }

  @Test
  void otherExpectationIsRefused() throws IOException {
    assertThat(
            RawConnection.ask(
                    storage, "GET /open/ HTTP/1.1", "Host: localhost", "Expect: the-unexpected")
                .status())
        .isEqualTo(417);
  }
}
