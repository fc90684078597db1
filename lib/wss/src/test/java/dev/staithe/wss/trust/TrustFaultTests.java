package dev.staithe.wss.trust;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.wss.Namespaces;
import dev.staithe.xml.Elements;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.SoapVersion;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;

class TrustFaultTests {
  static Stream<Arguments> every() {
    return Arrays.stream(TrustFault.values())
        .flatMap(
            fault ->
                Arrays.stream(SoapVersion.values())
                    .flatMap(
                        soap ->
                            Arrays.stream(TrustVersion.values())
                                .map(version -> Arguments.of(fault, soap, version))));
  }

  private static Element parsed(String payload) {
    byte[] octets = payload.getBytes(StandardCharsets.UTF_8);
    if (SafeXml.parsePlain(octets, XmlLimits.ofBytes(octets.length))
        instanceof XmlDocument.Parsed parsed) {
      return parsed.document().getDocumentElement();
    }
    throw new AssertionError(payload);
  }

  /** The code of a fault as a client resolves it: its namespace and its local name. */
  private static String code(Element fault, SoapVersion soap) {
    Element holder = fault;
    List<String> way =
        soap == SoapVersion.SOAP_1_1 ? List.of("faultcode") : List.of("Code", "Subcode", "Value");
    for (String step : way) {
      holder =
          Elements.children(holder).stream()
              .filter(each -> step.equals(each.getLocalName()))
              .findFirst()
              .orElseThrow();
    }
    String[] name = holder.getTextContent().split(":", 2);
    return holder.lookupNamespaceURI(name[0]) + " " + name[1];
  }

  @ParameterizedTest
  @MethodSource("every")
  void faultIsOneOfItsVersionOfSoapWithACodeOfItsDialect(
      TrustFault fault, SoapVersion soap, TrustVersion version) {
    Element element = parsed(fault.payload(soap, version));
    assertThat(element.getLocalName()).isEqualTo("Fault");
    assertThat(element.getNamespaceURI()).isEqualTo(soap.namespace());
    boolean conversation =
        fault == TrustFault.UNABLE_TO_RENEW || fault == TrustFault.BAD_CONTEXT_TOKEN;
    assertThat(code(element, soap))
        .isEqualTo((conversation ? version.conversation() : version.trust()) + " " + fault.code());
    if (soap == SoapVersion.SOAP_1_2) {
      assertThat(element.getTextContent()).startsWith("s:Sender");
    }
  }

  /** The names are those of WS-Trust 1.4 section 11 and WS-SecureConversation 1.4 section 8. */
  @Test
  void codesAreThoseOfTheSpecifications() {
    assertThat(TrustFault.values())
        .extracting(TrustFault::code)
        .containsExactlyInAnyOrder(
            "InvalidRequest",
            "BadRequest",
            "InvalidScope",
            "InvalidTimeRange",
            "RequestFailed",
            "UnableToRenew",
            "BadContextToken");
  }

  @ParameterizedTest
  @MethodSource("every")
  void reasonIsOneLineAndTellsNothingOfThisHost(
      TrustFault fault, SoapVersion soap, TrustVersion version) {
    assertThat(fault.payload(soap, version))
        .doesNotContain("\n")
        .doesNotContain("dev.staithe")
        .contains(soap == SoapVersion.SOAP_1_1 ? "<faultstring>" : "xml:lang=\"en\"");
  }

  @Test
  void dialectsAreFoundByTheirNamespacesAndNoOther() {
    for (TrustVersion each : TrustVersion.values()) {
      assertThat(TrustVersion.ofTrust(each.trust())).contains(each);
      assertThat(TrustVersion.ofConversation(each.conversation())).contains(each);
      assertThat(TrustVersion.ofTrust(each.conversation())).isEmpty();
      assertThat(TrustVersion.ofConversation(each.trust())).isEmpty();
      assertThat(TrustVersion.ofTrust(each.trust() + "/")).isEmpty();
    }
    assertThat(TrustVersion.ofTrust("")).isEmpty();
    assertThat(TrustVersion.ofConversation(Namespaces.WSSE)).isEmpty();
  }
}
