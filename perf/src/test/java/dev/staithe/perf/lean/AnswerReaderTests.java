package dev.staithe.perf.lean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AnswerReaderTests {
  private static final String WITH_LENGTH =
      "HTTP/1.1 200 OK\r\nDate: now\r\ncontent-LENGTH: 43\r\n\r\n"
          + "{\"valid\" : true, \"uid\":\"valid\", \"tokenId\":\"\"}".substring(0, 43);

  private static final String CHUNKED =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "8;x=y\r\n{\"tokenI\r\nE\r\nd\":\"a.b-c_d*\"}\r\n0\r\nTrailer: 1\r\n\r\n";

  private final AnswerReader reader = new AnswerReader();

  private boolean take(String text) throws IOException {
    return reader.take(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
  }

  /** Fed in pieces of that size, it is whole with the last byte and not before. */
  private void takeInPieces(String text, int size) throws IOException {
    reader.reset();
    for (int from = 0; from < text.length(); from += size) {
      int to = Math.min(text.length(), from + size);
      assertThat(take(text.substring(from, to))).as("after %d", to).isEqualTo(to == text.length());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 50, 1000})
  void anAnswerInPiecesIsWholeWithItsLastByte(int size) throws IOException {
    takeInPieces(WITH_LENGTH, size);
    assertThat(reader.status()).isEqualTo(200);
    assertThat(reader.isTrue("valid")).isTrue();

    takeInPieces(CHUNKED, size);
    assertThat(reader.field("tokenId")).isEqualTo("a.b-c_d*");
    assertThat(reader.reusable()).isTrue();
  }

  @Test
  void interimAnswersAreLeftOut() throws IOException {
    takeInPieces("HTTP/1.1 100 Continue\r\n\r\n" + WITH_LENGTH, 5);
    assertThat(reader.status()).isEqualTo(200);
  }

  @Test
  void answersWithoutContentAreWholeAtOnce() throws IOException {
    takeInPieces("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n", 4);
    assertThat(reader.status()).isEqualTo(204);
    assertThat(reader.reusable()).isFalse();
    assertThat(reader.field("tokenId")).isNull();
  }

  @Test
  void aFieldIsNeitherAValueNorTheEndOfAnotherName() throws IOException {
    String body = "{\"uid\":\"valid\",\"invalid\":true,\"valid\":false,\"x\":\"y\"}";
    take("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);

    assertThat(reader.isTrue("valid")).isFalse();
    assertThat(reader.isTrue("invalid")).isTrue();
    assertThat(reader.field("x")).isEqualTo("y");
    assertThat(reader.field("valid")).isNull();
    assertThat(reader.field("lid")).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SSH-2.0-OpenSSH\r\n\r\n",
        "HTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"
      })
  void whatIsNoAnswerIsRefused(String text) {
    assertThatThrownBy(() -> take(text)).isInstanceOf(IOException.class);
  }

  @Test
  void anAnswerWithoutEndIsRefused() {
    assertThatThrownBy(
            () -> {
              take("HTTP/1.1 200 OK\r\nContent-Length: 900000000\r\n\r\n");
              for (int i = 0; i < 100; i++) {
                take("x".repeat(50_000));
              }
            })
        .isInstanceOf(IOException.class)
        .hasMessageContaining("longer");
  }
}
