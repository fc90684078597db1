package dev.staithe.gateway.attack;

import static dev.staithe.gateway.attack.Stage.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.attack.Stage.Judge;
import dev.staithe.testkit.Trials;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.client.SecuredRequest;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.xml.XmlLimits;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** Attacks on encryption: what is told of it, and what is encrypted at all. */
class EncryptionAttackTests {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private static Stage stage;
  private static Stage old;

  @BeforeAll
  static void raise() {
    stage = new Stage();
    old = new Stage(AlgorithmList.INTEROP);
  }

  static Stream<Arguments> cases() {
    return Stream.of(Stage.x509(), Stage.conversation())
        .flatMap(policy -> Stream.of(Judge.values()).map(judge -> Arguments.of(judge, policy)));
  }

  static Stream<Arguments> interop() {
    return Stream.of("x509", "conversation")
        .map(name -> BuiltInPolicies.policy(name, AlgorithmList.INTEROP))
        .flatMap(policy -> Stream.of(Judge.values()).map(judge -> Arguments.of(judge, policy)));
  }

  private static Element cipherValueOfBody(Cut cut) {
    return Cut.child(
        Cut.child(Cut.child(cut.body(), "EncryptedData"), "CipherData"), "CipherValue");
  }

  private static byte[] decoded(Element cipherValue) {
    return Base64.getMimeDecoder().decode(cipherValue.getTextContent());
  }

  private static void set(Element cipherValue, byte[] octets) {
    cipherValue.setTextContent(Base64.getEncoder().encodeToString(octets));
  }

  /**
   * The padding oracle on CBC (Jager and Somorovsky, 2011): whatever is wrong with the last blocks,
   * the outcome is that of a signature that does not fit.
   */
  @ParameterizedTest
  @MethodSource("interop")
  void cbcPaddingOracle(Judge judge, EndpointPolicy policy) {
    SecuredRequest good = old.ofAda(policy);
    var told = new ArrayList<Refusal.Told>();
    var random = new Random(1);
    for (int i = 0; i < 64; i++) {
      var cut = new Cut(good.envelope());
      Element value = cipherValueOfBody(cut);
      byte[] octets = decoded(value);
      // The block before the last decides over the padding, others over the text.
      int at = i < 48 ? octets.length - 32 + i % 16 : 16 + random.nextInt(octets.length - 48);
      octets[at] ^= (byte) (1 + random.nextInt(255));
      set(value, octets);
      Opening opening = old.open(judge, policy, AlgorithmList.INTEROP, cut.bytes());
      assertThat(opening).isInstanceOf(Opening.Refused.class);
      told.add(((Opening.Refused) opening).reason().told());
    }
    Trials.held(told.size());
    assertThat(told).containsOnly(Refusal.Told.INVALID);
  }

  /** As many identifiers in front as are taken: those of the content are too many if it is read. */
  @ParameterizedTest
  @MethodSource("cases")
  void oracleOfALimit(Judge judge, EndpointPolicy policy) {
    String payload = "<p:pay xmlns:p='urn:pay' Id='a'><p:amount Id='b'>1</p:amount></p:pay>";
    SecuredRequest good =
        stage.secured(policy, stage.ada, stage.context(Stage.ADA_CONTEXT, null), payload);
    String text = new Cut(good.envelope()).text();
    var many = new StringBuilder("<x:x xmlns:x=\"urn:x\">");
    for (int i = text.split("[ :]Id=\"", -1).length - 1; i < XmlLimits.IDENTIFIERS; i++) {
      many.append("<a Id=\"i").append(i).append("\"/>");
    }
    int header = text.indexOf("<", text.indexOf("Header") + 6);
    String full = text.substring(0, header) + many + "</x:x>" + text.substring(header);
    assertThat(stage.open(judge, policy, full.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOfSatisfying(
            Opening.Refused.class,
            it -> assertThat(it.reason().told()).isEqualTo(Refusal.Told.INVALID));
  }

  /**
   * The oracle on key transport (Bleichenbacher, Manger): a key that cannot be unwrapped is told as
   * a signature that does not fit.
   */
  @ParameterizedTest
  @EnumSource
  void keyTransportOracle(Judge judge) {
    EndpointPolicy policy = Stage.x509();
    SecuredRequest good = stage.ofAda(policy);
    var random = new Random(2);
    for (int i = 0; i < 16; i++) {
      var cut = new Cut(good.envelope());
      Element value =
          Cut.child(
              Cut.child(cut.first(Namespaces.XENC, "EncryptedKey"), "CipherData"), "CipherValue");
      byte[] octets = decoded(value);
      if (i == 0) {
        Arrays.fill(octets, (byte) 0xff);
      } else if (i == 1) {
        Arrays.fill(octets, (byte) 0);
      } else {
        octets[random.nextInt(octets.length)] ^= 1;
      }
      set(value, octets);
      Opening opening = stage.open(judge, policy, cut.bytes());
      assertThat(opening)
          .isInstanceOfSatisfying(
              Opening.Refused.class,
              it -> assertThat(it.reason().told()).isEqualTo(Refusal.Told.INVALID));
      Trials.held();
    }
  }

  /**
   * What is refused for its ciphertext takes as long as what is refused for its signature, within
   * what a machine under load makes of it: medians of interleaved attempts.
   */
  @ParameterizedTest
  @MethodSource("interop")
  void timeTellsNothingOfThePadding(Judge judge, EndpointPolicy policy) {
    SecuredRequest good = old.ofAda(policy);
    takesAsLong(judge, policy, broken(good, -17), broken(good, 40), 150);
  }

  /** What is read of it takes longer than all else: it must be read whatever its padding. */
  @ParameterizedTest
  @MethodSource("interop")
  void timeTellsNothingOfThePaddingOfALongText(Judge judge, EndpointPolicy policy) {
    String payload =
        "<p:pay xmlns:p=\"urn:pay\">" + "<p:amount>1</p:amount>".repeat(10_000) + "</p:pay>";
    SecuredRequest good =
        old.secured(policy, old.ada, old.context(Stage.ADA_CONTEXT, null), payload);
    // Both spoil the end of the text, and the first one the padding too.
    takesAsLong(judge, policy, broken(good, -17), broken(good, -20), 30);
  }

  private static void takesAsLong(
      Judge judge, EndpointPolicy policy, byte[] one, byte[] other, int times) {
    double ratio = 0;
    for (int attempt = 0; attempt < 5; attempt++) {
      var first = new ArrayList<Long>();
      var second = new ArrayList<Long>();
      for (int i = 0; i < times; i++) {
        first.add(time(judge, policy, one));
        second.add(time(judge, policy, other));
      }
      Trials.held(first.size() + second.size());
      ratio = (double) median(first) / median(second);
      if (ratio > 0.7 && ratio < 1.4) {
        return;
      }
    }
    assertThat(ratio).as("ratio of medians, in the last of five attempts").isBetween(0.7, 1.4);
  }

  private static byte[] broken(SecuredRequest good, int at) {
    var cut = new Cut(good.envelope());
    Element value = cipherValueOfBody(cut);
    byte[] octets = decoded(value);
    octets[at < 0 ? octets.length + at : at] ^= 0x55;
    set(value, octets);
    return cut.bytes();
  }

  private static long time(Judge judge, EndpointPolicy policy, byte[] envelope) {
    // Of the processor, which other work on the machine does not lengthen.
    long began = THREADS.getCurrentThreadCpuTime();
    Opening opening = old.open(judge, policy, AlgorithmList.INTEROP, envelope);
    long took = THREADS.getCurrentThreadCpuTime() - began;
    assertThat(opening).isInstanceOf(Opening.Refused.class);
    return took;
  }

  private static long median(List<Long> times) {
    times.sort(null);
    return times.get(times.size() / 2);
  }

  /** Signed before it was encrypted, and now shown to all: the policy demands that it is not. */
  @ParameterizedTest
  @MethodSource("cases")
  void encryptedDataReplacedByPlaintext(Judge judge, EndpointPolicy policy) {
    EndpointPolicy open = Stage.signedOnly(policy);
    refused(
        stage.open(judge, policy, stage.ofAda(open).envelope()), Refusal.COVERAGE, Refusal.POLICY);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void ciphertextOfAnotherMessage(Judge judge, EndpointPolicy policy) {
    SecuredRequest other = stage.ofAda(policy);
    refused(
        stage.attack(
            judge,
            policy,
            cut -> {
              Node foreign =
                  cut.document.importNode(
                      Cut.child(new Cut(other.envelope()).body(), "EncryptedData"), true);
              Element own = Cut.child(cut.body(), "EncryptedData");
              ((Element) foreign).setAttribute("Id", own.getAttribute("Id"));
              Cut.replace(own, foreign);
            }),
        Refusal.SIGNATURE,
        Refusal.DECRYPTION,
        Refusal.POLICY);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void referenceListPointsElsewhere(Judge judge, EndpointPolicy policy) {
    refused(
        stage.attack(
            judge,
            policy,
            cut ->
                cut.first(Namespaces.XENC, "DataReference")
                    .setAttribute("URI", "#" + Cut.id(Cut.child(cut.security(), "Timestamp")))),
        Refusal.COVERAGE,
        Refusal.POLICY,
        Refusal.DECRYPTION,
        Refusal.SIGNATURE,
        Refusal.MALFORMED);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void referenceListIsGone(Judge judge, EndpointPolicy policy) {
    refused(
        stage.attack(
            judge,
            policy,
            cut -> {
              Element list = cut.first(Namespaces.XENC, "ReferenceList");
              list.getParentNode().removeChild(list);
            }),
        Refusal.COVERAGE,
        Refusal.POLICY,
        Refusal.SIGNATURE,
        Refusal.DECRYPTION);
  }

  /** An EncryptedKey that is encrypted by itself, and two by each other. */
  @ParameterizedTest
  @EnumSource
  void recursiveKeyReferences(Judge judge) {
    refused(
        stage.attack(
            judge,
            Stage.x509(),
            cut -> {
              Element key = cut.first(Namespaces.XENC, "EncryptedKey");
              key.setAttribute("Id", "loop");
              Element info = Cut.child(key, "KeyInfo");
              while (info.hasChildNodes()) {
                info.removeChild(info.getFirstChild());
              }
              Element token =
                  cut.document.createElementNS(Namespaces.WSSE, "wsse:SecurityTokenReference");
              Element reference = cut.document.createElementNS(Namespaces.WSSE, "wsse:Reference");
              reference.setAttribute("URI", "#loop");
              token.appendChild(reference);
              info.appendChild(token);
            }),
        Refusal.POLICY,
        Refusal.TOKEN,
        Refusal.DECRYPTION,
        Refusal.SIGNATURE);
  }

  /** RSA 1.5 is in no list; asked for, it must not even be tried. */
  @ParameterizedTest
  @EnumSource
  void keyTransportDowngradedToRsa15(Judge judge) {
    refused(
        stage.attack(
            judge,
            Stage.x509(),
            cut ->
                Cut.child(cut.first(Namespaces.XENC, "EncryptedKey"), "EncryptionMethod")
                    .setAttribute("Algorithm", Namespaces.XENC + "rsa-1_5")),
        Refusal.ALGORITHM);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void encryptionDowngradedToCbc(Judge judge, EndpointPolicy policy) {
    refused(
        stage.attack(
            judge,
            policy,
            cut ->
                Cut.child(Cut.child(cut.body(), "EncryptedData"), "EncryptionMethod")
                    .setAttribute("Algorithm", Namespaces.XENC + "aes128-cbc")),
        Refusal.ALGORITHM);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void ciphertextIsEmptyShortOrNoBase64(Judge judge, EndpointPolicy policy) {
    for (String value : List.of("", "AAAA", "!!!!", "A".repeat(37))) {
      refused(
          stage.attack(judge, policy, cut -> cipherValueOfBody(cut).setTextContent(value)),
          Refusal.DECRYPTION,
          Refusal.SIGNATURE,
          Refusal.MALFORMED,
          Refusal.POLICY);
    }
  }
}
