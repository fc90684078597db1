package dev.staithe.wss.policy;

import static dev.staithe.wss.policy.PolicyText.BODY;
import static dev.staithe.wss.policy.PolicyText.SP_12;
import static dev.staithe.wss.policy.PolicyText.SP_2005;
import static dev.staithe.wss.policy.PolicyText.SUITE;
import static dev.staithe.wss.policy.PolicyText.TIME;
import static dev.staithe.wss.policy.PolicyText.nest;
import static dev.staithe.wss.policy.PolicyText.refused;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PolicyRefusalsTests {
  private static final String HTTPS = "<sp:HttpsToken><wsp:Policy/></sp:HttpsToken>";

  /** All that the built-in documents say, one after the other. */
  static List<String> builtIn() {
    return BuiltInPolicies.NAMES.stream()
        .filter(name -> !name.equals("none"))
        .map(name -> new String(BuiltInPolicies.document(name, AlgorithmList.INTEROP), UTF_8))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("builtIn")
  void strangerAmongAssertionsIsRefusedByNameWhereverItStands(String document) {
    for (String changed : atEach(document, "<wsp:Policy[^>]*[^/]>", "$0<x:Odd xmlns:x='urn:x'/>")) {
      assertThat(refused(changed.getBytes(UTF_8))).contains("{urn:x}Odd");
    }
    for (String changed : atEach(document, "<wsp:Policy[^>]*[^/]>", "$0<sp:Odd/>")) {
      assertThat(refused(changed.getBytes(UTF_8))).contains("sp:Odd");
    }
  }

  @ParameterizedTest
  @MethodSource("builtIn")
  void whatIsNestedInAnAssertionThatTakesNothingIsRefusedByName(String document) {
    for (String changed :
        atEach(
            document,
            "<(sp:[A-Za-z0-9]+)( Namespace=[^/]*)?/>",
            "<$1$2><wsp:Policy><x:Odd xmlns:x='urn:x'/></wsp:Policy></$1>")) {
      // Parts are no assertions: a policy within them is what is odd.
      assertThat(refused(changed.getBytes(UTF_8))).containsAnyOf("{urn:x}Odd", "is not empty");
    }
    for (String changed :
        atEach(
            document,
            "<(sp:[A-Za-z0-9]+)( Namespace=[^/]*)?/>",
            "<$1$2><x:Odd xmlns:x='urn:x'/></$1>")) {
      assertThat(refused(changed.getBytes(UTF_8))).containsAnyOf("{urn:x}Odd", "is not empty");
    }
  }

  @ParameterizedTest
  @MethodSource("builtIn")
  void strangeAttributeIsRefusedByNameWhereverItStands(String document) {
    for (String changed : atEach(document, "<((?:sp|wsp):[A-Za-z0-9]+)", "<$1 odd='1'")) {
      assertThat(refused(changed.getBytes(UTF_8))).contains("the attribute odd of ");
    }
  }

  @ParameterizedTest
  @MethodSource("builtIn")
  void assertionThatProtectsMayNotBeOptional(String document) {
    for (String changed :
        atEach(document, "<sp:(?!Body|Header)[A-Za-z0-9]+", "$0 wsp:Optional='true'")) {
      assertThat(refused(changed.getBytes(UTF_8))).contains("optional");
    }
  }

  @ParameterizedTest
  @MethodSource("builtIn")
  void textBetweenAssertionsIsRefused(String document) {
    for (String changed : atEach(document, "<wsp:Policy[^>]*[^/]>", "$0 but not on Sundays ")) {
      assertThat(refused(changed.getBytes(UTF_8))).contains("there is text in wsp:Policy");
    }
  }

  /** A client prints what the policy of a service says, whoever runs that. */
  @Test
  void nameThatBreaksALineOrDrivesATerminalIsToldInOne() {
    assertThat(refused(SP_12.document("<o:Odd xmlns:o='urn:o&#10;all is well&#x9b;'/>")))
        .isEqualTo("{urn:o?all is well?}Odd in wsp:Policy is not understood");
    String header = "<sp:Header Namespace='urn:o&#10;nothing is signed'/>";
    assertThat(
            refused(
                SP_12.document(
                    SP_12.asymmetric(),
                    "<sp:SignedParts><sp:Body/>" + header + "</sp:SignedParts>")))
        .isEqualTo("sp:Header names what cannot be printed");
  }

  private static List<String> atEach(String document, String regex, String replacement) {
    List<String> all = new ArrayList<>();
    Matcher matcher = Pattern.compile(regex).matcher(document);
    while (matcher.find()) {
      String changed = Pattern.compile(regex).matcher(matcher.group()).replaceFirst(replacement);
      all.add(document.substring(0, matcher.start()) + changed + document.substring(matcher.end()));
    }
    assertThat(all).isNotEmpty();
    return all;
  }

  @Test
  void nothingIsNoPolicy() {
    assertThat(refused(new byte[0])).isEqualTo("the document is empty");
  }

  @ParameterizedTest
  @CsvSource({
    "<definitions/>, 'the document is a definitions, not a wsp:Policy'",
    "<Policy xmlns='urn:x'/>, 'the document is a {urn:x}Policy, not a wsp:Policy'",
    "hello, no policy could be read"
  })
  void otherDocumentIsNoPolicy(String document, String line) {
    assertThat(refused(document.getBytes(UTF_8))).startsWith(line);
  }

  @Test
  void hugeDocumentIsNotReadToItsEnd() {
    byte[] huge = SP_12.document("<!--" + "x".repeat(300 << 10) + "-->");

    assertThat(refused(huge)).startsWith("no policy could be read");
  }

  @Test
  void documentTypeIsRefused() {
    String document =
        "<!DOCTYPE p [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>"
            + new String(SP_12.document(), UTF_8);

    assertThat(refused(document.getBytes(UTF_8))).startsWith("no policy could be read");
  }

  @Test
  void deepDocumentIsRefused() {
    byte[] deep = SP_12.document("<wsp:All>".repeat(100) + "</wsp:All>".repeat(100));

    assertThat(refused(deep)).startsWith("no policy could be read");
  }

  @Test
  void twoAlternativesAreRefused() {
    String two =
        "<wsp:ExactlyOne><wsp:All/><wsp:All>"
            + SP_12.asymmetric()
            + BODY
            + "</wsp:All></wsp:ExactlyOne>";

    assertThat(refused(SP_12.document(two)))
        .isEqualTo("wsp:ExactlyOne offers 2 alternatives: an endpoint demands one");
  }

  @Test
  void noAlternativeIsRefused() {
    assertThat(refused(SP_12.document("<wsp:ExactlyOne/>")))
        .isEqualTo("wsp:ExactlyOne offers 0 alternatives: an endpoint demands one");
  }

  @Test
  void nestedAlternativesAreRefused() {
    String suites =
        "<wsp:ExactlyOne><wsp:All><sp:Basic128/></wsp:All><wsp:All><sp:Basic256/></wsp:All></wsp:ExactlyOne>";
    byte[] document = SP_12.document(SP_12.asymmetric().replace("<sp:Basic256/>", suites), BODY);

    assertThat(refused(document)).contains("2 alternatives");
  }

  @Test
  void referenceOutsideTheDocumentIsNotFetched() {
    for (String uri : List.of("http://127.0.0.1:1/policy", "#missing", "")) {
      assertThat(refused(SP_12.document("<wsp:PolicyReference URI='" + uri + "'/>")))
          .contains("nothing is fetched");
    }
  }

  @Test
  void referenceToItselfIsRefused() {
    String circle =
        "<wsp:Policy wsu:Id='a'><wsp:All><wsp:PolicyReference URI='#a'/></wsp:All></wsp:Policy>";

    assertThat(refused(SP_12.document(circle)))
        .isEqualTo("a wsp:PolicyReference refers to what it stands in");
  }

  @Test
  void referencesThatMultiplyAreRefusedBeforeTheyFillTheMemory() {
    var bomb = new StringBuilder();
    for (int i = 0; i < 40; i++) {
      String next = "<wsp:PolicyReference URI='#p" + (i + 1) + "'/>";
      bomb.append("<wsp:Policy xml:id='p" + i + "'>" + next.repeat(10) + "</wsp:Policy>");
    }
    bomb.append("<wsp:Policy xml:id='p40'/>");

    assertThat(refused(SP_12.document(bomb.toString()))).contains("more than 2000");
  }

  @Test
  void oneIdentifierForTwoPoliciesIsRefused() {
    assertThat(refused(SP_12.document("<wsp:Policy wsu:Id='a'/><wsp:Policy xml:id='a'/>")))
        .isEqualTo("two policies have one identifier");
  }

  @Test
  void operatorsOfTheOtherWsPolicyAreNotUnderstood() {
    assertThat(
            refused(SP_12.document("<All xmlns='http://schemas.xmlsoap.org/ws/2004/09/policy'/>")))
        .isEqualTo("wsp:All in wsp:Policy is not understood");
  }

  @Test
  void versionsOfWsSecurityPolicyAreNotMixed() {
    String older =
        "<o:SignedParts xmlns:o='http://schemas.xmlsoap.org/ws/2005/07/securitypolicy'/>";

    assertThat(refused(SP_12.document(SP_12.asymmetric(), BODY, older)))
        .isEqualTo("assertions of two versions of WS-SecurityPolicy are mixed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"NoPassword", "HashPassword", "RequireExplicitDerivedKeys"})
  void assertionOfALaterVersionMeansNothingBefore(String later) {
    String tokens =
        nest(
            "SignedSupportingTokens",
            SP_2005.token("UsernameToken", "Always", "<sp:" + later + "/>"));
    String https = "<sp:HttpsToken RequireClientCertificate='true'/>";

    assertThat(refused(SP_2005.document(SP_2005.transport(https), tokens)))
        .isEqualTo("sp:" + later + " in sp:UsernameToken is not understood");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<sp:RequiredElements/>",
        "<sp:SignedElements><sp:XPath>/</sp:XPath></sp:SignedElements>",
        "<sp:EncryptedElements/>",
        "<sp:ContentEncryptedElements/>",
        "<sp:RequiredParts/>"
      })
  void assertionThatIsKnownToOthersButNotCarriedOutIsRefusedByName(String assertion) {
    assertThat(refused(SP_12.document(SP_12.asymmetric(), BODY, assertion)))
        .isEqualTo(assertion.replaceAll("<(sp:\\w+).*", "$1") + " in wsp:Policy is not understood");
  }

  @ParameterizedTest
  @CsvSource({
    "ProtectTokens, AsymmetricBinding",
    "SignBeforeEncrypting, AsymmetricBinding",
    "InclusiveC14N, AlgorithmSuite",
    "MustSupportRefEmbeddedToken, Wss10",
    "MustSupportRefExternalURI, Wss11",
    "MustSupportClientChallenge, Trust13",
    "RequireAppliesTo, Trust13"
  })
  void propertyThatIsNotCarriedOutIsRefusedByName(String name, String where) {
    String all = SP_12.asymmetric() + BODY + nest("Wss10") + nest("Wss11") + nest("Trust13");
    String opening = "<sp:" + where + "><wsp:Policy>";
    String changed = all.replace(opening, opening + "<sp:" + name + "/>");

    assertThat(refused(SP_12.document(changed))).contains("sp:" + name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SamlToken",
        "IssuedToken",
        "KerberosToken",
        "SpnegoContextToken",
        "SecurityContextToken",
        "RelToken",
        "KeyValueToken"
      })
  void tokenThatIsNotTakenIsRefusedByName(String token) {
    byte[] document = SP_12.document(SP_12.symmetric("<sp:" + token + "/>"), BODY);

    assertThat(refused(document))
        .isEqualTo("sp:" + token + " in sp:ProtectionToken is not supported");
  }

  @Test
  void twoBindingsContradictEachOther() {
    assertThat(refused(SP_12.document(SP_12.asymmetric(), SP_12.transport(HTTPS), BODY)))
        .contains("two bindings");
  }

  @ParameterizedTest
  @CsvSource({
    "<sp:IncludeTimestamp/><sp:IncludeTimestamp/>, sp:IncludeTimestamp stands twice",
    "<sp:Layout><wsp:Policy><sp:Lax/><sp:Strict/></wsp:Policy></sp:Layout>, two layouts",
    "<sp:Layout><wsp:Policy/></sp:Layout>, sp:Layout is empty"
  })
  void bindingThatContradictsItselfIsRefused(String said, String line) {
    assertThat(refused(SP_12.document(SP_12.asymmetric(said), BODY))).contains(line);
  }

  @Test
  void twoSuitesAreRefused() {
    assertThat(refused(SP_12.document(SP_12.asymmetric(SUITE), BODY)))
        .contains("sp:AlgorithmSuite stands twice");
    String both = SP_12.asymmetric().replace("<sp:Basic256/>", "<sp:Basic256/><sp:Basic128/>");
    assertThat(refused(SP_12.document(both, BODY))).contains("sp:Basic256 and sp:Basic128");
  }

  @Test
  void partsWithoutABindingAreRefused() {
    assertThat(refused(SP_12.document(BODY))).contains("no binding");
    assertThat(
            refused(
                SP_12.document(nest("SupportingTokens", SP_12.token("UsernameToken", "Always")))))
        .contains("no binding");
  }

  @Test
  void bodyThatIsNotSignedIsRefused() {
    assertThat(refused(SP_12.document(SP_12.asymmetric())))
        .contains("only what is signed is passed on");
    String encrypted = "<sp:EncryptedParts><sp:Body/></sp:EncryptedParts>";
    assertThat(refused(SP_12.document(SP_12.asymmetric(), encrypted)))
        .contains("only what is signed is passed on");
  }

  @Test
  void messagesWithoutATimeAreRefused() {
    assertThat(refused(SP_12.document(SP_12.asymmetric().replace(TIME, ""), BODY)))
        .contains("replays");
  }

  @Test
  void emptyPartsAreRefused() {
    assertThat(refused(SP_12.document(SP_12.asymmetric(), "<sp:SignedParts/>")))
        .contains("the parts must be named");
  }

  @Test
  void attachmentsAreNotPromised() {
    String parts = "<sp:SignedParts><sp:Body/><sp:Attachments/></sp:SignedParts>";

    assertThat(refused(SP_12.document(SP_12.asymmetric(), parts))).contains("sp:Attachments");
  }

  @Test
  void passwordInTheClearIsRefused() {
    String tokens = nest("SignedSupportingTokens", SP_12.token("UsernameToken", "Always"));

    assertThat(refused(SP_12.document(SP_12.asymmetric(), BODY, tokens)))
        .contains("must be among encrypted supporting tokens");
  }

  @Test
  void nameThatNobodyVouchesForIsRefused() {
    String tokens =
        nest("SupportingTokens", SP_12.token("UsernameToken", "Always", "<sp:NoPassword/>"));

    assertThat(refused(SP_12.document(SP_12.transport(HTTPS, TIME), tokens))).contains("vouches");
    assertThat(refused(SP_12.document(SP_12.asymmetric(), BODY, tokens))).contains("vouches");
  }

  @Test
  void certificateThatSignsNothingProvesNothing() {
    String tokens = nest("SignedSupportingTokens", SP_12.token("X509Token", "Always"));

    assertThat(refused(SP_12.document(SP_12.transport(HTTPS), tokens))).contains("proves nothing");
  }

  @Test
  void endorsementOfNothingIsRefused() {
    String tokens = nest("EndorsingSupportingTokens", SP_12.token("X509Token", "Always"));

    assertThat(refused(SP_12.document(SP_12.transport(HTTPS), tokens)))
        .contains("no sp:IncludeTimestamp");
  }

  @Test
  void passwordAndNoPasswordContradictEachOther() {
    String tokens =
        nest(
            "SupportingTokens",
            SP_12.token("UsernameToken", "Always", "<sp:NoPassword/><sp:HashPassword/>"));

    assertThat(refused(SP_12.document(SP_12.transport(HTTPS), tokens))).contains("contradict");
  }

  @Test
  void twoUsersAreRefused() {
    String one = nest("SupportingTokens", SP_12.token("UsernameToken", "Always"));
    String two =
        nest(
            "SignedSupportingTokens", SP_12.token("UsernameToken", "Always", "<sp:HashPassword/>"));

    assertThat(refused(SP_12.document(SP_12.transport(HTTPS), one, two)))
        .contains("two supporting");
  }

  @Test
  void contextForAContextIsRefused() {
    String inner = SP_12.symmetric(SP_12.conversation());
    String outer =
        SP_12.token(
            "SecureConversationToken", "AlwaysToRecipient", nest("BootstrapPolicy", inner, BODY));

    assertThat(refused(SP_12.document(SP_12.symmetric(outer), BODY))).contains("BootstrapPolicy");
  }

  @Test
  void contextForNothingIsRefused() {
    String bare = SP_12.token("SecureConversationToken", "AlwaysToRecipient");
    assertThat(refused(SP_12.document(SP_12.symmetric(bare), BODY)))
        .contains("without sp:BootstrapPolicy");
    String open =
        SP_12.token("SecureConversationToken", "AlwaysToRecipient", nest("BootstrapPolicy"));
    assertThat(refused(SP_12.document(SP_12.symmetric(open), BODY)))
        .isEqualTo("sp:BootstrapPolicy has no binding");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Once", "Never", "Sometimes"})
  void tokenThatTravelsOtherwiseIsRefused(String inclusion) {
    String token = SP_12.conversation().replaceFirst("AlwaysToRecipient", inclusion);

    assertThat(refused(SP_12.document(SP_12.symmetric(token), BODY))).contains("IncludeToken");
  }
}
