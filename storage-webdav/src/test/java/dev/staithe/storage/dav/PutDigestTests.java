package dev.staithe.storage.dav;

import static dev.staithe.storage.dav.Requests.adler32;
import static dev.staithe.storage.dav.Requests.freshCollection;
import static dev.staithe.storage.dav.Requests.get;
import static dev.staithe.storage.dav.Requests.put;
import static dev.staithe.storage.dav.Requests.status;
import static dev.staithe.storage.dav.Requests.storage;
import static dev.staithe.storage.dav.Requests.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.RawConnection;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.clients.Curl;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Checksums that an upload states are compared with what arrived; nothing wrong becomes visible.
 */
class PutDigestTests {
  private static final String CONTENT = "what the client meant to send";
  private static final byte[] BYTES = CONTENT.getBytes(StandardCharsets.UTF_8);

  private final String file = freshCollection() + "file";

  private static byte[] digest(String algorithm) throws Exception {
    return MessageDigest.getInstance(algorithm).digest(BYTES);
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static String adlerBase64() {
    return base64(HexFormat.of().parseHex(adler32(BYTES)));
  }

  private void isTaken(String header, String value) {
    Curl.Response response = put(file, CONTENT).header(header, value).run();
    assertThat(response.status()).as(header + ": " + value).isIn(201, 204);
  }

  @Test
  void rightChecksumsOfEveryHeaderAreTaken() throws Exception {
    isTaken("Digest", "adler32=" + adler32(BYTES));
    isTaken("Digest", "ADLER32=" + adler32(BYTES).toUpperCase(java.util.Locale.ROOT));
    isTaken("Digest", "md5=" + base64(digest("MD5")));
    isTaken("Digest", "md5=" + HexFormat.of().formatHex(digest("MD5")));
    isTaken("Digest", "sha-256=" + base64(digest("SHA-256")) + ",adler32=" + adler32(BYTES));
    isTaken("Digest", "sha-512=" + base64(digest("SHA-512")));
    isTaken("Repr-Digest", "sha-256=:" + base64(digest("SHA-256")) + ":");
    isTaken("Repr-Digest", "adler=:" + adlerBase64() + ":");
    isTaken("Repr-Digest", "adler32=:" + adlerBase64() + ":");
    isTaken("Content-MD5", base64(digest("MD5")));
    isTaken("OC-Checksum", "ADLER32:" + adler32(BYTES));
    isTaken("OC-Checksum", "MD5:" + HexFormat.of().formatHex(digest("MD5")));
  }

  private static RawConnection.Answer chunked(String method, String path, String fields)
      throws IOException {
    String[] parts = fields.split(" / ", -1);
    try (RawConnection client = RawConnection.to(storage)) {
      client.send(
          method
              + " "
              + path
              + " HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
              + "Trailer: Digest\r\n"
              + parts[0]
              + "\r\n5\r\nhello\r\n0\r\n"
              + parts[1]
              + "\r\n\r\n");
      return client.answer();
    }
  }

  /** As clients do that compute while they send. */
  @ParameterizedTest
  @CsvSource({
    "201, Digest: adler32=062c0215",
    "201, 'Digest: md5=XUFAKrxLKna5cZ2REBfFkg=='",
    "201, 'Repr-Digest: sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:'",
    "201, 'X-Other: 1'",
    "412, Digest: adler32=00000001",
    "412, 'Digest: sha-512=' ",
    "400, 'Digest: md5=no'"
  })
  void checksumBehindTheContentIsComparedToo(int status, String trailer) throws Exception {
    boolean none = trailer.endsWith("sha-512=");
    String field = none ? trailer + base64(digest("SHA-512")) : trailer;
    assertThat(chunked("PUT", file, " / " + field).status()).isEqualTo(status);
    assertThat(status(file)).isEqualTo(status == 201 ? 200 : 404);

    String parts = file + "-parts";
    assertThat(chunked("PUT", parts, "Upload-Complete: ?1\r\n / " + field).status())
        .isIn(status, 104);
    Eventually.holds("the upload has ended", () -> status(parts) == (status == 201 ? 200 : 404));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Digest      | adler32=00000001
          Digest      | md5=AAAAAAAAAAAAAAAAAAAAAA==
          Digest      | sha-256=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
          Repr-Digest | adler=:AAAAAQ==:
          Repr-Digest | sha-256=:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=:
          Content-MD5 | AAAAAAAAAAAAAAAAAAAAAA==
          OC-Checksum | ADLER32:00000001
          """)
  void wrongChecksumIsRefusedAndNothingIsVisible(String header, String value) {
    Curl.Response fresh = put(file, CONTENT).header(header, value).run();
    assertThat(fresh.status()).isEqualTo(412);
    assertThat(fresh.text()).startsWith("checksum mismatch ").endsWith("\n").hasLineCount(1);
    assertThat(status(file)).isEqualTo(404);
    put(file, "the version before").run();
    assertThat(put(file, CONTENT).header(header, value).run().status()).isEqualTo(412);
    assertThat(text(file)).isEqualTo("the version before");
  }

  @Test
  void oneWrongChecksumAmongRightOnesIsEnough() {
    assertThat(
            put(file, CONTENT)
                .header("Digest", "adler32=" + adler32(BYTES))
                .header("Content-MD5", "AAAAAAAAAAAAAAAAAAAAAA==")
                .run()
                .status())
        .isEqualTo(412);
    assertThat(status(file)).isEqualTo(404);
  }

  @Test
  void twoChecksumsOfOneAlgorithmThatDifferAreRefused() {
    Curl.Response response =
        put(file, CONTENT)
            .header("Digest", "adler32=00000001")
            .header("Repr-Digest", "adler=:" + adlerBase64() + ":")
            .run();
    assertThat(response.status()).isIn(400, 412);
    assertThat(status(file)).isEqualTo(404);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Digest      | adler32=nothexatall
          Digest      | md5=AAAA
          Digest      | sha-256=@@@
          Repr-Digest | sha-256=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
          Repr-Digest | adler=:AAAA:
          Content-MD5 | broken
          OC-Checksum | ADLER32:xyz
          """)
  void brokenChecksumIsABadRequest(String header, String value) {
    Curl.Response response = put(file, CONTENT).header(header, value).run();
    assertThat(response.status()).isEqualTo(400);
    assertThat(response.text()).contains("broken").hasLineCount(1);
    assertThat(status(file)).isEqualTo(404);
  }

  @Test
  void checksumOfAnAlgorithmThatWeDoNotKnowIsPassedOver() {
    isTaken("Digest", "crc32c=AAAAAA==");
    isTaken("Repr-Digest", "unixsum=:AAAA:");
    isTaken("OC-Checksum", "SHA1:0000");
  }

  @Test
  void checksumThatIsWantedComesWithTheAnswerAndIsKept() throws Exception {
    Curl.Response plain = put(file, CONTENT).run();
    assertThat(plain.header("Digest")).contains("adler32=" + adler32(BYTES));
    Curl.Response wanted =
        put(file, CONTENT)
            .header("Want-Digest", "md5")
            .header("Want-Repr-Digest", "sha-512=2, sha-256=5")
            .run();
    assertThat(wanted.header("Digest")).contains("md5=" + base64(digest("MD5")));
    assertThat(wanted.header("Repr-Digest"))
        .contains("sha-256=:" + base64(digest("SHA-256")) + ":");
    // GET computes nothing, so what it shows was kept.
    assertThat(get(file).header("Want-Digest", "md5").run().header("Digest"))
        .contains("md5=" + base64(digest("MD5")));
  }

  @Test
  void checksumOfAnEmptyFileIsRight() {
    assertThat(put(file, "").run().header("Digest")).contains("adler32=00000001");
  }
}
