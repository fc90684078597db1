package dev.staithe.gateway.attack;

import static dev.staithe.gateway.attack.Stage.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.attack.Stage.Judge;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.xml.Soap;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;

/** Attacks on contexts, the keys that are derived from them, and who they belong to. */
class ContextAttackTests {
  private static Stage stage;

  @BeforeAll
  static void raise() {
    stage = new Stage();
  }

  static Stream<Arguments> cases() {
    return Stream.of(Stage.x509(), Stage.conversation())
        .flatMap(policy -> Stream.of(Judge.values()).map(judge -> Arguments.of(judge, policy)));
  }

  private static void identifier(Cut cut, String other) {
    Cut.child(Cut.child(cut.security(), "SecurityContextToken"), "Identifier")
        .setTextContent(other);
  }

  @ParameterizedTest
  @EnumSource
  void unknownContext(Judge judge) {
    refused(
        stage.attack(
            judge,
            Stage.conversation(),
            cut -> identifier(cut, "urn:uuid:99999999-9999-4999-8999-999999999999")),
        Refusal.CONTEXT);
  }

  /** Mallory names Ada's context: without its secret nothing fits. */
  @ParameterizedTest
  @EnumSource
  void derivedKeyTokenPointsToAnotherPartysContext(Judge judge) {
    EndpointPolicy policy = Stage.conversation();
    byte[] own =
        stage
            .secured(
                policy, stage.mallory, stage.context(Stage.MALLORY_CONTEXT, null), Stage.PAYLOAD)
            .envelope();
    assertThat(stage.open(judge, policy, own)).isInstanceOf(Opening.Opened.class);
    var cut = new Cut(own);
    identifier(cut, Stage.ADA_CONTEXT);
    refused(
        stage.open(judge, policy, cut.bytes()),
        Refusal.SIGNATURE,
        Refusal.DECRYPTION,
        Refusal.COVERAGE);
  }

  /** A context that was asked for at another endpoint is not good here. */
  @ParameterizedTest
  @EnumSource
  void contextOfAnotherEndpoint(Judge judge) {
    EndpointPolicy policy = Stage.conversation();
    byte[] foreign =
        stage
            .secured(policy, stage.ada, stage.context(Stage.FOREIGN_CONTEXT, null), Stage.PAYLOAD)
            .envelope();
    refused(stage.open(judge, policy, foreign), Refusal.CONTEXT);
  }

  /** Canonical form leaves comments out: a name around one is one name to everybody. */
  @ParameterizedTest
  @MethodSource("cases")
  void commentInside(Judge judge, EndpointPolicy policy) {
    var cut = new Cut(stage.ofAda(policy).envelope());
    String text = cut.text();
    String inside =
        text.contains("<wsc:Identifier>urn:")
            ? text.replace("<wsc:Identifier>urn:", "<wsc:Identifier>urn:<!-- -->")
            : text.replaceFirst("(Created[^>]*>20)", "$1<!-- -->");
    assertThat(inside).isNotEqualTo(text);
    assertThat(stage.open(judge, policy, inside.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(Opening.Opened.class);
    String hidden = inside.replace("<!-- -->", "<!-- --><!-- ").replaceFirst("</", " --></");
    refused(
        stage.open(judge, policy, hidden.getBytes(StandardCharsets.UTF_8)),
        Refusal.CONTEXT,
        Refusal.MALFORMED,
        Refusal.POLICY,
        Refusal.SIGNATURE);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void processingInstructionInside(Judge judge, EndpointPolicy policy) {
    var cut = new Cut(stage.ofAda(policy).envelope());
    String inside = cut.text().replaceFirst("(Created[^>]*>20)", "$1<?x y?>");
    refused(stage.open(judge, policy, inside.getBytes(StandardCharsets.UTF_8)), Refusal.MALFORMED);
  }

  private static void derivation(Cut cut, String name, String value) {
    for (Element token : cut.all(Namespaces.SC_13, "DerivedKeyToken")) {
      Soap.child(token, name)
          .ifPresentOrElse(
              found -> found.setTextContent(value),
              () -> {
                Element added = cut.document.createElementNS(Namespaces.SC_13, "wsc:" + name);
                added.setTextContent(value);
                Element nonce = Cut.child(token, "Nonce");
                token.insertBefore(added, nonce);
              });
    }
  }

  @ParameterizedTest
  @EnumSource
  void derivationBeyondTheCap(Judge judge) {
    for (String length : new String[] {"1000000", "2147483647", "4294967312", "-1", "0", "x"}) {
      refused(
          stage.attack(judge, Stage.conversation(), cut -> derivation(cut, "Length", length)),
          Refusal.DERIVATION,
          Refusal.MALFORMED,
          Refusal.POLICY);
    }
    for (String offset : new String[] {"1000000", "2147483647", "9999999999", "-16"}) {
      refused(
          stage.attack(judge, Stage.conversation(), cut -> derivation(cut, "Offset", offset)),
          Refusal.DERIVATION,
          Refusal.MALFORMED,
          Refusal.POLICY);
    }
  }

  @ParameterizedTest
  @EnumSource
  void nonceBeyondTheCap(Judge judge) {
    refused(
        stage.attack(
            judge,
            Stage.conversation(),
            cut -> derivation(cut, "Nonce", "A".repeat(4 * ((65 + 2) / 3) * 100))),
        Refusal.DERIVATION);
  }

  /** Whoever follows it never comes to an end. */
  @ParameterizedTest
  @EnumSource
  void keyThatIsDerivedFromItself(Judge judge) {
    refused(
        stage.attack(
            judge,
            Stage.conversation(),
            cut ->
                cut.all(Namespaces.SC_13, "DerivedKeyToken")
                    .forEach(token -> derivedFrom(token, Cut.id(token)))),
        Refusal.DERIVATION);
  }

  @ParameterizedTest
  @EnumSource
  void keysThatAreDerivedFromEachOther(Judge judge) {
    refused(
        stage.attack(
            judge,
            Stage.conversation(),
            cut -> {
              var tokens = cut.all(Namespaces.SC_13, "DerivedKeyToken");
              derivedFrom(tokens.get(0), Cut.id(tokens.get(1)));
              derivedFrom(tokens.get(1), Cut.id(tokens.get(0)));
            }),
        Refusal.DERIVATION);
  }

  private static void derivedFrom(Element token, String id) {
    Element reference = Cut.child(Cut.child(token, "SecurityTokenReference"), "Reference");
    reference.setAttribute("URI", "#" + id);
  }

  @ParameterizedTest
  @EnumSource
  void moreDerivedKeysThanAMessageNeeds(Judge judge) {
    refused(
        stage.attack(
            judge,
            Stage.conversation(),
            cut -> {
              Element token = cut.first(Namespaces.SC_13, "DerivedKeyToken");
              for (int i = 0; i < 40; i++) {
                var copy = (Element) token.cloneNode(true);
                copy.setAttributeNS(Namespaces.WSU, "wsu:Id", "more-" + i);
                cut.security().insertBefore(copy, token);
              }
            }),
        Refusal.DERIVATION,
        Refusal.LIMIT,
        Refusal.POLICY);
  }
}
