package dev.staithe.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseReaderTests {
  private static final String INTERIM = "HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n";
  private static final String WITH_LENGTH =
      "HTTP/1.1 200 OK\r\nDate: now\r\ncontent-LENGTH: 5\r\n\r\nhello";
  private static final String CHUNKED =
      "HTTP/1.1 201 Made\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "2;x=y\r\nhe\r\n3\r\nllo\r\n0\r\nTrailer: 1\r\n\r\n";

  private final ResponseReader reader = new ResponseReader(new HeadLimits(1024, 10), 10_000);

  private boolean take(String text) throws HttpFailure {
    return reader.take(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 50, 1000})
  void responsesInPiecesAreWholeWithTheirLastByte(int size) throws HttpFailure {
    for (String text : new String[] {WITH_LENGTH, CHUNKED, INTERIM + WITH_LENGTH}) {
      reader.expect("GET");
      for (int from = 0; from < text.length(); from += size) {
        int to = Math.min(text.length(), from + size);
        assertThat(take(text.substring(from, to)))
            .as("after %d", to)
            .isEqualTo(to == text.length());
      }
      assertThat(reader.body()).asString().isEqualTo("hello");
      assertThat(reader.head().keepsAlive()).isTrue();
    }
  }

  @Test
  void aResponseToHeadHasNoBodyWhateverItSays() throws HttpFailure {
    reader.expect("HEAD");

    assertThat(take("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")).isTrue();
    assertThat(reader.body()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SSH-2.0-OpenSSH\r\n\r\n",
        "HTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 900000\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxHTTP/1.1 200 OK\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nmore"
      })
  void whatIsNoWholeSmallResponseIsRefused(String text) {
    reader.expect("GET");

    assertThatThrownBy(() -> take(text)).isInstanceOf(HttpFailure.class);
  }
}
