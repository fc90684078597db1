package dev.staithe.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The examples that the signature's specification computes for S3, with its published keys. */
final class SignatureV4Tests {
  private static final S3Credentials KEYS =
      new S3Credentials("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "");
  private static final String HOST = "examplebucket.s3.amazonaws.com";

  private final SignatureV4 signature = new SignatureV4("us-east-1");

  private String signed(
      String method, String path, Map<String, String> query, Map<String, String> fields) {
    var all = new TreeMap<>(fields);
    all.put("host", HOST);
    all.put("x-amz-date", "20130524T000000Z");
    all.putIfAbsent("x-amz-content-sha256", SignatureV4.EMPTY);
    return signature.authorization(KEYS, method, path, new TreeMap<>(query), all);
  }

  @Test
  void getOfARange() {
    assertThat(signed("GET", "/test.txt", Map.of(), Map.of("range", "bytes=0-9")))
        .isEqualTo(
            "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
                + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,"
                + "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
  }

  @Test
  void putWithAKeyThatIsEscaped() {
    assertThat(
            signed(
                "PUT",
                "/" + S3Text.escape("test$file.text", true),
                Map.of(),
                Map.of(
                    "date",
                    "Fri, 24 May 2013 00:00:00 GMT",
                    "x-amz-storage-class",
                    "REDUCED_REDUNDANCY",
                    "x-amz-content-sha256",
                    "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072")))
        .endsWith("98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
  }

  @Test
  void queryWithoutValue() {
    assertThat(signed("GET", "/", Map.of("lifecycle", ""), Map.of()))
        .endsWith("fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
  }

  @Test
  void queryOfAListing() {
    assertThat(signed("GET", "/", Map.of("max-keys", "2", "prefix", "J"), Map.of()))
        .endsWith("34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
  }

  @Test
  void presignedUrl() {
    String query =
        signature.presigned(
            KEYS,
            "GET",
            HOST,
            "/test.txt",
            Instant.parse("2013-05-24T00:00:00Z"),
            Duration.ofDays(1),
            Map.of());
    assertThat(query)
        .isEqualTo(
            "X-Amz-Algorithm=AWS4-HMAC-SHA256"
                + "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
                + "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
                + "&X-Amz-Signature="
                + "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404");
  }

  /** Fields are read and sent in ISO 8859-1; an engine digests the bytes that come. */
  @Test
  void metadataOfOthersIsSignedByItsBytesWithOneBlankForMany() {
    for (String blanks : List.of(" ", "   ")) {
      String title = "  Gr\u00c3\u00bc\u00c3\u009fe" + blanks + "aus" + blanks + "Bonn ";
      assertThat(signed("PUT", "/a", Map.of(), Map.of("x-amz-meta-title", title)))
          .endsWith("e8fdb7745a2d8e352f20e87f885ec52e35ca6c623f75576e0439832a9a621817");
    }
  }

  @Test
  void keyOfANewDayIsAnother() {
    var fields = new TreeMap<>(Map.of("host", HOST, "x-amz-content-sha256", SignatureV4.EMPTY));
    fields.put("x-amz-date", "20130524T235959Z");
    String before = signature.authorization(KEYS, "GET", "/", new TreeMap<>(), fields);
    fields.put("x-amz-date", "20130525T000000Z");
    String after = signature.authorization(KEYS, "GET", "/", new TreeMap<>(), fields);
    String fresh =
        new SignatureV4("us-east-1").authorization(KEYS, "GET", "/", new TreeMap<>(), fields);
    assertThat(after).isEqualTo(fresh).isNotEqualTo(before);
  }
}
