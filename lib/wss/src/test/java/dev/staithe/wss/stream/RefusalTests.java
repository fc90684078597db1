package dev.staithe.wss.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.KeyKind;
import dev.staithe.testkit.Trials;
import dev.staithe.wss.Arrival;
import dev.staithe.wss.Expectation;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.client.Holder;
import dev.staithe.wss.client.Initiator;
import dev.staithe.wss.client.PlainRequest;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.wss.policy.EndpointPolicy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages of the right shape that are wrong in one thing, and such of another shape. */
class RefusalTests {
  @TempDir static Path folder;
  private static Parties parties;
  private static EndpointPolicy x509;
  private static EndpointPolicy conversation;

  @BeforeAll
  static void makeParties() throws Exception {
    parties = new Parties(folder, Clock.systemUTC(), KeyKind.RSA_2048);
    x509 = BuiltInPolicies.policy("x509", AlgorithmList.MODERN);
    conversation = BuiltInPolicies.policy("conversation", AlgorithmList.MODERN);
  }

  private static Opening altered(EndpointPolicy policy, UnaryOperator<String> change)
      throws Exception {
    SecurityContext context = policy == conversation ? parties.context(policy) : null;
    String message =
        new String(
            parties.request(policy, context, StreamEngineTests.PLAIN).envelope(),
            StandardCharsets.UTF_8);
    String changed = change.apply(message);
    assertThat(changed).isNotEqualTo(message);
    return parties.open(changed.getBytes(StandardCharsets.UTF_8), policy, AlgorithmList.MODERN);
  }

  private static Opening of(EndpointPolicy policy, byte[] envelope) {
    return parties.open(envelope, policy, AlgorithmList.MODERN);
  }

  private static void isRefused(Opening opening, Refusal reason) {
    assertThat(opening).isInstanceOf(Opening.Refused.class);
    assertThat(((Opening.Refused) opening).reason()).isEqualTo(reason);
  }

  /** The same text with another character at a place. */
  private static String flipped(String text, String after, int ahead) {
    int at = text.indexOf(after) + after.length() + ahead;
    char other = text.charAt(at) == 'A' ? 'B' : 'A';
    return text.substring(0, at) + other + text.substring(at + 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"SignatureValue>", "DigestValue>"})
  void openWhenAValueOfTheSignatureIsAlteredThenRefuses(String element) throws Exception {
    isRefused(altered(conversation, text -> flipped(text, element, 2)), Refusal.SIGNATURE);
    isRefused(altered(x509, text -> flipped(text, element, 2)), Refusal.SIGNATURE);
  }

  @Test
  void openWhenCiphertextIsAlteredThenRefusesToldAsASignature() throws Exception {
    Opening opening = altered(conversation, text -> flipped(text, "CipherValue>", 40));
    isRefused(opening, Refusal.DECRYPTION);
    assertThat(Refusal.DECRYPTION.told()).isEqualTo(Refusal.SIGNATURE.told());
  }

  /** The other engine takes longer, so that leaving a message to it would tell of the padding. */
  @Test
  void openWhenPaddingIsWrongThenNamesBeyondAsciiAreLeftToTheOtherEngineAsEver() throws Exception {
    EndpointPolicy old = BuiltInPolicies.policy("conversation", AlgorithmList.INTEROP);
    String plain = StreamEngineTests.PLAIN.replace("say", "s\u00e9y");
    String message =
        new String(
            parties.request(old, parties.context(old), plain).envelope(), StandardCharsets.UTF_8);
    int from = message.indexOf("CipherValue>") + "CipherValue>".length();
    int to = message.indexOf('<', from);
    byte[] octets = Base64.getDecoder().decode(message.substring(from, to));
    octets[octets.length - 17] ^= 0x55;
    String wrong =
        message.substring(0, from)
            + Base64.getEncoder().encodeToString(octets)
            + message.substring(to);
    for (String each : List.of(message, wrong)) {
      assertThat(parties.open(each.getBytes(StandardCharsets.UTF_8), old, AlgorithmList.INTEROP))
          .isInstanceOf(Opening.Unknown.class);
    }
  }

  @Test
  void openWhenTheEncryptedKeyIsAlteredThenRefusesAsAnyWrongKey() throws Exception {
    isRefused(altered(x509, text -> flipped(text, "CipherValue>", 20)), Refusal.DECRYPTION);
  }

  @Test
  void openWhenTheTimestampIsAlteredThenRefuses() throws Exception {
    isRefused(
        altered(conversation, text -> text.replaceFirst("Created>2", "Created>1")),
        Refusal.SIGNATURE);
  }

  @Test
  void openWhenStaleOrFromTheFutureThenRefuses() throws Exception {
    for (Duration off : new Duration[] {Duration.ofMinutes(-7), Duration.ofMinutes(2)}) {
      var then = Clock.offset(parties.clock, off);
      byte[] envelope =
          new Initiator(x509, parties.holder(), null, then).secure(plain()).envelope();
      isRefused(of(x509, envelope), Refusal.STALE);
    }
  }

  private static PlainRequest plain() throws Exception {
    return PlainRequest.read(
        StreamEngineTests.PLAIN.getBytes(StandardCharsets.UTF_8), "urn:say", "http://localhost");
  }

  @Test
  void openWhenTheSignerIsAStrangerThenRefuses() throws Exception {
    byte[] envelope =
        new Initiator(
                x509,
                Holder.of(parties.stranger, parties.service.certificate()),
                null,
                parties.clock)
            .secure(plain())
            .envelope();
    isRefused(of(x509, envelope), Refusal.UNTRUSTED);
  }

  @Test
  void openWhenTheContextIsUnknownEndedOrForeignThenRefuses() throws Exception {
    SecurityContext unknown = parties.context(conversation);
    byte[] first = parties.request(conversation, unknown, StreamEngineTests.PLAIN).envelope();
    parties.contexts.remove(unknown.identifier());
    isRefused(of(conversation, first), Refusal.CONTEXT);
    SecurityContext ended = parties.context(conversation);
    byte[] second = parties.request(conversation, ended, StreamEngineTests.PLAIN).envelope();
    ended.end();
    isRefused(of(conversation, second), Refusal.CONTEXT);
    SecurityContext foreign = parties.context(conversation, "another-endpoint", Namespaces.SC_13);
    byte[] third = parties.request(conversation, foreign, StreamEngineTests.PLAIN).envelope();
    isRefused(of(conversation, third), Refusal.CONTEXT);
  }

  @Test
  void openWhenContextIsOfFebruary2005ThenOpens() throws Exception {
    SecurityContext context = parties.context(conversation, Parties.ENDPOINT, Namespaces.SC_2005);
    byte[] envelope = parties.request(conversation, context, StreamEngineTests.PLAIN).envelope();
    String text = new String(envelope, StandardCharsets.UTF_8);
    if (text.contains(Namespaces.SC_2005)) {
      assertThat(of(conversation, envelope)).isInstanceOf(Opening.Opened.class);
    }
  }

  @Test
  void openWhenSecurityHeaderIsMissingThenRefuses() {
    isRefused(
        of(x509, StreamEngineTests.PLAIN.getBytes(StandardCharsets.UTF_8)), Refusal.NO_SECURITY);
  }

  @Test
  void openWhenBodyIsMovedIntoAHeaderAndReplacedThenConcludesNothingOrRefuses() throws Exception {
    Opening opening =
        altered(
            conversation,
            text -> {
              int from = text.indexOf("<", text.indexOf(":Header>", text.indexOf(":Security>")));
              String body = body(text);
              String forged = "<soap:Body xmlns:soap='" + SOAP + "'><evil/></soap:Body>";
              return text.substring(0, from)
                  .concat(text.substring(from))
                  .replace(body, forged)
                  .replaceFirst(
                      "</([a-z]+):Header>",
                      "<w:wrap xmlns:w='urn:w'>"
                          + java.util.regex.Matcher.quoteReplacement(body)
                          + "</w:wrap></$1:Header>");
            });
    assertThat(opening).isNotInstanceOf(Opening.Opened.class);
  }

  private static final String SOAP = "http://schemas.xmlsoap.org/soap/envelope/";

  private static String body(String text) {
    var matcher = java.util.regex.Pattern.compile("(?s)<([a-z]+):Body.*</\\1:Body>").matcher(text);
    assertThat(matcher.find()).isTrue();
    return matcher.group();
  }

  @Test
  void openWhenAnIdentifierComesTwiceThenRefuses() throws Exception {
    isRefused(
        altered(
            conversation,
            text ->
                text.replaceFirst(
                    "(<[a-z]+:Header[^>]*>)",
                    "$1<x:y xmlns:x='urn:y' Id='double'/><x:y xmlns:x='urn:y' xml:id='double'/>")),
        Refusal.POLICY);
  }

  @Test
  void openWhenThereAreTwoSecurityHeadersThenRefuses() throws Exception {
    isRefused(
        altered(
            conversation,
            text ->
                text.replaceFirst(
                    "(<[a-z]+:Header[^>]*>)", "$1<w:Security xmlns:w='" + Namespaces.WSSE + "'/>")),
        Refusal.POLICY);
  }

  @Test
  void openWhenACommentIsPutAnywhereThenItIsPassedOver() throws Exception {
    assertThat(altered(conversation, text -> text.replace("urn:uuid:", "urn:<!-- -->uuid:")))
        .isInstanceOf(Opening.Opened.class);
    assertThat(altered(conversation, text -> text + "<!-- -->")).isInstanceOf(Opening.Opened.class);
  }

  @Test
  void openWhenAnInstructionIsPutAnywhereThenRefuses() throws Exception {
    isRefused(altered(conversation, text -> text + "<?pi?>"), Refusal.MALFORMED);
  }

  @Test
  void openWhenAnUnsignedHeaderBlockMustBeUnderstoodThenRefuses() throws Exception {
    String block = "$1<x:must xmlns:x='urn:y' xmlns:s='" + SOAP + "' s:mustUnderstand='1'/>";
    isRefused(
        altered(conversation, text -> text.replaceFirst("(<[a-z]+:Header[^>]*>)", block)),
        Refusal.NOT_UNDERSTOOD);
  }

  @Test
  void openWhenAnUnsignedHeaderBlockNeedNotBeUnderstoodThenItIsLeftOut() throws Exception {
    Opening opening =
        altered(
            conversation,
            text -> text.replaceFirst("(<[a-z]+:Header[^>]*>)", "$1<x:may xmlns:x='urn:y'/>"));
    assertThat(opening).isInstanceOf(Opening.Opened.class);
    assertThat(((Opening.Opened) opening).message().headers())
        .noneMatch(each -> each.name().getLocalPart().equals("may"));
  }

  @Test
  void openWhenADerivationIsTooLongThenRefusesBeforeDeriving() throws Exception {
    isRefused(
        altered(conversation, text -> text.replaceFirst("Length>[0-9]+<", "Length>9999<")),
        Refusal.DERIVATION);
    isRefused(
        altered(conversation, text -> text.replaceFirst("Offset>0<", "Offset>1000000000<")),
        Refusal.DERIVATION);
  }

  @Test
  void openWhenAnAlgorithmIsDowngradedThenRefuses() throws Exception {
    isRefused(
        altered(
            conversation,
            text ->
                text.replace(
                    "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256",
                    "http://www.w3.org/2000/09/xmldsig#hmac-sha1")),
        Refusal.ALGORITHM);
    isRefused(
        altered(x509, text -> text.replace("xmlenc#sha256", "xmlenc#ripemd160")),
        Refusal.ALGORITHM);
  }

  @Test
  void openWhenShapeIsStrangeThenConcludesNothing() throws Exception {
    Opening opening =
        altered(
            conversation,
            text ->
                text.replaceFirst(
                    "</([a-z]+):Security>",
                    "<u:UsernameToken xmlns:u='" + Namespaces.WSSE + "'/></$1:Security>"));
    assertThat(opening).isInstanceOf(Opening.Unknown.class);
  }

  @Test
  void openWhenBeyondLimitsThenRefuses() throws Exception {
    byte[] deep = ("<a>".repeat(100) + "</a>".repeat(100)).getBytes(StandardCharsets.UTF_8);
    isRefused(of(x509, deep), Refusal.LIMIT);
    var limits = Expectation.Limits.DEFAULT;
    byte[] envelope = parties.request(x509, null, StreamEngineTests.PLAIN).envelope();
    var small =
        new Expectation.Limits(
            envelope.length - 1,
            limits.depth(),
            limits.attributes(),
            limits.skew(),
            limits.freshness(),
            limits.references(),
            limits.derivedKeys(),
            limits.derivedBytes(),
            limits.nonceBytes(),
            limits.iterations());
    var expectation = new Expectation(Parties.ENDPOINT, x509, AlgorithmList.MODERN, small, false);
    isRefused(
        parties.engine.open(new Arrival(envelope, expectation, Arrival.TransportFacts.PLAIN)),
        Refusal.LIMIT);
  }

  /** Whatever is altered: nothing is thrown, and nothing else than what was signed comes out. */
  @ParameterizedTest
  @EnumSource(AlgorithmList.class)
  void openWhenBytesAreAlteredThenNothingElseThanWhatWasSignedComesOut(AlgorithmList list)
      throws Exception {
    for (String name : new String[] {"conversation", "x509"}) {
      EndpointPolicy policy = BuiltInPolicies.policy(name, list);
      @Nullable SecurityContext context = name.equals("x509") ? null : parties.context(policy);
      byte[] envelope = parties.request(policy, context, StreamEngineTests.PLAIN).envelope();
      byte[] body = ((Opening.Opened) parties.open(envelope, policy, list)).message().body();
      var random = new Random(7);
      int opened = 0;
      int count = name.equals("x509") ? 400 : 4_000;
      for (int i = 0; i < count; i++) {
        byte[] altered = altered(envelope, random);
        if (parties.open(altered, policy, list) instanceof Opening.Opened out) {
          opened++;
          assertThat(out.message().body()).isEqualTo(body);
        }
      }
      // White space in tags and the like.
      assertThat(opened).isLessThan(count / 4);
      Trials.held(count);
    }
  }

  private static byte[] altered(byte[] envelope, Random random) {
    byte[] altered = envelope.clone();
    int at = random.nextInt(altered.length);
    switch (random.nextInt(3)) {
      case 0 -> altered[at] = (byte) random.nextInt(256);
      case 1 -> altered[at] ^= (byte) (1 << random.nextInt(7));
      default -> {
        int to = Math.min(altered.length, at + 1 + random.nextInt(20));
        byte[] shorter = Arrays.copyOf(altered, altered.length - (to - at));
        System.arraycopy(altered, to, shorter, at, altered.length - to);
        return shorter;
      }
    }
    return altered;
  }
}
