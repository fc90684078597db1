package dev.staithe.slcs.saml;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.staithe.slcs.TestBrowser;
import dev.staithe.slcs.saml.metadata.ServiceProvider;
import dev.staithe.slcs.saml.response.Refusal.Reason;
import dev.staithe.testkit.Trials;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Responses of hostile values and hostile XML. */
class ValueAttackTests extends AttackedService {
  // --- comments ------------------------------------------------------------------------------

  @Test
  void commentInsidePrincipalNameIsRefused() {
    refused(
        Reason.MALFORMED,
        said -> said.attributes.put(TestIdp.EPPN, List.of("alice@test.example.org.evil.org")),
        xml -> xml.replace("alice@test.example.org.evil", "alice@test.example.org<!-- -->.evil"));
  }

  @Test
  void commentInsideNameIdIsRefused() {
    refused(
        Reason.MALFORMED,
        said -> said.nameId = "alice.evil",
        xml -> xml.replace(">alice.evil<", ">alice<!---->.evil<"));
  }

  @Test
  void processingInstructionInsideValueIsRefused() {
    refused(Reason.MALFORMED, said -> {}, xml -> xml.replace("alice@", "alice<?x?>@"));
  }

  // --- XML -----------------------------------------------------------------------------------

  @Test
  void externalEntityIsRefused() {
    refused(
        Reason.MALFORMED,
        said -> {},
        xml ->
            "<!DOCTYPE r [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>"
                + xml.replace("alice@", "&x;@"));
  }

  @Test
  void entityBombIsRefused() {
    var entities = new StringBuilder("<!ENTITY a0 \"bomb\">");
    for (int i = 1; i < 30; i++) {
      entities.append("<!ENTITY a%d \"".formatted(i));
      entities.append("&a%d;".formatted(i - 1).repeat(10)).append("\">");
    }
    refused(
        Reason.MALFORMED,
        said -> {},
        xml -> "<!DOCTYPE r [" + entities + "]>" + xml.replace("alice@", "&a29;@"));
  }

  @Test
  void oversizedMessageIsRefused() {
    refused(
        Reason.TOO_LARGE,
        said -> said.attributes.put("urn:oid:2.5.4.13", List.of("x".repeat(300 * 1024))));
  }

  @Test
  void deepNestingIsRefused() {
    refused(
        Reason.MALFORMED,
        said ->
            said.attributes.put("urn:oid:2.5.4.13", List.of("<b>".repeat(80) + "</b>".repeat(80))));
  }

  @Test
  void whatIsNoSamlIsRefused() {
    refused(Reason.MALFORMED, said -> {}, xml -> "<html/>");
    refused(Reason.MALFORMED, said -> {}, xml -> xml.substring(0, xml.length() / 2));
    refused(Reason.MALFORMED, said -> {}, xml -> "");
  }

  // --- who -----------------------------------------------------------------------------------

  @Test
  void providerThatClaimsTheScopeOfAnotherIsRefused() {
    refused(Reason.SCOPE, said -> said.attributes.put(TestIdp.EPPN, List.of("rector@other.org")));
  }

  @Test
  void providerThatClaimsAScopeThatItsOwnIsPartOfIsRefused() {
    refused(Reason.SCOPE, said -> said.attributes.put(TestIdp.EPPN, List.of("alice@example.org")));
    refused(
        Reason.SCOPE,
        said -> said.attributes.put(TestIdp.EPPN, List.of("alice@x.test.example.org")));
    refused(
        Reason.SCOPE,
        said -> said.attributes.put(TestIdp.EPPN, List.of("alice@a.lab.example.org.evil.org")));
  }

  @Test
  void providerThatClaimsTheScopeOfAnotherInAnotherScopedAttributeIsRefused() {
    for (String name :
        List.of(
            "urn:oid:1.3.6.1.4.1.5923.1.1.1.9",
            "urn:oid:1.3.6.1.4.1.5923.1.1.1.13",
            "urn:oasis:names:tc:SAML:attribute:subject-id")) {
      refused(Reason.SCOPE, said -> said.attributes.put(name, List.of("member@other.org")));
      Trials.held();
    }
  }

  /** Services behind are told it by a header, whose name has no case. */
  @Test
  void providerThatClaimsTheScopeOfAnotherByAnAttributeInOtherLettersIsRefused() {
    for (String name :
        List.of("SUBJECT-ID", "edupersonscopedaffiliation", "URN:OID:1.3.6.1.4.1.5923.1.1.1.13")) {
      refused(Reason.SCOPE, said -> said.attributes.put(name, List.of("rector@other.org")));
      Trials.held();
    }
  }

  @Test
  void scopeByExpressionCoversWhatItMatches() {
    TestBrowser browser = slcs.browser();
    TestIdp.Said said = IDP.good(slcs.url().toString(), begin(browser));
    said.attributes.put(TestIdp.EPPN, List.of("alice@physics.lab.example.org"));

    assertThat(post(browser, TestIdp.text(IDP.response(said))).statusCode()).isEqualTo(303);
  }

  @Test
  void twoPrincipalNamesAreRefused() {
    refused(
        Reason.PRINCIPAL_NAME,
        said ->
            said.attributes.put(
                TestIdp.EPPN, List.of("alice@test.example.org", "bob@test.example.org")));
  }

  @Test
  void twoPrincipalNamesByTwoNamesOfTheAttributeAreRefused() {
    refused(
        Reason.PRINCIPAL_NAME,
        said -> said.attributes.put("eduPersonPrincipalName", List.of("bob@test.example.org")));
  }

  @Test
  void noPrincipalNameIsRefused() {
    refused(Reason.PRINCIPAL_NAME, said -> said.attributes.clear());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "alice",
        "@test.example.org",
        "alice@",
        "alice@@test.example.org",
        "alice@evil.org@test.example.org",
        "alice/CN=root@test.example.org",
        "alice,O=Evil@test.example.org",
        "alice=bob@test.example.org",
        "alice+CN=root@test.example.org",
        "al ice@test.example.org",
        "\u0430lice@test.example.org",
        "alice@t\u0435st.example.org",
        "alice\u202e@test.example.org",
        "\uff41lice@test.example.org",
        "alice&#10;@test.example.org",
        "alice@test.example.org&#10;x",
        "../alice@test.example.org",
        "~alice@test.example.org",
        "alice%2Bx@test.example.org",
        "alice*@test.example.org",
        "-alice@test.example.org",
        "alice\"@test.example.org"
      })
  void hostilePrincipalNameIsRefused(String name) {
    refused(Reason.PRINCIPAL_NAME, said -> said.attributes.put(TestIdp.EPPN, List.of(name)));
  }

  @Test
  void overlongPrincipalNameIsRefused() {
    refused(
        Reason.PRINCIPAL_NAME,
        said -> said.attributes.put(TestIdp.EPPN, List.of("a".repeat(300) + "@test.example.org")));
  }

  // --- the log -------------------------------------------------------------------------------

  @Test
  void linesOfTheLogAreShortWhoeverIsNamedInWhatIsRefused() {
    String issuer =
        "<saml:Issuer xmlns:saml=\"urn:oasis:names:tc:SAML:2.0:assertion\">%s</saml:Issuer>"
            .formatted("x".repeat(20_000));
    String message = "<p:%1$s xmlns:p=\"urn:oasis:names:tc:SAML:2.0:protocol\">%2$s</p:%1$s>";
    String logout = message.formatted("LogoutRequest", issuer);
    List<Logger> loggers =
        List.of(
            (Logger) LoggerFactory.getLogger(LoginEndpoints.class),
            (Logger) LoggerFactory.getLogger(LogoutEndpoints.class));
    var log = new ListAppender<ILoggingEvent>();
    log.start();
    loggers.forEach(each -> each.addAppender(log));
    try {
      assertThat(post(slcs.browser(), message.formatted("Response", issuer)).statusCode())
          .isBetween(400, 499);
      HttpResponse<String> answer =
          slcs.browser()
              .post(
                  new TestBrowser.Form(
                      slcs.url().resolve(ServiceProvider.LOGOUT),
                      Map.of(
                          "SAMLRequest",
                          Base64.getEncoder()
                              .encodeToString(logout.getBytes(StandardCharsets.UTF_8)))));
      assertThat(answer.statusCode()).isEqualTo(403);
    } finally {
      loggers.forEach(each -> each.detachAppender(log));
    }

    assertThat(log.list)
        .hasSize(2)
        .allSatisfy(event -> assertThat(event.getFormattedMessage()).hasSizeLessThan(2000));
  }
}
