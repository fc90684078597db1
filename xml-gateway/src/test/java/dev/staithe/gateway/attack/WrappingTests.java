package dev.staithe.gateway.attack;

import static dev.staithe.gateway.attack.Stage.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.attack.Stage.Judge;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.client.SecuredRequest;
import dev.staithe.wss.policy.EndpointPolicy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;

/**
 * Signature wrapping: the signed part is moved to where it verifies and means nothing, and another
 * stands in its place. Each on messages that are only signed and on encrypted ones, of both
 * mechanisms, before both engines.
 */
class WrappingTests {
  private static Stage stage;

  @BeforeAll
  static void raise() {
    stage = new Stage();
  }

  static Stream<Arguments> cases() {
    return Stream.of(
            Stage.x509(),
            Stage.signedOnly(Stage.x509()),
            Stage.conversation(),
            Stage.signedOnly(Stage.conversation()))
        .flatMap(policy -> Stream.of(Judge.values()).map(judge -> Arguments.of(judge, policy)));
  }

  private static Opening attack(Judge judge, EndpointPolicy policy, Consumer<Cut> knife) {
    return stage.attack(judge, policy, knife);
  }

  /** Else all of this would be shown of one engine, twice. */
  @ParameterizedTest
  @MethodSource("cases")
  void messagesAreStreamedBeforeTheyAreCut(Judge judge, EndpointPolicy policy) {
    assertThat(stage.stream(policy, new Cut(stage.ofAda(policy).envelope()).bytes()))
        .isInstanceOf(Opening.Opened.class);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void signedBodyMovedUnderTheSecurityHeader(Judge judge, EndpointPolicy policy) {
    refused(
        attack(
            judge,
            policy,
            cut -> cut.security().appendChild(Cut.replace(cut.body(), cut.evilBody("")))),
        Refusal.COVERAGE,
        Refusal.POLICY);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void signedBodyMovedUnderTheSecurityHeaderAndItsSuccessorHasAnId(
      Judge judge, EndpointPolicy policy) {
    refused(
        attack(
            judge,
            policy,
            cut -> {
              Element signed = Cut.replace(cut.body(), cut.evilBody("other"));
              cut.security().insertBefore(signed, cut.security().getFirstChild());
            }),
        Refusal.COVERAGE,
        Refusal.POLICY);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void signedBodyMovedUnderAnUnknownHeader(Judge judge, EndpointPolicy policy) {
    refused(
        attack(
            judge,
            policy,
            cut -> {
              Element wrapper = cut.wrapper();
              wrapper.appendChild(Cut.replace(cut.body(), cut.evilBody("")));
              cut.header().appendChild(wrapper);
            }),
        Refusal.COVERAGE,
        Refusal.POLICY);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void signedBodyMovedUnderAnOptionalHeaderOfAnotherRole(Judge judge, EndpointPolicy policy) {
    refused(
        attack(
            judge,
            policy,
            cut -> {
              Element wrapper = cut.wrapper();
              wrapper.setAttributeNS(Cut.SOAP, "s:mustUnderstand", "0");
              wrapper.setAttributeNS(Cut.SOAP, "s:actor", "urn:nobody");
              wrapper.appendChild(Cut.replace(cut.body(), cut.evilBody("")));
              cut.header().insertBefore(wrapper, cut.header().getFirstChild());
            }),
        Refusal.COVERAGE,
        Refusal.POLICY);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void secondBody(Judge judge, EndpointPolicy policy) {
    for (boolean before : new boolean[] {true, false}) {
      refused(
          attack(
              judge,
              policy,
              cut ->
                  cut.envelope().insertBefore(cut.evilBody("other"), before ? cut.body() : null)),
          Refusal.MALFORMED,
          Refusal.COVERAGE,
          Refusal.POLICY);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void signedBodyInsideAnObjectOfTheSignature(Judge judge, EndpointPolicy policy) {
    refused(
        attack(
            judge,
            policy,
            cut -> {
              Element object = cut.document.createElementNS(Namespaces.DS, "ds:Object");
              object.appendChild(Cut.replace(cut.body(), cut.evilBody("")));
              cut.first(Namespaces.DS, "Signature").appendChild(object);
            }),
        Refusal.COVERAGE,
        Refusal.POLICY,
        Refusal.TOKEN);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void sameIdTwice(Judge judge, EndpointPolicy policy) {
    for (boolean before : new boolean[] {true, false}) {
      refused(
          attack(
              judge,
              policy,
              cut -> {
                String id = Cut.id(cut.body());
                Element wrapper = cut.wrapper();
                wrapper.appendChild(Cut.replace(cut.body(), cut.evilBody(id)));
                cut.header().insertBefore(wrapper, before ? cut.header().getFirstChild() : null);
              }),
          Refusal.POLICY,
          Refusal.MALFORMED,
          Refusal.COVERAGE);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void sameIdInAnotherKindOfAttribute(Judge judge, EndpointPolicy policy) {
    for (String kind : List.of("Id", "ID", "xml:id")) {
      refused(
          attack(
              judge,
              policy,
              cut -> {
                String id = Cut.id(cut.body());
                Element signed = Cut.replace(cut.body(), cut.evilBody(""));
                if (kind.equals("xml:id")) {
                  cut.body().setAttributeNS("http://www.w3.org/XML/1998/namespace", kind, id);
                } else {
                  cut.body().setAttribute(kind, id);
                }
                Element wrapper = cut.wrapper();
                wrapper.appendChild(signed);
                cut.header().appendChild(wrapper);
              }),
          Refusal.POLICY,
          Refusal.MALFORMED,
          Refusal.COVERAGE);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void timestampWrapped(Judge judge, EndpointPolicy policy) {
    refused(
        attack(
            judge,
            policy,
            cut -> {
              Element old = Cut.child(cut.security(), "Timestamp");
              var fresh = (Element) old.cloneNode(true);
              fresh.setAttributeNS(Namespaces.WSU, "wsu:Id", "fresh");
              Cut.child(fresh, "Expires").setTextContent("2036-11-21T12:00:00Z");
              Cut.replace(old, fresh);
              Element wrapper = cut.wrapper();
              wrapper.appendChild(old);
              cut.header().appendChild(wrapper);
            }),
        Refusal.COVERAGE,
        Refusal.POLICY);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void secondTimestamp(Judge judge, EndpointPolicy policy) {
    refused(
        attack(
            judge,
            policy,
            cut -> {
              Element old = Cut.child(cut.security(), "Timestamp");
              var fresh = (Element) old.cloneNode(true);
              fresh.setAttributeNS(Namespaces.WSU, "wsu:Id", "fresh");
              cut.security().insertBefore(fresh, old);
            }),
        Refusal.POLICY,
        Refusal.COVERAGE);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void secondSecurityHeader(Judge judge, EndpointPolicy policy) {
    for (String actor : List.of("", "http://schemas.xmlsoap.org/soap/actor/next")) {
      refused(
          attack(
              judge,
              policy,
              cut -> {
                Element second = cut.document.createElementNS(Namespaces.WSSE, "wsse:Security");
                if (!actor.isEmpty()) {
                  second.setAttributeNS(Cut.SOAP, "s:actor", actor);
                }
                cut.header().insertBefore(second, cut.security());
              }),
          Refusal.NO_SECURITY,
          Refusal.POLICY);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void secondEnvelopeInTheBody(Judge judge, EndpointPolicy policy) {
    refused(
        attack(
            judge,
            policy,
            cut -> {
              Element body = cut.evilBody("");
              Element inner = cut.document.createElementNS(Cut.SOAP, "s:Envelope");
              inner.appendChild(Cut.replace(cut.body(), body));
              body.appendChild(inner);
            }),
        Refusal.COVERAGE,
        Refusal.POLICY,
        Refusal.MALFORMED);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void anotherEnvelopeAroundTheSignedOne(Judge judge, EndpointPolicy policy) {
    SecuredRequest good = stage.ofAda(policy);
    var cut = new Cut(good.envelope());
    String inner = cut.text();
    String outer =
        "<s:Envelope xmlns:s=\""
            + Cut.SOAP
            + "\"><s:Header/><s:Body>"
            + inner
            + "</s:Body></s:Envelope>";
    refused(stage.open(judge, policy, outer.getBytes(StandardCharsets.UTF_8)), Refusal.NO_SECURITY);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void referenceTurnedToAnotherPart(Judge judge, EndpointPolicy policy) {
    refused(
        attack(
            judge,
            policy,
            cut -> {
              String id = Cut.id(cut.body());
              for (Element each : cut.all(Namespaces.DS, "Reference")) {
                if (each.getAttribute("URI").equals("#" + id)) {
                  each.setAttribute("URI", "#" + Cut.id(Cut.child(cut.security(), "Timestamp")));
                }
              }
            }),
        Refusal.SIGNATURE,
        Refusal.COVERAGE,
        Refusal.POLICY);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void referenceToTheWholeDocument(Judge judge, EndpointPolicy policy) {
    refused(
        attack(judge, policy, cut -> cut.first(Namespaces.DS, "Reference").setAttribute("URI", "")),
        Refusal.SIGNATURE,
        Refusal.POLICY,
        Refusal.COVERAGE,
        Refusal.ALGORITHM);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void referenceToSomewhereElse(Judge judge, EndpointPolicy policy) {
    refused(
        attack(
            judge,
            policy,
            cut ->
                cut.first(Namespaces.DS, "Reference")
                    .setAttribute("URI", "http://mallory.example/body.xml")),
        Refusal.SIGNATURE,
        Refusal.POLICY,
        Refusal.COVERAGE);
  }
}
