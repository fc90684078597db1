package dev.staithe.cli.campus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.cli.program.Page;
import java.net.URI;
import org.junit.jupiter.api.Test;

class EcpTests {
  private static final String ASKED =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <S:Envelope xmlns:S="http://schemas.xmlsoap.org/soap/envelope/"
          xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"
          xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol">
        <S:Header>
          <paos:Request xmlns:paos="urn:liberty:paos:2003-08" S:mustUnderstand="1"
              S:actor="http://schemas.xmlsoap.org/soap/actor/next"
              responseConsumerURL="https://slcs.example.org/login/saml2/sso"
              service="urn:oasis:names:tc:SAML:2.0:profiles:SSO:ecp"/>
          <ecp:Request xmlns:ecp="urn:oasis:names:tc:SAML:2.0:profiles:SSO:ecp"
              S:mustUnderstand="1" S:actor="http://schemas.xmlsoap.org/soap/actor/next">
            <saml:Issuer>https://slcs.example.org/saml2/metadata</saml:Issuer>
            %s
          </ecp:Request>
          <ecp:RelayState xmlns:ecp="urn:oasis:names:tc:SAML:2.0:profiles:SSO:ecp"
              S:mustUnderstand="1"
              S:actor="http://schemas.xmlsoap.org/soap/actor/next">r&lt;1</ecp:RelayState>
        </S:Header>
        <S:Body>
          <samlp:AuthnRequest ID="_1" Version="2.0" Destination="https://idp.example.org/ecp"
              ><saml:Issuer>https://slcs.example.org/saml2/metadata</saml:Issuer></samlp:AuthnRequest>
        </S:Body>
      </S:Envelope>
      """;

  private static final String ANSWER =
      """
      <SOAP-ENV:Envelope xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/">
        <SOAP-ENV:Header><ecp:Response xmlns:ecp="urn:oasis:names:tc:SAML:2.0:profiles:SSO:ecp"
          AssertionConsumerServiceURL="%s"/></SOAP-ENV:Header>
        <SOAP-ENV:Body><samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_2"
          ><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:%s"/>
          <samlp:StatusMessage>not
          today</samlp:StatusMessage></samlp:Status></samlp:Response></SOAP-ENV:Body>
      </SOAP-ENV:Envelope>
      """;

  private static Page page(String body) {
    return new Page(
        URI.create("https://slcs.example.org/saml2/authenticate/example"),
        200,
        "application/vnd.paos+xml",
        body.strip(),
        null);
  }

  @Test
  void theServicesHeadersDoNotReachTheProvider() {
    var request = Ecp.request(page(ASKED.formatted(""))).orElseThrow();
    assertThat(request.consumer()).hasToString("https://slcs.example.org/login/saml2/sso");
    assertThat(request.provider()).hasToString("https://idp.example.org/ecp");
    assertThat(request.toProvider())
        .contains("<samlp:AuthnRequest", "ID=\"_1\"")
        .doesNotContain("paos", "RelayState", "responseConsumerURL");
  }

  @Test
  void theProvidersAddressInTheListComesBeforeTheDestination() {
    var list =
        "<samlp:IDPList><samlp:IDPEntry ProviderID='https://idp.example.org/'"
            + " Loc='https://idp.example.org/soap'/></samlp:IDPList>";
    assertThat(Ecp.request(page(ASKED.formatted(list))).orElseThrow().provider())
        .hasToString("https://idp.example.org/soap");
  }

  @Test
  void theAnswerGoesToTheServiceWithItsOwnRelayStateOnly() {
    var request = Ecp.request(page(ASKED.formatted(""))).orElseThrow();
    var answer =
        Ecp.answer(page(ANSWER.formatted("https://slcs.example.org/login/saml2/sso", "Success")))
            .orElseThrow();
    assertThat(answer.success()).isTrue();
    assertThat(answer.toService(request))
        .contains("<ecp:RelayState", ">r&lt;1</ecp:RelayState>", "<samlp:Response")
        .doesNotContain("ecp:Response", "AssertionConsumerServiceURL");
  }

  @Test
  void aRefusalIsReadFromTheStatus() {
    var answer = Ecp.answer(page(ANSWER.formatted("", "Requester"))).orElseThrow();
    assertThat(answer.success()).isFalse();
    assertThat(answer.unknownPerson()).isFalse();
    assertThat(answer.status()).isEqualTo("not today");
    assertThat(answer.consumer()).isEmpty();
  }

  @Test
  void whatIsNoMessageIsNone() {
    assertThat(Ecp.request(page("<html>"))).isEmpty();
    assertThat(Ecp.request(page(""))).isEmpty();
    assertThat(Ecp.request(page(ANSWER.formatted("", "Success")))).isEmpty();
    assertThat(Ecp.answer(page(ASKED.formatted("")))).isEmpty();
    assertThat(
            Ecp.answer(page("<!DOCTYPE x [<!ENTITY e 'x'>]>" + ANSWER.formatted("&e;", "Success"))))
        .isEmpty();
  }
}
