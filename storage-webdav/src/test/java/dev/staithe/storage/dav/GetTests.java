package dev.staithe.storage.dav;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.RunningStorage;
import dev.staithe.testkit.clients.Curl;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GetTests {
  private static final RunningStorage storage = RunningStorage.shared();
  private static final byte[] CONTENT = new byte[300_000];

  private Curl.Response put;

  @BeforeEach
  void putFile() throws IOException {
    new Random(1).nextBytes(CONTENT);
    Path file = Files.createTempFile("get", ".bin");
    Files.write(file, CONTENT);
    put = storage.curl("/open/get.bin").upload(file).run();
    Files.delete(file);
  }

  private static Curl get() {
    return storage.curl("/open/get.bin");
  }

  private static byte[] part(int from, int to) {
    return Arrays.copyOfRange(CONTENT, from, to);
  }

  @Test
  void wholeFileComesWithItsDescription() {
    Curl.Response response = get().run();
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.body()).isEqualTo(CONTENT);
    assertThat(response.header("ETag")).isEqualTo(put.header("ETag"));
    assertThat(response.header("Content-Length")).contains("300000");
    assertThat(response.header("Accept-Ranges")).contains("bytes");
    assertThat(response.header("Digest")).isEqualTo(put.header("Digest"));
    assertThat(response.header("Server")).isEmpty();
  }

  @Test
  void headSaysTheSameAndSendsNothing() {
    Curl.Response response = get().head().run();
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.header("Content-Length")).contains("300000");
    assertThat(response.header("ETag")).isEqualTo(put.header("ETag"));
  }

  @Test
  void singleSuffixAndOpenRangesComeAsAskedFor() {
    Curl.Response single = get().header("Range", "bytes=100-199").run();
    assertThat(single.status()).isEqualTo(206);
    assertThat(single.header("Content-Range")).contains("bytes 100-199/300000");
    assertThat(single.body()).isEqualTo(part(100, 200));
    assertThat(get().header("Range", "bytes=-7").run().body()).isEqualTo(part(299_993, 300_000));
    assertThat(get().header("Range", "bytes=299990-").run().body())
        .isEqualTo(part(299_990, 300_000));
    assertThat(get().header("Range", "bytes=299990-999999").run().header("Content-Range"))
        .contains("bytes 299990-299999/300000");
  }

  @Test
  void rangeBeyondTheEndIsNotSatisfiable() {
    Curl.Response response = get().header("Range", "bytes=300000-").run();
    assertThat(response.status()).isEqualTo(416);
    assertThat(response.header("Content-Range")).contains("bytes */300000");
  }

  @Test
  void severalRangesComeAsMultipartOfTheAnnouncedLength() {
    Curl.Response response = get().header("Range", "bytes=0-9,1000-1009,-5").run();
    assertThat(response.status()).isEqualTo(206);
    assertThat(response.header("Content-Type").orElseThrow())
        .startsWith("multipart/byteranges; boundary=");
    assertThat(response.header("Content-Length"))
        .contains(Integer.toString(response.body().length));
    String text = new String(response.body(), StandardCharsets.ISO_8859_1);
    assertThat(text)
        .contains("Content-Range: bytes 1000-1009/300000\r\n\r\n" + latin(part(1000, 1010)))
        .contains(
            "Content-Range: bytes 299995-299999/300000\r\n\r\n" + latin(part(299_995, 300_000)));
  }

  private static String latin(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  @Test
  void overlappingRangesAreSentOnce() {
    Curl.Response response = get().header("Range", "bytes=0-99,50-149,150-199").run();
    assertThat(response.status()).isEqualTo(206);
    assertThat(response.header("Content-Range")).contains("bytes 0-199/300000");
  }

  @Test
  void asManyRangesAsRootAsksForComeInOneAnswer() {
    String head = "Content-Range: bytes %d-%d/300000\r\n\r\n";
    String ranges =
        IntStream.range(0, 1024)
            .mapToObj(i -> (i * 200) + "-" + (i * 200 + 99))
            .collect(Collectors.joining(","));

    Curl.Response response = get().header("Range", "bytes=" + ranges).run();

    assertThat(response.status()).isEqualTo(206);
    assertThat(response.header("Content-Length")).contains("" + response.body().length);
    String text = latin(response.body());
    int at = 0;
    for (int i = 0; i < 1024; i++) {
      String wanted =
          head.formatted(i * 200, i * 200 + 99) + latin(part(i * 200, i * 200 + 100)) + "\r\n--";
      at = text.indexOf(wanted, at);
      assertThat(at).as("part %d", i).isNotNegative();
    }
  }

  /** System calls that read, of this process, in which the server is. */
  private static long reads() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/io")).stream()
        .filter(line -> line.startsWith("syscr:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .sum();
  }

  @Test
  void rangesThatLieTogetherAreReadTogether() throws IOException {
    String ranges =
        IntStream.range(0, 2_000)
            .mapToObj(i -> i * 40 + "-" + (i * 40 + 9))
            .collect(Collectors.joining(","));
    Curl request = get().header("Range", "bytes=" + ranges);
    Curl.Response response = request.run();
    assertThat(response.status()).isEqualTo(206);
    String text = latin(response.body());
    int at = 0;
    for (int i = 0; i < 2_000; i++) {
      int first = i * 40;
      at =
          text.indexOf(
              "Content-Range: bytes %d-%d/300000\r\n\r\n%s\r\n--"
                  .formatted(first, first + 9, latin(part(first, first + 10))),
              at);
      assertThat(at).as("part %d", i).isNotNegative();
    }

    long before = reads();
    request.run();
    assertThat(reads() - before).as("reads, where each part would be one").isLessThan(1_000);
  }

  @Test
  void partsOfEveryDistanceLengthAndOrderAreTheBytesOfTheFile() {
    Random random = new Random(7);
    for (int trial = 0; trial < 5; trial++) {
      List<int[]> asked = new ArrayList<>();
      for (int at = random.nextInt(100); at < 290_000; ) {
        int length = random.nextInt(4) == 0 ? 1 + random.nextInt(70_000) : 1 + random.nextInt(50);
        asked.add(new int[] {at, Math.min(299_999, at + length - 1)});
        at += length + 1 + (random.nextBoolean() ? random.nextInt(20) : random.nextInt(9_000));
      }
      if (trial > 2) {
        Collections.shuffle(asked, random);
      }
      String ranges = asked.stream().map(a -> a[0] + "-" + a[1]).collect(Collectors.joining(","));

      String text = latin(get().header("Range", "bytes=" + ranges).run().body());

      int at = 0;
      for (int[] each : asked) {
        at =
            text.indexOf(
                "Content-Range: bytes %d-%d/300000\r\n\r\n%s\r\n--"
                    .formatted(each[0], each[1], latin(part(each[0], each[1] + 1))),
                at);
        assertThat(at).as("%d-%d of %s", each[0], each[1], ranges).isNotNegative();
      }
    }
  }

  @Test
  void tooManyRangesGetTheWholeFile() {
    String many = "bytes=" + "-1,".repeat(8 * 1024) + "5-5";
    assertThat(get().header("Range", many).run().status()).isEqualTo(200);
  }

  @Test
  void ifRangeOfAnotherVersionGetsTheWholeFile() {
    assertThat(get().header("Range", "bytes=0-9").header("If-Range", "\"other\"").run().status())
        .isEqualTo(200);
    assertThat(
            get()
                .header("Range", "bytes=0-9")
                .header("If-Range", put.header("ETag").orElseThrow())
                .run()
                .status())
        .isEqualTo(206);
  }

  /** Two versions of one second have the same. */
  @Test
  void ifRangeWithADateGetsTheWholeFile() {
    String date = get().head().run().header("Last-Modified").orElseThrow();
    assertThat(get().header("Range", "bytes=0-9").header("If-Range", date).run().body())
        .isEqualTo(CONTENT);
  }

  @Test
  void conditionsAreJudgedInTheOrderOfTheStandard() {
    String etag = put.header("ETag").orElseThrow();
    assertThat(get().header("If-None-Match", etag).run().status()).isEqualTo(304);
    assertThat(get().header("If-None-Match", "W/" + etag).run().status()).isEqualTo(304);
    assertThat(get().header("If-Match", "\"other\"").run().status()).isEqualTo(412);
    assertThat(get().header("If-Match", etag).run().status()).isEqualTo(200);
    assertThat(get().header("If-Modified-Since", "Fri, 01 Jan 2100 00:00:00 GMT").run().status())
        .isEqualTo(304);
    assertThat(get().header("If-Unmodified-Since", "Sat, 01 Jan 2000 00:00:00 GMT").run().status())
        .isEqualTo(412);
    for (String old : List.of("Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994")) {
      assertThat(get().header("If-Unmodified-Since", old).run().status()).isEqualTo(412);
    }
    assertThat(get().header("If-Modified-Since", "not a date").run().status()).isEqualTo(200);
  }

  @Test
  void everyDigestThatIsAskedForIsComputedOnHead() {
    assertThat(get().head().header("Want-Digest", "md5").run().header("Digest").orElseThrow())
        .startsWith("md5=");
    assertThat(
            get().head().header("Want-Digest", "sha-256;q=0.5, adler32;q=1").run().header("Digest"))
        .isEqualTo(put.header("Digest"));
    assertThat(
            get()
                .head()
                .header("Want-Repr-Digest", "sha-512=3")
                .run()
                .header("Repr-Digest")
                .orElseThrow())
        .matches("sha-512=:[A-Za-z0-9+/]{86}==:");
    assertThat(
            get()
                .head()
                .header("Want-Repr-Digest", "adler=5")
                .run()
                .header("Repr-Digest")
                .orElseThrow())
        .startsWith("adler=:");
  }

  /** It may be a terabyte that is read for it. */
  @Test
  void noDigestIsComputedWhereNothingIsToldOfTheFile() {
    Curl.Response made = storage.curl("/open/get-conditional").method("PUT").body("x").run();
    String etag = made.header("ETag").orElseThrow();
    for (String field : List.of("If-None-Match", "If-Match")) {
      Curl.Response response =
          storage
              .curl("/open/get-conditional")
              .head()
              .header(field, field.equals("If-Match") ? "\"other\"" : etag)
              .header("Want-Digest", "sha-512")
              .run();
      assertThat(response.status()).isIn(304, 412);
      assertThat(response.header("Digest")).as(field).isEmpty();
    }
  }

  @Test
  void unknownDigestIsPassedOver() {
    Curl.Response response = get().head().header("Want-Digest", "crc32c").run();
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.header("Digest")).isEmpty();
  }

  @Test
  void checksumOfFileChangedBehindOurBackIsComputedAnew() throws IOException {
    Files.write(storage.open().resolve("get.bin"), new byte[] {1}, StandardOpenOption.APPEND);
    assertThat(get().run().header("Digest")).isEmpty();
    Curl.Response fresh = get().head().header("Want-Digest", "adler32").run();
    assertThat(fresh.header("Digest")).isPresent().isNotEqualTo(put.header("Digest"));
  }

  @Test
  void fileIsNotFoundUnderItsNameWithSlash() {
    assertThat(storage.curl("/open/get.bin/").run().status()).isEqualTo(404);
  }

  @Test
  void storedPageCannotRunAsOurs() throws IOException {
    Files.writeString(storage.open().resolve("evil.html"), "<script>alert(1)</script>");
    Curl.Response response = storage.curl("/open/evil.html").run();
    assertThat(response.header("Content-Security-Policy").orElseThrow()).startsWith("sandbox");
    assertThat(response.header("X-Content-Type-Options")).contains("nosniff");
  }
}
