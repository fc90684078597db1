package dev.staithe.wss.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.TrustAnchors;
import dev.staithe.pki.ca.HostCertificateRequest;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.wss.Findings;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.SecurityElements;
import dev.staithe.wss.crypto.OwnKey;
import dev.staithe.xml.Octets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Kept signatures: sound as they were, and whatever is changed in them is told. */
class KeptMessageTests {
  private static final String RSA = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";
  private static final String ECDSA = "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256";
  private static final byte[] BODY = "<b>said</b>".getBytes(StandardCharsets.UTF_8);
  private static final byte[] TIME = "<t>then</t>".getBytes(StandardCharsets.UTF_8);
  private static final List<String> NONE = List.of();

  @TempDir static Path folder;
  private static TrustAnchors anchors;
  private static Credential rsa;
  private static Credential curved;
  private static Credential stranger;

  @BeforeAll
  static void makeKeys() throws IOException {
    var authority = ThrowAwayAuthority.in(Files.createDirectory(folder.resolve("a")), clock());
    rsa = authority.host(request("rsa", KeyKind.RSA_2048)).credential();
    curved = authority.host(request("ec", KeyKind.EC_P256)).credential();
    var other = ThrowAwayAuthority.in(Files.createDirectory(folder.resolve("b")), clock());
    stranger = other.host(request("stranger", KeyKind.RSA_2048)).credential();
    anchors = new TrustAnchors(Set.of(authority.issuer().certificate()), List.of(), List.of());
  }

  private static Clock clock() {
    return Clock.systemUTC();
  }

  private static HostCertificateRequest request(String name, KeyKind kind) {
    return new HostCertificateRequest(List.of(name), kind, Duration.ofDays(1));
  }

  private static Findings.SignedParts signed(Credential by) throws Exception {
    String algorithm = by == curved ? ECDSA : RSA;
    String digest = Namespaces.XENC + "sha256";
    var covered = new Octets(1024);
    SecurityElements.covered("b", digest, sha256(BODY), List.of(), covered);
    SecurityElements.covered("t", digest, sha256(TIME), List.of("p", ""), covered);
    var key = OwnKey.of(by);
    var info = new ArrayList<byte[]>();
    byte[] value =
        SecurityElements.signature(
            null,
            algorithm,
            covered,
            (data, from, length) -> {
              info.add(Arrays.copyOfRange(data, from, from + length));
              return key.sign(algorithm, data, from, length);
            },
            "",
            new Octets(2048));
    return new Findings.SignedParts(
        algorithm,
        info.getFirst(),
        value,
        List.of(
            new Findings.Reference("#b", "Body", BODY),
            new Findings.Reference("#t", "Timestamp", TIME)),
        by.chain());
  }

  private static byte[] sha256(byte[] octets) throws Exception {
    return MessageDigest.getInstance("SHA-256").digest(octets);
  }

  private static KeptMessage kept(Findings.SignedParts signature) {
    return new KeptMessage(
        Instant.now(), "/e", signature, List.of("a1"), List.of("r1", "r2"), "policy");
  }

  private static String unsound(Findings.SignedParts signature) {
    return Verifier.verify(kept(signature), anchors) instanceof Verification.Invalid(String line)
        ? line
        : "";
  }

  @Test
  void messageIsSoundUnderBothKindsOfKeysAlsoAfterItWasKept() throws Exception {
    for (Credential each : List.of(rsa, curved)) {
      KeptMessage message = kept(signed(each));
      assertThat(Verifier.verify(message, anchors)).isInstanceOf(Verification.Valid.class);
      KeptMessage again = KeptMessage.decode(message.encode());
      assertThat(again.encode()).isEqualTo(message.encode());
      assertThat(again.at()).isEqualTo(message.at());
      assertThat(again.revocations()).containsExactly("r1", "r2");
      assertThat(Verifier.verify(again, anchors)).isInstanceOf(Verification.Valid.class);
    }
  }

  /** The lists of a signature gather there what all the elements around declare. */
  @Test
  void signedInfoWithManyDeclarationsAndElementsIsStillVerified() throws Exception {
    var s = signed(rsa);
    var declared = new StringBuilder("<ds:SignedInfo");
    for (int i = 0; i < 500; i++) {
      declared.append(" xmlns:p").append(i).append("=\"urn:p\"");
    }
    String info = new String(s.signedInfo(), StandardCharsets.UTF_8);
    String wide = info.replaceFirst("<ds:SignedInfo", declared.toString());
    String many =
        info.replaceFirst("(<ec:InclusiveNamespaces[^>]*>)", "$1" + "<a></a>".repeat(300_000));
    var key = OwnKey.of(rsa);
    for (String each : List.of(wide, many)) {
      assertThat(each).isNotEqualTo(info);
      byte[] octets = each.getBytes(StandardCharsets.UTF_8);
      byte[] value = key.sign(RSA, octets, 0, octets.length);
      assertThat(unsound(of(s, RSA, each, value, s.references()))).isEmpty();
    }
  }

  /** What is changed in what is wrong with it. */
  enum Change {
    VALUE("does not fit"),
    SIGNED_INFO("does not fit"),
    NO_XML("no XML"),
    OTHER_ELEMENT("no SignedInfo"),
    PART("is not what was signed"),
    LESS("other parts"),
    MORE("other parts"),
    ORDER("does not cover"),
    ALGORITHM("another than the one that was signed"),
    UNKNOWN_ALGORITHM("another than the one that was signed"),
    NOBODY("no certificate"),
    OTHER_SIGNER("does not fit"),
    STRANGER("not to be believed");

    private final String told;

    Change(String told) {
      this.told = told;
    }
  }

  @ParameterizedTest
  @EnumSource(Change.class)
  void whateverIsChangedIsTold(Change change) throws Exception {
    var s = signed(change == Change.STRANGER ? stranger : rsa);
    String info = new String(s.signedInfo(), StandardCharsets.UTF_8);
    byte[] value = s.value().clone();
    value[9] ^= 1;
    var body = s.references().getFirst();
    var time = s.references().getLast();
    var other =
        switch (change) {
          case VALUE -> of(s, s.algorithm(), info, value, s.references());
          case SIGNED_INFO ->
              of(
                  s,
                  s.algorithm(),
                  info.replace("PrefixList", "Prefixlist"),
                  s.value(),
                  s.references());
          case NO_XML -> of(s, s.algorithm(), info + "<", s.value(), s.references());
          case OTHER_ELEMENT ->
              of(s, s.algorithm(), info.replace("SignedInfo", "Info"), s.value(), s.references());
          case PART ->
              of(
                  s,
                  s.algorithm(),
                  info,
                  s.value(),
                  List.of(new Findings.Reference("#b", "Body", TIME), time));
          case LESS -> of(s, s.algorithm(), info, s.value(), List.of(body));
          case MORE -> of(s, s.algorithm(), info, s.value(), List.of(body, time, time));
          case ORDER -> of(s, s.algorithm(), info, s.value(), List.of(time, body));
          case ALGORITHM -> of(s, RSA.replace("256", "512"), info, s.value(), s.references());
          case UNKNOWN_ALGORITHM -> of(s, "urn:none", info, s.value(), s.references());
          case NOBODY ->
              new Findings.SignedParts(
                  s.algorithm(), s.signedInfo(), s.value(), s.references(), List.of());
          case OTHER_SIGNER ->
              new Findings.SignedParts(
                  s.algorithm(), s.signedInfo(), s.value(), s.references(), stranger.chain());
          case STRANGER -> s;
        };
    assertThat(unsound(other)).contains(change.told).doesNotContain("\n");
  }

  private static Findings.SignedParts of(
      Findings.SignedParts from,
      String algorithm,
      String info,
      byte[] value,
      List<Findings.Reference> references) {
    return new Findings.SignedParts(
        algorithm, info.getBytes(StandardCharsets.UTF_8), value, references, from.chain());
  }

  /** Two numbers, with zeros in front or without, are one signature; another length is none. */
  @Test
  void numbersOfACurveAreTakenHoweverTheyAreFilled() throws Exception {
    var s = signed(curved);
    int half = s.value().length / 2;
    byte[] wide = new byte[2 * (half + 5)];
    System.arraycopy(s.value(), 0, wide, 5, half);
    System.arraycopy(s.value(), half, wide, half + 10, half);
    String info = new String(s.signedInfo(), StandardCharsets.UTF_8);
    assertThat(unsound(of(s, ECDSA, info, wide, s.references()))).isEmpty();
    wide[0] = 1;
    assertThat(unsound(of(s, ECDSA, info, wide, s.references()))).isNotEmpty();
    byte[] odd = Arrays.copyOf(s.value(), s.value().length - 1);
    assertThat(unsound(of(s, ECDSA, info, odd, s.references()))).isNotEmpty();
  }

  @Test
  void everyByteThatIsCutOffOrPutBehindIsTold() throws Exception {
    byte[] encoded = kept(signed(rsa)).encode();
    for (int length = 0; length < encoded.length; length += length < 200 ? 1 : 17) {
      byte[] cut = Arrays.copyOf(encoded, length);
      assertThatThrownBy(() -> KeptMessage.decode(cut)).isInstanceOf(IOException.class);
    }
    byte[] more = Arrays.copyOf(encoded, encoded.length + 1);
    assertThatThrownBy(() -> KeptMessage.decode(more)).hasMessageContaining("follows");
  }

  /** Lengths are not believed: nothing is made room for that is not there. */
  @Test
  void everyByteThatIsChangedGivesAMessageOrOneLine() throws Exception {
    byte[] encoded = kept(signed(curved)).encode();
    for (int at = 0; at < encoded.length; at++) {
      byte[] changed = encoded.clone();
      changed[at] = (byte) (changed[at] ^ 0x80);
      try {
        // A changed letter makes another message, which its SHA-256 tells; a length makes none.
        assertThat(KeptMessage.decode(changed).signature().references()).hasSize(2);
      } catch (IOException e) {
        assertThat(String.valueOf(e.getMessage())).doesNotContain("\n");
      }
    }
  }

  @Test
  void messageIsReadFromItsPlaceAndNoOther() throws Exception {
    byte[] encoded = kept(signed(rsa)).encode();
    String sha256 = EvidenceFolder.sha256(encoded);
    String file = "messages-2026-01-02.bin";
    byte[] all = new byte[encoded.length + 20];
    System.arraycopy(encoded, 0, all, 7, encoded.length);
    Files.write(folder.resolve(file), all);
    var evidence = new EvidenceFolder(folder);

    assertThat(evidence.message(file, 7, encoded.length, sha256).encode()).isEqualTo(encoded);
    for (int offset : new int[] {0, 6, 8}) {
      assertThatThrownBy(() -> evidence.message(file, offset, encoded.length, sha256))
          .hasMessageContaining("was changed");
    }
    assertThatThrownBy(() -> evidence.message(file, 30, encoded.length, sha256))
        .hasMessageContaining("ends before");
    assertThatThrownBy(() -> evidence.message(file, -1, encoded.length, sha256))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("names no message");
  }

  @ParameterizedTest
  @CsvSource({
    "../messages-2026-01-02.bin, 1",
    "messages-2026-01-02.bin/../x, 1",
    "messages-2026-1-2.bin, 1",
    "evidence.log, 1",
    "messages-2026-01-02.bin, -1",
    "messages-2026-01-02.bin, 1073741825",
  })
  void lineThatNamesNoMessageReadsNothing(String file, int length) {
    assertThatThrownBy(() -> new EvidenceFolder(folder).message(file, 0, length, "x"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("names no message");
  }

  @Test
  void objectsAreWhatTheirNamesSayOrAreNotTaken(@TempDir Path place) throws Exception {
    Path objects = Files.createDirectory(place.resolve(EvidenceFolder.OBJECTS));
    byte[] policy = "<p/>".getBytes(StandardCharsets.UTF_8);
    String name = EvidenceFolder.sha256(policy);
    byte[] authority = anchors.certificates().iterator().next().getEncoded();
    String issuer = EvidenceFolder.sha256(authority);
    Files.write(objects.resolve(name + ".xml"), policy);
    Files.write(objects.resolve(issuer + ".cer"), authority);
    var evidence = new EvidenceFolder(place);
    var message = new KeptMessage(Instant.now(), "/e", signed(rsa), List.of(issuer), NONE, name);

    assertThat(evidence.policy(message)).isEqualTo(policy);
    assertThat(Verifier.verify(message, evidence.trust(message)))
        .isInstanceOf(Verification.Valid.class);
    var nobody = new KeptMessage(Instant.now(), "/e", signed(rsa), NONE, NONE, "../" + name);
    assertThatThrownBy(() -> evidence.trust(nobody)).hasMessageContaining("no authority");
    assertThatThrownBy(() -> evidence.policy(nobody)).hasMessageContaining("names no object");
    Files.write(objects.resolve(name + ".xml"), BODY);
    assertThatThrownBy(() -> evidence.policy(message)).hasMessageContaining("was changed");
  }

  @Test
  void logsAreReadFromTheOldestToTodays(@TempDir Path place) throws IOException {
    for (String each :
        List.of(
            "evidence.log",
            "evidence.log.2026-01-02",
            "evidence.log.2025-12-31",
            "evidence.log.lock",
            "messages-2026-01-02.bin")) {
      Files.createFile(place.resolve(each));
    }
    assertThat(new EvidenceFolder(place).logs())
        .extracting(each -> each.getFileName().toString())
        .containsExactly("evidence.log.2025-12-31", "evidence.log.2026-01-02", "evidence.log");
  }
}
