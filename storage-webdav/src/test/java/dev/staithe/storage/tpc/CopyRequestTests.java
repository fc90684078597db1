package dev.staithe.storage.tpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.http.HeaderField;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import java.util.Set;
import org.eclipse.jetty.http.HttpFields;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CopyRequestTests {
  private static final String URL = "https://se.example:8443/p/file?opaque=1";
  private static final Set<String> OWN = Set.of("own.example:8443");

  private static CopyRequest.Parsed parse(String... lines) {
    HttpFields.Mutable fields = HttpFields.build();
    for (String line : lines) {
      int colon = line.indexOf(':');
      fields.add(line.substring(0, colon), line.substring(colon + 1).strip());
    }
    return CopyRequest.parse(fields, OWN, Element.settings());
  }

  private static CopyRequest remote(String... lines) {
    return ((CopyRequest.Parsed.Remote) parse(lines)).request();
  }

  private static String refusal(String... lines) {
    CopyRequest.Parsed.Refused refused = (CopyRequest.Parsed.Refused) parse(lines);
    assertThat(refused.status()).isEqualTo(400);
    return refused.line();
  }

  @Test
  void whatGfal2SendsIsUnderstood() {
    CopyRequest copy =
        remote(
            "Source: " + URL,
            "Credential: none",
            "X-No-Delegate: true",
            "Secure-Redirection: 1",
            "RequireChecksumVerification: false",
            "X-Number-Of-Streams: 0",
            "TransferHeaderAuthorization: bearer token",
            "ClientInfo: job-id=a;file-id=1;retry=0",
            "Credential: none",
            "TE: trailers",
            "Keep-Alive:");
    assertThat(copy.direction()).isEqualTo(CopyRequest.Direction.PULL);
    assertThat(copy.remote().target()).isEqualTo("/p/file?opaque=1");
    assertThat(copy.overwrite()).isTrue();
    assertThat(copy.requireVerification()).isFalse();
    assertThat(copy.streams()).isEqualTo(1);
    assertThat(copy.checkAfterPush()).isTrue();
    assertThat(copy.clientInfo()).isEqualTo("job-id=a;file-id=1;retry=0");
    assertThat(copy.forwarded().fields())
        .containsExactly(new HeaderField("Authorization", "bearer token"));
  }

  @Test
  void whatIsAbsentHasTheSpecsDefaults() {
    CopyRequest copy = remote("Destination: " + URL);
    assertThat(copy.direction()).isEqualTo(CopyRequest.Direction.PUSH);
    assertThat(copy.overwrite()).isTrue();
    assertThat(copy.requireVerification()).isEqualTo(Element.settings().verifyByDefault());
    assertThat(copy.streams()).isEqualTo(1);
    assertThat(copy.expected()).isEmpty();
    assertThat(copy.sciTag()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://own.example:8443/data/x",
        "HTTPS://Own.Example:8443/data/x",
        "davs://own.example:8443/data/x",
        "/data/x"
      })
  void destinationOnThisServerIsAnOrdinaryCopy(String destination) {
    assertThat(parse("Destination: " + destination)).isInstanceOf(CopyRequest.Parsed.Local.class);
  }

  @Test
  void destinationOnAnotherPortOfThisHostIsRemote() {
    assertThat(parse("Destination: https://own.example:9443/x"))
        .isInstanceOf(CopyRequest.Parsed.Remote.class);
  }

  @Test
  void bothOrNeitherOfSourceAndDestinationIsRefused() {
    assertThat(refusal("Source: " + URL, "Destination: " + URL)).contains("both");
    assertThat(refusal("Overwrite: T")).contains("neither");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gsiftp://h/x",
        "ftp://h/x",
        "file:///etc/passwd",
        "https://user:pw@h/x",
        "https://h/x#frag",
        "https://",
        "https://h:0/x",
        "https://h:65536/x",
        "https://h:x/",
        "https://[::1/x",
        "https://[x]/x",
        "https://h/with blank",
        "https://h/\u00e9",
        "h/x",
        "//h/x"
      })
  void urlThatIsNoneIsRefused(String url) {
    assertThat(refusal("Source: " + url)).startsWith("Source: the URL");
  }

  @Test
  void headerGivenTwiceDifferentlyIsRefusedAndAlikeIsNot() {
    assertThat(refusal("Source: " + URL, "Overwrite: T", "Overwrite: F")).contains("twice");
    assertThat(remote("Source: " + URL, "Overwrite: F", "Overwrite: F").overwrite()).isFalse();
    assertThat(
            refusal(
                "Source: " + URL,
                "TransferHeaderAuthorization: Bearer a",
                "transferheaderauthorization: Bearer b"))
        .contains("twice")
        .doesNotContain("Bearer");
  }

  @Test
  void delegatedCopyIsOneWithCredentialGridsiteOnly() {
    assertThat(remote("Source: " + URL).delegated()).isFalse();
    assertThat(remote("Source: " + URL, "Credential: none").delegated()).isFalse();
    assertThat(remote("Source: " + URL, "Credential: GridSite").delegated()).isTrue();
  }

  @Test
  void delegatedCopyWithATokenForThePassivePartyOrInClearIsRefused() {
    assertThat(
            refusal(
                "Source: " + URL,
                "Credential: gridsite",
                "TransferHeaderAuthorization: Bearer secret"))
        .contains("exclude each other")
        .doesNotContain("secret");
    assertThat(
            refusal(
                "Source: " + URL, "Credential: gridsite", "Copy-Header: authorization: Bearer x"))
        .contains("exclude each other");
    assertThat(refusal("Destination: http://h.example/x", "Credential: gridsite"))
        .contains("must be https");
  }

  @ParameterizedTest
  @CsvSource({
    "Credential: oidc, Credential must be none or gridsite",
    "Overwrite: yes, Overwrite must be T or F",
    "RequireChecksumVerification: 1, must be true or false",
    "Depth: infinity, Depth infinity",
    "Depth: many, Depth must be 0",
    "X-Number-Of-Streams: -1, must be 0 to 100",
    "X-Number-Of-Streams: 101, must be 0 to 100",
    "X-Number-Of-Streams: x, must be 0 to 100",
    "Copy-Header: nonsense, Copy-Header must be",
    "Repr-Digest: adler=:x:, malformed",
    "TransferHeader(): x, a name that is none"
  })
  void badValueIsRefusedInWords(String header, String words) {
    assertThat(refusal("Source: " + URL, header)).contains(words);
  }

  @Test
  void streamsAreCappedByTheSettings() {
    assertThat(remote("Source: " + URL, "X-Number-Of-Streams: 100").streams()).isEqualTo(8);
    assertThat(remote("Source: " + URL, "X-Number-Of-Streams: 3").streams()).isEqualTo(3);
  }

  @Test
  void headersOfTheConnectionAreNeverForwarded() {
    CopyRequest copy =
        remote(
            "Source: " + URL,
            "TransferHeaderHost: evil",
            "TransferHeaderContent-Length: 1",
            "TransferHeaderTransfer-Encoding: chunked",
            "TransferHeaderConnection: upgrade",
            "TransferHeaderExpect: x",
            "TransferHeaderRange: bytes=0-0",
            "TransferHeaderAccept-Encoding: gzip",
            "Copy-Header: Trailer: x",
            "TransferHeader: empty name",
            "Copy-Header: X-One: 1",
            "TransferHeaderX-Two: 2");
    assertThat(copy.forwarded().fields())
        .containsExactly(new HeaderField("X-One", "1"), new HeaderField("X-Two", "2"));
  }

  @Test
  void tooManyForwardedHeadersAreRefused() {
    String[] lines = new String[52];
    lines[0] = "Source: " + URL;
    for (int i = 1; i < lines.length; i++) {
      lines[i] = "TransferHeaderX-" + i + ": v";
    }
    assertThat(refusal(lines)).contains("more than 50 forwarded headers");
    assertThat(refusal("Source: " + URL, "TransferHeaderX: " + "x".repeat(40_000)))
        .contains("more than 32768 characters");
  }

  @Test
  void sciTagTakesPrecedenceOverItsTransferHeader() {
    CopyRequest copy = remote("Source: " + URL, "SciTag: 100", "TransferHeaderSciTag: 200");
    assertThat(copy.sciTag()).isEqualTo(100);
    assertThat(copy.forwarded().fields()).containsExactly(new HeaderField("SciTag", "100"));
    assertThat(remote("Source: " + URL, "SciTag: 64").sciTag()).isZero();
    assertThat(remote("Source: " + URL, "SciTag: 65536").sciTag()).isZero();
    assertThat(remote("Source: " + URL, "SciTag: junk").sciTag()).isZero();
  }

  @Test
  void archiveMetadataGoesWithPushesOnly() {
    String header = "TransferHeaderArchiveMetadata: e30=";
    assertThat(remote("Source: " + URL, header).forwarded().fields()).isEmpty();
    assertThat(remote("Destination: " + URL, header).forwarded().fields()).hasSize(1);
  }

  @Test
  void reprDigestIsExpectedUnderEitherNameOfAdler() {
    assertThat(remote("Source: " + URL, "Repr-Digest: adler=:AAAAAQ==:").expected())
        .containsOnlyKeys(ChecksumAlgorithm.ADLER32);
    assertThat(remote("Source: " + URL, "Repr-Digest: adler32=:AAAAAQ==:").expected())
        .containsOnlyKeys(ChecksumAlgorithm.ADLER32);
    assertThat(remote("Source: " + URL, "Repr-Digest: crc32c=:AAAAAQ==:").expected()).isEmpty();
  }

  @Test
  void clientInfoCannotBreakLogLines() {
    assertThat(remote("Source: " + URL, "ClientInfo: a\u00e9\tb").clientInfo()).isEqualTo("a??b");
    assertThat(remote("Source: " + URL, "ClientInfo: " + "x".repeat(1000)).clientInfo())
        .hasSize(256);
  }

  @Test
  void credentialsAreNotInTheRequestsText() {
    assertThat(remote("Source: " + URL, "TransferHeaderAuthorization: Bearer secret").toString())
        .doesNotContain("secret")
        .doesNotContain("opaque");
  }
}
