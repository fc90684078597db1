package dev.staithe.storage.dav;

import static dev.staithe.storage.dav.Requests.freshCollection;
import static dev.staithe.storage.dav.Requests.get;
import static dev.staithe.storage.dav.Requests.put;
import static dev.staithe.storage.dav.Requests.status;
import static dev.staithe.storage.dav.Requests.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.clients.Curl;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Partial PUT (RFC 9110 section 14.5), read back byte for byte. */
class PutRangeTests {
  private final String file = freshCollection() + "file";

  private Curl.Response part(String range, String content) {
    return put(file, content).header("Content-Range", range).run();
  }

  @Test
  void everyByteOfTheRangeIsWrittenAndNoOther() {
    put(file, "0123456789").run();
    assertThat(part("bytes 0-3/10", "abcd").status()).isEqualTo(204);
    assertThat(text(file)).isEqualTo("abcd456789");
    assertThat(part("bytes 9-9/10", "Z").status()).isEqualTo(204);
    assertThat(text(file)).isEqualTo("abcd45678Z");
    assertThat(part("bytes 4-5/*", "--").status()).isEqualTo(204);
    assertThat(text(file)).isEqualTo("abcd--678Z");
  }

  @Test
  void fileGrowsByRangesAtItsEnd() {
    assertThat(part("bytes 0-2/3", "abc").status()).isEqualTo(201);
    assertThat(part("bytes 3-5/6", "def").status()).isEqualTo(204);
    assertThat(part("bytes 5-7/8", "FGH").status()).isEqualTo(204);
    assertThat(text(file)).isEqualTo("abcdeFGH");
  }

  @Test
  void rangeThatWouldLeaveAGapIsNotSatisfiable() {
    put(file, "0123456789").run();
    Curl.Response response = part("bytes 11-12/13", "xy");
    assertThat(response.status()).isEqualTo(416);
    assertThat(response.header("Content-Range")).contains("bytes */10");
    assertThat(text(file)).isEqualTo("0123456789");
  }

  @Test
  void rangeOfAFileThatDoesNotExistBeginsAtZero() {
    assertThat(part("bytes 1-2/3", "xy").status()).isEqualTo(416);
    assertThat(status(file)).isEqualTo(404);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          bytes 0-4/10                   | abcd
          bytes 0-2/10                   | abcd
          bytes 3-0/10                   | abcd
          bytes 0-3/9                    | abcd
          bytes 0-3/11                   | abcd
          bytes 0-3                      | abcd
          bytes */10                     | abcd
          items 0-3/10                   | abcd
          bytes -1-3/10                  | abcd
          bytes 0-99999999999999999999/* | abcd
          """)
  void rangeThatDoesNotFitItsContentIsABadRequest(String range, String content) {
    put(file, "0123456789").run();
    assertThat(part(range, content).status()).isEqualTo(400);
    assertThat(text(file)).isEqualTo("0123456789");
  }

  @Test
  void chunkedRangeIsRefusedAsItsLengthIsUnknown() {
    put(file, "0123456789").run();
    assertThat(
            put(file, "abcd")
                .header("Content-Range", "bytes 0-3/10")
                .header("Transfer-Encoding", "chunked")
                .run()
                .status())
        .isEqualTo(400);
  }

  @Test
  void checksumAndTagAreThoseOfTheNewContent() {
    Curl.Response whole = put(file, "0123456789").run();
    Curl.Response changed = part("bytes 0-3/10", "abcd");
    assertThat(changed.header("ETag")).isPresent().isNotEqualTo(whole.header("ETag"));
    Curl.Response head = get(file).head().header("Want-Digest", "adler32").run();
    assertThat(head.header("ETag")).isEqualTo(changed.header("ETag"));
    assertThat(head.header("Digest"))
        .contains("adler32=" + Requests.adler32("abcd456789".getBytes(StandardCharsets.US_ASCII)));
  }

  @Test
  void rangeOfAVersionThatIsGoneIsRefused() {
    String old = put(file, "0123456789").run().header("ETag").orElseThrow();
    put(file, "9876543210").run();
    assertThat(
            put(file, "abcd")
                .header("Content-Range", "bytes 0-3/10")
                .header("If-Match", old)
                .run()
                .status())
        .isEqualTo(412);
    assertThat(text(file)).isEqualTo("9876543210");
  }

  @Test
  void statedChecksumOfAPartIsCompared() {
    put(file, "0123456789").run();
    Curl.Response response =
        put(file, "abcd")
            .header("Content-Range", "bytes 0-3/10")
            .header("Content-MD5", "AAAAAAAAAAAAAAAAAAAAAA==")
            .run();
    assertThat(response.status()).isEqualTo(412);
    assertThat(text(file)).isEqualTo("0123456789");
  }

  @Test
  void partsThatArriveAtOnceAllSurvive() throws Exception {
    put(file, ".".repeat(1000)).run();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Integer>> writers =
          IntStream.range(0, 10)
              .mapToObj(
                  i ->
                      (Callable<Integer>)
                          () ->
                              part(
                                      "bytes " + i * 100 + "-" + (i * 100 + 99) + "/1000",
                                      Integer.toString(i).repeat(100))
                                  .status())
              .toList();
      assertThat(threads.invokeAll(writers).stream().map(Future::resultNow)).containsOnly(204);
    }
    StringBuilder expected = new StringBuilder();
    IntStream.range(0, 10).forEach(i -> expected.append(Integer.toString(i).repeat(100)));
    assertThat(text(file)).isEqualTo(expected.toString());
  }
}
