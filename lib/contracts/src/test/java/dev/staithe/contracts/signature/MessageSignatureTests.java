package dev.staithe.contracts.signature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.contracts.Keys;
import dev.staithe.contracts.signature.SignedMessage.Component;
import dev.staithe.pki.Pem;
import dev.staithe.pki.PemException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.interfaces.ECPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.greenbytes.http.sfv.Parser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9421: its own vectors, and everything that a signature must not pass with. */
final class MessageSignatureTests {
  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
  private static final ContractKey KEY = Keys.make();
  private static final List<Component> COVERED =
      Stream.of("@method", "@target-uri", "contract").map(Component::of).toList();

  private static SignedMessage request(String method, String uri, String contract) {
    return SignedMessage.request(method, uri, Map.of("Contract", List.of(contract)));
  }

  private static MessageSignature signed(SignedMessage message, Instant created, Duration life)
      throws BadSignature {
    return MessageSignature.sign(
        message, KEY, new MessageSignature.Wanted("sig1", COVERED, created, life, "n1", "t"));
  }

  private static SignedMessage with(SignedMessage message, MessageSignature signature) {
    Map<String, List<String>> fields = new HashMap<>(message.fields());
    fields.put("signature-input", List.of(signature.inputField()));
    fields.put("signature", List.of(signature.signatureField()));
    return SignedMessage.request(
        String.valueOf(message.method()), String.valueOf(message.targetUri()), fields);
  }

  private static void verify(SignedMessage message, Instant now) throws BadSignature {
    MessageSignature.find(message, "t").verify(KEY.publicKey(), Set.copyOf(COVERED), now);
  }

  /** Appendix B.2.4, by the key of B.1.3. */
  @Test
  void appendixB24IsTheSignatureThatTheRfcPrints() throws Exception {
    SignedMessage response =
        SignedMessage.answer(
            200,
            Map.of(
                "Content-Type",
                List.of("application/json"),
                "Content-Digest",
                List.of(
                    "sha-512=:mEWXIS7MaLRuGgxOBdODa3xqM1XdEvxoYhvlCFJ41QJgJc4GTsPp29l5oGX69wWdXymyU0"
                        + "rjJuahq4l5aGgfLQ==:"),
                "Content-Length",
                List.of("23")),
            request("POST", "https://example.com/foo?param=Value&Pet=dog", "x"));
    String base =
        MessageSignature.base(
            response,
            Stream.of("@status", "content-type", "content-digest", "content-length")
                .map(Component::of)
                .toList(),
            Parser.parseParameters(";created=1618884473;keyid=\"test-key-ecc-p256\""));
    assertThat(base)
        .endsWith(
            "\n\"@signature-params\": (\"@status\" \"content-type\" \"content-digest\""
                + " \"content-length\");created=1618884473;keyid=\"test-key-ecc-p256\"");
    PartyKey key =
        PartyKey.of(
            (ECPublicKey)
                KeyFactory.getInstance("EC")
                    .generatePublic(
                        new X509EncodedKeySpec(
                            Base64.getDecoder()
                                .decode(
                                    "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEqIVYZVLCrPZHGHjP17CTW0/+D9Lf"
                                        + "w0EkjqF7xB4FivAxzic30tMM4GF+hR6Dxh71Z50VGGdldkkDXZCnTNnoXQ=="))));
    byte[] signature =
        Base64.getDecoder()
            .decode(
                "wNmSUAhwb5LxtOtOpNa6W5xj067m5hFrj0XQ4fvpaCLx0NKocgPquLgyahnzDnDAUy5eCdlYUEkLIj+32oiasw==");
    assertThat(key.verify(base.getBytes(StandardCharsets.US_ASCII), signature)).isTrue();
    assertThat(key.verify((base + " ").getBytes(StandardCharsets.US_ASCII), signature)).isFalse();
  }

  @Test
  void whatWasSignedIsFoundAndGood() throws Exception {
    SignedMessage message = request("GET", "https://p.example/a", "id=\"1\"");
    SignedMessage sent = with(message, signed(message, NOW, Duration.ofMinutes(5)));
    verify(sent, NOW);
    verify(sent, NOW.minusSeconds(60));
    verify(sent, NOW.plusSeconds(5 * 60 + 59));
  }

  @ParameterizedTest
  @ValueSource(strings = {"method", "uri", "field", "signature", "input"})
  void nothingOfWhatIsCoveredCanBeChanged(String what) throws Exception {
    SignedMessage message = request("GET", "https://p.example/a", "id=\"1\"");
    MessageSignature signature = signed(message, NOW, Duration.ofMinutes(5));
    SignedMessage sent =
        with(
            request(
                what.equals("method") ? "PUT" : "GET",
                what.equals("uri") ? "https://p.example/b" : "https://p.example/a",
                what.equals("field") ? "id=\"2\"" : "id=\"1\""),
            signature);
    Map<String, List<String>> fields = new HashMap<>(sent.fields());
    if (what.equals("signature")) {
      byte[] other = signature.value().clone();
      other[40] ^= 1;
      fields.put("signature", List.of("sig1=:" + Base64.getEncoder().encodeToString(other) + ":"));
    }
    if (what.equals("input")) {
      fields.put(
          "signature-input",
          List.of(signature.inputField().replace("nonce=\"n1\"", "nonce=\"n2\"")));
    }
    SignedMessage changed =
        SignedMessage.request(
            String.valueOf(sent.method()), String.valueOf(sent.targetUri()), fields);
    assertThatThrownBy(() -> verify(changed, NOW))
        .isInstanceOf(BadSignature.class)
        .hasMessage("the signature is not by the key that it names");
  }

  @Test
  void clocksMayDifferByAMinuteAndNotByMore() throws Exception {
    SignedMessage message = request("GET", "https://p.example/a", "id=\"1\"");
    SignedMessage sent = with(message, signed(message, NOW, Duration.ofMinutes(5)));
    assertThatThrownBy(() -> verify(sent, NOW.minusSeconds(61))).hasMessageContaining("future");
    assertThatThrownBy(() -> verify(sent, NOW.plusSeconds(5 * 60 + 61)))
        .hasMessageContaining("expired");
    SignedMessage longer = with(message, signed(message, NOW, Duration.ofMinutes(6)));
    assertThatThrownBy(() -> verify(longer, NOW)).hasMessageContaining("more than 5 min");
  }

  @Test
  void signatureThatCoversLessIsRefused() throws Exception {
    SignedMessage message = request("GET", "https://p.example/a", "id=\"1\"");
    MessageSignature little =
        MessageSignature.sign(
            message,
            KEY,
            new MessageSignature.Wanted(
                "sig1", List.of(Component.of("@method")), NOW, Duration.ofMinutes(1), "n", "t"));
    assertThatThrownBy(() -> verify(with(message, little), NOW))
        .hasMessageContaining("does not cover");
  }

  /** Both sides keep what was signed, in a table that has room for so much. */
  @ParameterizedTest
  @ValueSource(strings = {"label", "parameter", "uri"})
  void signatureThatIsLongerThanWhatIsKeptIsRefused(String what) throws Exception {
    SignedMessage message =
        request(
            "GET", "https://p.example/" + "a".repeat(what.equals("uri") ? 21_000 : 1), "id=\"1\"");
    MessageSignature signature =
        MessageSignature.sign(
            message,
            KEY,
            new MessageSignature.Wanted(
                "l".repeat(what.equals("label") ? 400 : 1),
                COVERED,
                NOW,
                Duration.ofMinutes(5),
                "n".repeat(what.equals("parameter") ? 2_048 : 1),
                "t"));
    assertThatThrownBy(() -> verify(with(message, signature), NOW))
        .isInstanceOf(BadSignature.class)
        .hasMessageMatching("the signature.* more than [0-9]+ characters.*");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "sig1",
        "sig1=5",
        "sig1=(\"@method\");tag=\"t\";created=1, sig2=(\"@method\");tag=\"t\";created=1",
        "sig1=(\"@method\" \"@method\");tag=\"t\"",
        "sig1=(\"@query-param\";name=\"x\");tag=\"t\"",
        "sig1=(\"contract\";sf);tag=\"t\"",
        "sig1=(token);tag=\"t\"",
        "sig1=(\"@nothing\");tag=\"t\"",
        "sig1=(\"absent\");tag=\"t\"",
        "sig1=((((("
      })
  void fieldsThatSayNoSignatureAreRefusedInOneLine(String input) {
    SignedMessage message =
        SignedMessage.request(
            "GET",
            "https://p.example/a",
            Map.of(
                "Contract",
                List.of("id=\"1\""),
                "Signature-Input",
                List.of(input),
                "Signature",
                List.of("sig1=:AAAA:, sig2=:AAAA:")));
    assertThatThrownBy(() -> verify(message, NOW))
        .isInstanceOf(BadSignature.class)
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
  }

  @Test
  void fieldWithALineBreakIsNotSigned() {
    assertThatThrownBy(
            () ->
                signed(
                    request("GET", "https://p.example/a", "id=\"1\"\n\"@method\": PUT"),
                    NOW,
                    Duration.ofMinutes(1)))
        .isInstanceOf(BadSignature.class);
  }

  @Test
  void keyIsReadFromItsFileAndHasAPublicHalf(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("contract.pem");
    Process openssl =
        new ProcessBuilder("openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout")
            .redirectOutput(file.toFile())
            .start();
    assertThat(openssl.waitFor()).isZero();
    ContractKey key = ContractKey.read(file);
    assertThat(key.publicKey().verify(new byte[] {1}, key.sign(new byte[] {1}))).isTrue();
    assertThat(PartyKey.readSet(PartyKey.writeSet(List.of(key.publicKey())))).containsKey(key.id());
    Path rsa = folder.resolve("rsa.pem");
    Pem.writePrivateKey(rsa, dev.staithe.pki.KeyKind.RSA_2048.generate().getPrivate());
    assertThatThrownBy(() -> ContractKey.read(rsa))
        .isInstanceOf(PemException.class)
        .hasMessageContaining("P-256");
  }
}
