package dev.staithe.wss.trust;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.xml.SafeXml;
import dev.staithe.xml.SoapVersion;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class TokenAnswerTests {
  private static byte[] body(String payload) {
    return ("<s:Body xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\">"
            + payload
            + "</s:Body>")
        .getBytes(StandardCharsets.UTF_8);
  }

  private static TokenAnswer read(String payload) {
    return TokenAnswer.read(body(payload)) instanceof TrustReading.Read<TokenAnswer>(var answer)
        ? answer
        : new TokenAnswer.Cancelled(TrustVersion.FEBRUARY_2005, "not read");
  }

  @Provide
  Arbitrary<TokenAnswer.Issued> issued() {
    Arbitrary<byte[]> secrets = Arbitraries.bytes().array(byte[].class).ofMinSize(16).ofMaxSize(64);
    Arbitrary<String> uris =
        Arbitraries.strings().withChars("abcXYZ019:/?&=;-_.~%+'").ofMinLength(1).ofMaxLength(40);
    Arbitrary<TokenAnswer.Key> keys =
        Arbitraries.oneOf(
            secrets.map(TokenAnswer.Key.Chosen::new),
            secrets.map(TokenAnswer.Key.Computed::new),
            Arbitraries.just(new TokenAnswer.Key.Unspecified()));
    Arbitrary<Instant> times =
        Arbitraries.longs()
            .between(0, 4_000_000_000_000L)
            .map(Instant::ofEpochMilli)
            .injectNull(0.1);
    return Combinators.combine(
            Arbitraries.of(TrustVersion.class),
            Arbitraries.of(TrustVersion.class),
            uris.injectNull(0.3),
            Combinators.combine(uris, uris.injectNull(0.5)).as(ContextName::new),
            keys,
            Arbitraries.of(0, 128, 192, 256),
            times,
            times)
        .as(
            (version, token, context, name, key, bits, created, expires) ->
                new TokenAnswer.Issued(
                    version, context, token, name, "sct-1", context, key, bits, created, expires));
  }

  @Property(tries = 300)
  void answerWhenWrittenThenReadsTheSame(@ForAll("issued") TokenAnswer.Issued written) {
    assertThat(read(written.payload())).usingRecursiveComparison().isEqualTo(written);
  }

  @Property(tries = 100)
  void keyWhenBothSidesAddedThenBothComputeTheSame(@ForAll("issued") TokenAnswer.Issued answer) {
    byte[] entropy = new byte[32];
    byte[] before = new byte[16];
    byte[] secret = answer.secret(entropy, null, 256);
    assertThat(secret).isNotNull();
    if (answer.key() instanceof TokenAnswer.Key.Computed) {
      assertThat(secret).hasSize((answer.keyBits() == 0 ? 256 : answer.keyBits()) / 8);
      assertThat(answer.secret(null, null, 256)).isNull();
    } else if (answer.key() instanceof TokenAnswer.Key.Unspecified) {
      assertThat(secret).isEqualTo(entropy);
      assertThat(answer.secret(entropy, before, 256)).isEqualTo(before);
    }
  }

  @Example
  void collectionWhenOasisThenHoldsNewTokensAndNotTheEndOfOne() {
    assertThat(new TokenAnswer.Cancelled(TrustVersion.OASIS, null).payload())
        .startsWith("<wst:RequestSecurityTokenResponse ");
    assertThat(read(new TokenAnswer.Cancelled(TrustVersion.OASIS, "urn:a").payload()))
        .isEqualTo(new TokenAnswer.Cancelled(TrustVersion.OASIS, "urn:a"));
  }

  @Example
  void readWhenSecretIsComputedWithoutEntropyOfTheServiceThenIsRefused() {
    var answer =
        new TokenAnswer.Issued(
            TrustVersion.OASIS,
            null,
            TrustVersion.OASIS,
            new ContextName("urn:uuid:1", null),
            "sct-1",
            null,
            new TokenAnswer.Key.Computed(new byte[16]),
            256,
            null,
            null);
    String without = answer.payload().replaceAll("<wst:Entropy>.*</wst:Entropy>", "");
    assertThat(TokenAnswer.read(body(without))).isInstanceOf(TrustReading.Refused.class);
  }

  @Example
  void textWhenItHoldsKeysThenShowsNoneOfThem() {
    var key = new TokenAnswer.Key.Chosen(new byte[] {42, 42, 42, 42});
    var answer =
        new TokenAnswer.Issued(
            TrustVersion.OASIS,
            null,
            TrustVersion.OASIS,
            new ContextName("urn:uuid:1", null),
            "sct-1",
            null,
            key,
            256,
            null,
            null);
    assertThat(answer + " " + key).doesNotContain("42").doesNotContain("[B@");
  }

  @Example
  void faultWhenWrittenThenIsWellFormedInBothVersions() {
    for (SoapVersion soap : SoapVersion.values()) {
      for (TrustFault fault : TrustFault.values()) {
        String payload = fault.payload(soap, TrustVersion.OASIS);
        assertThat(SafeXml.parsePlain(body(payload), XmlLimits.ofBytes(10_000)))
            .isInstanceOf(XmlDocument.Parsed.class);
        assertThat(payload).contains("t:" + fault.code());
      }
    }
  }
}
