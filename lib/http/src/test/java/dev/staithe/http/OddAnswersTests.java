package dev.staithe.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is made of answers that servers should not give, or seldom do: decided here once for all who
 * call servers (sections are of RFC 9112). Each comes over a real connection, at once and byte by
 * byte.
 */
final class OddAnswersTests {
  private static final HeadLimits LIMITS = new HeadLimits(16 * 1024, 100);
  private static final BufferPool BUFFERS = new BufferPool(36 * 1024, 8, 8);
  private static final String OK = "HTTP/1.1 200 OK\r\n";
  private static final String CHUNKED = OK + "Transfer-Encoding: chunked\r\n\r\n";
  private static final String FOUR = "Content-Length: 4\r\n";
  private static final String END = "\r\n<ok>";

  static Stream<Arguments> taken() {
    return Stream.of(
        row("2.2", "lines that end by LF alone", "HTTP/1.1 200 OK\nContent-Length: 4\n\n<ok>"),
        row("4", "no words and no space after the status", "HTTP/1.1 200\r\n" + FOUR + END),
        row("4", "letters beyond ASCII", "HTTP/1.1 200 \u00e9\r\nA: \u00e9\r\n" + FOUR + END),
        row("4", "a status that nobody knows", "HTTP/1.1 299 OK\r\n" + FOUR + END),
        row("5", "blanks around a value", OK + "Content-Length:\t 4 \t\r\n" + END),
        row("5", "an empty value", OK + "A:\r\n" + FOUR + END),
        row("6.3", "a length said twice in one way", OK + FOUR + FOUR + END),
        row("6.3", "a length as a list of one", OK + "Content-Length: 4, 4\r\n" + END),
        row(
            "7",
            "a coding in capitals",
            OK + "TRANSFER-ENCODING: Chunked\r\n\r\n4\r\n<ok>\r\n0\r\n\r\n"),
        row(
            "7.1.1",
            "chunks with extensions",
            CHUNKED + "2;x=\"y\"\r\n<o\r\n2 ; z\r\nk>\r\n0\r\n\r\n"),
        row("7.1", "a size with blanks behind it", CHUNKED + "4  \r\n<ok>\r\n0\r\n\r\n"),
        row("7.1", "a size with zeros before it", CHUNKED + "0004\r\n<ok>\r\n000\r\n\r\n"),
        row("7.1.2", "trailers", CHUNKED + "4\r\n<ok>\r\n0\r\nT: t\r\nContent-Length: 9\r\n\r\n"),
        row("7.1.2", "trailers that end by LF alone", CHUNKED + "4\r\n<ok>\r\n0\r\nT: t\n\n"),
        row(
            "9110 15.2",
            "answers before the answer",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\n\r\n"
                + OK
                + FOUR
                + END));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("taken")
  void answerIsTakenAndTheConnectionKept(String section, String name, String answer)
      throws Exception {
    assertThat(read(answer, true)).isEqualTo("<ok>, kept");
    assertThat(read(answer, false)).isEqualTo("<ok>, kept");
  }

  static Stream<Arguments> takenOnce() {
    return Stream.of(
        row("9.3", "HTTP/1.0", "HTTP/1.0 200 OK\r\n" + FOUR + END),
        row(
            "C.2.2",
            "HTTP/1.0 that stays",
            "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n" + FOUR + END),
        row("9.6", "a server that will close", OK + "Connection: x, Close\r\n" + FOUR + END),
        row(
            "9.6",
            "one that says so in a second line",
            OK + "Connection: x\r\nConnection: close\r\n" + FOUR + END),
        row("6.3", "no length", OK + END),
        row("6.3", "more than the length", OK + FOUR + END + "HTTP/1.1 200 OK\r\n\r\n"));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("takenOnce")
  void answerIsTakenAndTheConnectionNotUsedAgain(String section, String name, String answer)
      throws Exception {
    assertThat(read(answer, true)).isEqualTo("<ok>, last");
    assertThat(read(answer, false)).isEqualTo("<ok>, last");
  }

  static Stream<Arguments> withoutBody() {
    return Stream.of(
        row("6.3", "204 with a length", "HTTP/1.1 204 No Content\r\n" + FOUR + "\r\n"),
        row("6.3", "304 with a length", "HTTP/1.1 304 Not Modified\r\n" + FOUR + "\r\n"),
        row("6.3", "204 with a coding", "HTTP/1.1 204 x\r\nTransfer-Encoding: chunked\r\n\r\n"));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("withoutBody")
  void answerHasNoBodyWhateverItSays(String section, String name, String answer) throws Exception {
    assertThat(read(answer, true)).isEqualTo(", kept");
    assertThat(read(answer, false)).isEqualTo(", kept");
  }

  static Stream<Arguments> malformed() {
    return Stream.of(
        row("5.2", "a folded line", OK + "A: b\r\n c\r\n" + FOUR + END),
        row("5.2", "a length in a folded line", OK + "A: b\r\n " + FOUR + END),
        row("5.2", "a line folded by a tab", OK + "A: b\r\n\tc\r\n" + FOUR + END),
        row("2.2", "blanks before the first field", OK + " A: b\r\n" + FOUR + END),
        row("5.1", "a space before the colon", OK + "Content-Length : 4\r\n" + END),
        row("5.1", "a tab before the colon", OK + "Content-Length\t: 4\r\n" + END),
        row("5", "no colon", OK + "Content-Length 4\r\n" + END),
        row("5", "no name", OK + ": 4\r\n" + FOUR + END),
        row("5", "a name that is no token", OK + "Content(Length): 4\r\n" + FOUR + END),
        row("5", "a name beyond ASCII", OK + "Content\u00e9: 4\r\n" + FOUR + END),
        row("9110 5.5", "NUL in a value", OK + "A: b\0c\r\n" + FOUR + END),
        row("9110 5.5", "NUL in a name", OK + "A\0: b\r\n" + FOUR + END),
        row("9110 5.5", "DEL in a value", OK + "A: b\u007f\r\n" + FOUR + END),
        row("2.2", "a bare CR in a value", OK + "A: b\rC: d\r\n" + FOUR + END),
        row("2.2", "two CR before the LF", OK + "A: b\r\r\n" + FOUR + END),
        row("2.2", "a bare CR in the words of the status", "HTTP/1.1 200 O\rK\r\n" + FOUR + END),
        row("6.3", "two lengths", OK + FOUR + "Content-Length: 5\r\n" + END),
        row("6.3", "two lengths in one line", OK + "Content-Length: 4, 5\r\n" + END),
        row("6.3", "a length and nothing", OK + "Content-Length: 4,\r\n" + END),
        row("6.3", "a length of nothing", OK + "Content-Length:\r\n" + END),
        row("6.2", "a length with a sign", OK + "Content-Length: +4\r\n" + END),
        row("6.2", "a length below zero", OK + "Content-Length: -4\r\n" + END),
        row("6.2", "a length in hexadecimal", OK + "Content-Length: 0x4\r\n" + END),
        row("6.2", "a length in other digits", OK + "Content-Length: \u00b2\r\n" + END),
        row("6.2", "a length beyond all", OK + "Content-Length: 9999999999999999999\r\n" + END),
        row(
            "6.3",
            "a length beside chunks",
            OK + FOUR + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        row(
            "6.1",
            "a coding before chunked",
            OK + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
        row(
            "6.1",
            "chunked and identity",
            OK + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n"),
        row("6.1", "identity", OK + "Transfer-Encoding: identity\r\n" + END),
        row("6.1", "chunked by halves", OK + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
        row(
            "6.1",
            "chunked twice",
            OK + "Transfer-Encoding: chunked\r\n".repeat(2) + "\r\n0\r\n\r\n"),
        row(
            "6.1",
            "chunks of HTTP/1.0",
            "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        row("7.8", "another protocol", "HTTP/1.1 101 Switching\r\n\r\n"),
        row("7.1", "a size that is none", CHUNKED + "x\r\n"),
        row("7.1", "no size", CHUNKED + "\r\n<ok>\r\n0\r\n\r\n"),
        row("7.1", "a size with a sign", CHUNKED + "+4\r\n<ok>\r\n0\r\n\r\n"),
        row("7.1", "a size as programs write it", CHUNKED + "0x4\r\n<ok>\r\n0\r\n\r\n"),
        row("7.1", "a size with a blank before it", CHUNKED + " 4\r\n<ok>\r\n0\r\n\r\n"),
        row("7.1", "a size beyond all", CHUNKED + "1000000000000000\r\n<ok>"),
        row("7.1", "a size that ends by LF alone", CHUNKED + "4\n<ok>\r\n0\r\n\r\n"),
        row("7.1", "a chunk that ends by LF alone", CHUNKED + "4\r\n<ok>\n0\r\n\r\n"),
        row("7.1", "a chunk that is longer", CHUNKED + "2\r\n<ok>\r\n0\r\n\r\n"),
        row("7.1.1", "a bare CR in an extension", CHUNKED + "4;\r0\r\n<ok>\r\n0\r\n\r\n"),
        row("7.1.1", "an extension without end", CHUNKED + "4;" + "x".repeat(5000)),
        row("7.1.2", "a trailer that is no field", CHUNKED + "0\r\nT\r\n\r\n"),
        row("7.1.2", "a folded trailer", CHUNKED + "0\r\nT: t\r\n u\r\n\r\n"),
        row("7.1.2", "trailers without end", CHUNKED + "0\r\n" + "T: t\r\n".repeat(4000)),
        row("2.3", "a head without end", OK + "A: b\r\n".repeat(90) + "B: " + "b".repeat(20_000)),
        row("2.3", "too many fields", OK + "A: b\r\n".repeat(101) + "\r\n"),
        row(
            "9110 15.2",
            "no end of answers before the answer",
            "HTTP/1.1 103 x\r\n\r\n".repeat(40)));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("malformed")
  void answerThatTwoReadersReadInTwoWaysIsRefused(String section, String name, String answer)
      throws Exception {
    assertThat(read(answer, true)).isEqualTo("MALFORMED");
    assertThat(read(answer, false)).isEqualTo("MALFORMED");
  }

  static Stream<Arguments> others() {
    return Stream.of(
        row("4", "a status beyond all", "HTTP/1.1 600 OK\r\n" + FOUR + END),
        row("4", "a status below all", "HTTP/1.1 099 OK\r\n" + FOUR + END),
        row("4", "a status of two digits", "HTTP/1.1 20 OK\r\n" + FOUR + END),
        row("4", "a status of four digits", "HTTP/1.1 2000 OK\r\n" + FOUR + END),
        row("4", "a status of letters", "HTTP/1.1 2OO OK\r\n" + FOUR + END),
        row("4", "a tab before the status", "HTTP/1.1\t200 OK\r\n" + FOUR + END),
        row("4", "two spaces before the status", "HTTP/1.1  200 OK\r\n" + FOUR + END),
        row("2.3", "another version", "HTTP/1.2 200 OK\r\n" + FOUR + END),
        row("2.3", "another major version", "HTTP/2.0 200 OK\r\n" + FOUR + END),
        row("2.3", "small letters", "http/1.1 200 OK\r\n" + FOUR + END),
        row("2.2", "an empty line before", "\r\n" + OK + FOUR + END),
        row("2.1", "another protocol", "ICY 200 OK\r\n\r\n"),
        row("2.1", "HTTP/0.9", "<html>"));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("others")
  void answerThatDoesNotBeginAsHttp1IsRefused(String section, String name, String answer)
      throws Exception {
    assertThat(read(answer, true)).isEqualTo("OTHER_PROTOCOL");
    assertThat(read(answer, false)).isEqualTo("OTHER_PROTOCOL");
  }

  static Stream<Arguments> endingEarly() {
    return Stream.of(
        row("8", "nothing", ""),
        row("8", "half a head", OK + "A: b"),
        row("8", "less than the length", OK + "Content-Length: 5\r\n" + END),
        row("8", "half a chunk", CHUNKED + "5\r\n<ok>"),
        row("8", "no last chunk", CHUNKED + "4\r\n<ok>\r\n"),
        row("8", "half of the trailers", CHUNKED + "4\r\n<ok>\r\n0\r\nT: t\r\n"));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("endingEarly")
  void answerThatEndsEarlyIsNone(String section, String name, String answer) throws Exception {
    assertThat(read(answer, true)).isEqualTo("BROKEN");
    assertThat(read(answer, false)).isEqualTo("BROKEN");
  }

  private static Arguments row(String section, String name, String answer) {
    return Arguments.of(section, name, answer);
  }

  /** What is made of an answer after which the server closes. */
  private static String read(String answer, boolean atOnce) throws Exception {
    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var written = new CountDownLatch(1);
      Thread.ofVirtual().start(() -> serve(server, answer, atOnce, written));
      HttpSocket socket = HttpSocket.open("it", null, BUFFERS, Duration.ZERO);
      try (var connection = new HttpConnection(socket, "it", LIMITS, null)) {
        socket.connect((InetSocketAddress) server.getLocalSocketAddress(), Duration.ofMinutes(1));
        socket.within(Duration.ofMinutes(1), "late");
        return exchange(connection, written);
      } catch (HttpFailure failure) {
        return failure.kind().name();
      }
    }
  }

  private static String exchange(HttpConnection connection, CountDownLatch written)
      throws IOException, InterruptedException {
    connection.begin("GET", false);
    connection.send(ByteBuffer.wrap("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
    connection.receive();
    ResponseBody body = connection.body();
    var text = new StringBuilder();
    for (ByteBuffer part = body.next(); part != null; part = body.next()) {
      text.append(StandardCharsets.ISO_8859_1.decode(part));
    }
    written.await();
    boolean kept = !connection.sentTooMuch() && connection.reusable();
    return text + (kept ? ", kept" : ", last");
  }

  private static void serve(
      ServerSocket server, String answer, boolean atOnce, CountDownLatch written) {
    try (Socket socket = server.accept()) {
      socket.setTcpNoDelay(true);
      socket.getInputStream().readNBytes(18);
      byte[] bytes = answer.getBytes(StandardCharsets.ISO_8859_1);
      OutputStream out = socket.getOutputStream();
      if (atOnce) {
        out.write(bytes);
      } else {
        for (byte each : bytes) {
          out.write(each);
        }
      }
      socket.shutdownOutput();
      written.countDown();
      socket.getInputStream().readAllBytes();
    } catch (IOException e) {
      // The other side has heard enough.
    }
  }
}
