package dev.staithe.wss.policy;

import static dev.staithe.wss.policy.PolicyText.BODY;
import static dev.staithe.wss.policy.PolicyText.SP_12;
import static dev.staithe.wss.policy.PolicyText.SP_2005;
import static dev.staithe.wss.policy.PolicyText.SUITE;
import static dev.staithe.wss.policy.PolicyText.TIME;
import static dev.staithe.wss.policy.PolicyText.accepted;
import static dev.staithe.wss.policy.PolicyText.nest;
import static dev.staithe.wss.policy.PolicyText.refused;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.wss.Namespaces;
import dev.staithe.wss.policy.EndpointPolicy.Layout;
import dev.staithe.wss.policy.SupportingToken.Kind;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.namespace.QName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PolicyReaderTests {
  private static final String HTTPS = "<sp:HttpsToken><wsp:Policy/></sp:HttpsToken>";

  static Stream<PolicyText> versions() {
    return Stream.of(SP_2005, SP_12);
  }

  @ParameterizedTest
  @MethodSource("versions")
  void asymmetricBindingOfEitherVersionIsUnderstood(PolicyText text) {
    EndpointPolicy policy =
        accepted(
            text.document(
                "<wsp:ExactlyOne><wsp:All>",
                text.asymmetric(
                    nest("Layout", "<sp:Strict/>"),
                    "<sp:EncryptBeforeSigning/><sp:EncryptSignature/>",
                    "<sp:OnlySignEntireHeadersAndBody/>"),
                "<sp:SignedParts><sp:Body/><sp:Header Name='To' Namespace='urn:a'/>",
                "<sp:Header Namespace='urn:b'/></sp:SignedParts>",
                "<sp:EncryptedParts><sp:Body/><sp:Header Name='Who' Namespace='urn:a'/>",
                "</sp:EncryptedParts>",
                nest("Wss11", "<sp:MustSupportRefThumbprint/><sp:RequireSignatureConfirmation/>"),
                "</wsp:All></wsp:ExactlyOne>"));

    assertThat(policy.binding()).isEqualTo(new Binding.Asymmetric(false));
    assertThat(policy.suite().name()).isEqualTo("Basic256");
    assertThat(policy.timestamp()).isTrue();
    assertThat(policy.layout()).isEqualTo(Layout.STRICT);
    assertThat(policy.encryptBeforeSigning()).isTrue();
    assertThat(policy.encryptSignature()).isTrue();
    assertThat(policy.entireHeadersAndBody()).isTrue();
    assertThat(policy.signed())
        .isEqualTo(
            new Parts(true, List.of(new QName("urn:a", "To"), new QName("urn:b", "*")), false));
    assertThat(policy.encrypted())
        .isEqualTo(new Parts(true, List.of(new QName("urn:a", "Who")), false));
    assertThat(policy.signatureConfirmation()).isTrue();
    assertThat(policy.securityPolicy())
        .isEqualTo(text == SP_2005 ? Namespaces.SP_2005 : Namespaces.SP_12);
  }

  @Test
  void whatIsNotSaidIsNotDemanded() {
    assertThat(accepted(SP_12.document(SP_12.asymmetric(), BODY)))
        .returns(Layout.LAX, EndpointPolicy::layout)
        .returns(false, EndpointPolicy::encryptBeforeSigning)
        .returns(false, EndpointPolicy::encryptSignature)
        .returns(false, EndpointPolicy::entireHeadersAndBody)
        .returns(Parts.NONE, EndpointPolicy::encrypted)
        .returns(false, EndpointPolicy::signatureConfirmation)
        .returns(false, EndpointPolicy::clientEntropy)
        .returns(false, EndpointPolicy::serverEntropy)
        .returns(false, EndpointPolicy::addressing);
  }

  @ParameterizedTest
  @CsvSource({
    "Strict, STRICT",
    "Lax, LAX",
    "LaxTsFirst, LAX_TIMESTAMP_FIRST",
    "LaxTsLast, LAX_TIMESTAMP_LAST"
  })
  void layoutIsRead(String word, Layout layout) {
    String binding = SP_12.asymmetric(nest("Layout", "<sp:" + word + "/>"));

    assertThat(accepted(SP_12.document(binding, BODY)).layout()).isEqualTo(layout);
  }

  @ParameterizedTest
  @CsvSource({"Never, false", "AlwaysToInitiator, true", "Always, true"})
  void recipientTokenSaysWhetherAnswersCarryIt(String inclusion, boolean carried) {
    String binding =
        nest(
            "AsymmetricBinding",
            nest(
                "InitiatorToken",
                SP_12.token("X509Token", "Always", "<sp:WssX509PkiPathV1Token11/>")),
            nest("RecipientToken", SP_12.token("X509Token", inclusion)),
            SUITE,
            TIME);

    assertThat(accepted(SP_12.document(binding, BODY)).binding())
        .isEqualTo(new Binding.Asymmetric(carried));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "RequireThumbprintReference",
        "RequireKeyIdentifierReference",
        "RequireIssuerSerialReference",
        "WssX509V3Token11",
        "WssX509PkiPathV1Token10"
      })
  void clientMayNameItsCertificateInEveryForm(String form) {
    String binding =
        nest(
            "AsymmetricBinding",
            nest("InitiatorToken", SP_2005.token("X509Token", "Never", "<sp:" + form + "/>")),
            nest("RecipientToken", SP_2005.token("X509Token", "Never")),
            SUITE,
            TIME);

    assertThat(accepted(SP_2005.document(binding, BODY)).binding())
        .isEqualTo(new Binding.Asymmetric(false));
  }

  @Test
  void transportOf2005ReadsTheAttributeForClientCertificates() {
    for (String value : List.of("true", "false")) {
      String https = "<sp:HttpsToken RequireClientCertificate='" + value + "'/>";
      assertThat(accepted(SP_2005.document(SP_2005.transport(https))).binding())
          .isEqualTo(new Binding.Transport(Boolean.parseBoolean(value)));
    }
  }

  @Test
  void transportOf12ReadsTheAssertionForClientCertificates() {
    String https = nest("HttpsToken", "<sp:RequireClientCertificate/>");

    assertThat(accepted(SP_12.document(SP_12.transport(https))).binding())
        .isEqualTo(new Binding.Transport(true));
  }

  @Test
  void optionalClientCertificateIsNotDemanded() {
    String https = nest("HttpsToken", "<sp:RequireClientCertificate wsp:Optional='true'/>");

    assertThat(accepted(SP_12.document(SP_12.transport(https))).binding())
        .isEqualTo(new Binding.Transport(false));
  }

  @Test
  void partsAreProtectedByTlsWhole() {
    assertThat(accepted(SP_12.document(SP_12.transport(HTTPS), BODY)))
        .returns(Parts.NONE, EndpointPolicy::signed);
  }

  @Test
  void tokenOfAuthnServiceIsDemandedByOurOwnAssertion() {
    String https = nest("HttpsToken", "<o:HttpBearerAuthentication xmlns:o='urn:staithe:policy'/>");

    assertThat(accepted(SP_12.document(SP_12.transport(https))).supporting())
        .containsExactly(new SupportingToken(Kind.BEARER, false, false, false));
  }

  @ParameterizedTest
  @CsvSource({
    "SupportingTokens, '', USERNAME_TEXT, false, false",
    "SignedSupportingTokens, '<sp:WssUsernameToken10/>', USERNAME_TEXT, true, false",
    "EncryptedSupportingTokens, '<sp:WssUsernameToken11/>', USERNAME_TEXT, false, true",
    "SignedEncryptedSupportingTokens, '<sp:HashPassword/>', USERNAME_DIGEST, true, true",
    "SignedSupportingTokens, '<sp:HashPassword/><sp13:Created/><sp13:Nonce/>', USERNAME_DIGEST,"
        + " true, false"
  })
  void usernameTokenOverTlsIsRead(
      String where, String said, Kind kind, boolean signed, boolean encrypted) {
    String tokens = nest(where, SP_12.token("UsernameToken", "AlwaysToRecipient", said));

    assertThat(accepted(SP_12.document(SP_12.transport(HTTPS), tokens)).supporting())
        .containsExactly(new SupportingToken(kind, false, signed, encrypted));
  }

  @ParameterizedTest
  @CsvSource({
    "EndorsingSupportingTokens, false, false",
    "SignedEndorsingSupportingTokens, true, false",
    "EndorsingEncryptedSupportingTokens, false, true",
    "SignedEndorsingEncryptedSupportingTokens, true, true"
  })
  void endorsingCertificateIsRead(String where, boolean signed, boolean encrypted) {
    String tokens = nest(where, SP_12.token("X509Token", "AlwaysToRecipient"));
    String key = SP_12.symmetric(SP_12.token("X509Token", "Never", "<sp:RequireDerivedKeys/>"));

    EndpointPolicy policy = accepted(SP_12.document(key, BODY, tokens));

    assertThat(policy.binding()).isEqualTo(new Binding.EncryptedKey(true));
    assertThat(policy.supporting())
        .containsExactly(new SupportingToken(Kind.X509, true, signed, encrypted));
  }

  @Test
  void additionsOf13AreTold() {
    String tokens =
        nest(
            "SignedSupportingTokens",
            SP_12.token("UsernameToken", "Always", "<sp:HashPassword/><sp13:Nonce/>"));

    byte[] document =
        new String(SP_12.document(SP_12.transport(HTTPS), tokens), UTF_8).getBytes(UTF_8);

    assertThat(accepted(document).securityPolicy()).isEqualTo(Namespaces.SP_13);
  }

  @Test
  void keysFromACertificateOrAPasswordAreDerivedOnlyWhereSaid() {
    assertThat(
            accepted(
                SP_2005.document(SP_2005.symmetric(SP_2005.token("X509Token", "Never")), BODY)))
        .returns(new Binding.EncryptedKey(false), EndpointPolicy::binding);
    String user =
        SP_12.token("UsernameToken", "AlwaysToRecipient", "<sp:RequireExplicitDerivedKeys/>");
    assertThat(accepted(SP_12.document(SP_12.symmetric(user), BODY)))
        .returns(new Binding.UsernameKeys(true), EndpointPolicy::binding);
  }

  @ParameterizedTest
  @MethodSource("versions")
  void conversationIsRead(PolicyText text) {
    String token = text.conversation("<sp:RequireDerivedKeys/><sp:SC10SecurityContextToken/>");

    EndpointPolicy policy =
        accepted(
            text.document(
                text.symmetric(token),
                BODY,
                nest("Trust10", "<sp:MustSupportIssuedTokens/><sp:RequireServerEntropy/>")));

    var conversation = (Binding.Conversation) policy.binding();
    assertThat(conversation.derivedKeys()).isTrue();
    assertThat(conversation.cancel()).isTrue();
    assertThat(conversation.renew()).isTrue();
    assertThat(conversation.bootstrap().signed()).isEqualTo(Parts.BODY);
    assertThat(policy.serverEntropy()).isTrue();
    assertThat(policy.clientEntropy()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "<sp:MustNotSendCancel/>, false, true",
    "<m:MustNotSendCancel xmlns:m='http://schemas.microsoft.com/ws/2005/07/securitypolicy'/>, false,"
        + " true",
    "<sp:MustNotSendRenew/><sp:MustNotSendAmend/>, true, false",
    "<sp:SC13SecurityContextToken/>, true, true"
  })
  void conversationSaysWhatMayBecomeOfContexts(String said, boolean cancel, boolean renew) {
    EndpointPolicy policy =
        accepted(SP_12.document(SP_12.symmetric(SP_12.conversation(said)), BODY));

    assertThat(policy.binding())
        .isInstanceOfSatisfying(
            Binding.Conversation.class,
            it -> {
              assertThat(it.cancel()).isEqualTo(cancel);
              assertThat(it.renew()).isEqualTo(renew);
            });
  }

  @Test
  void entropyMayBeDemandedInTheBootstrapPolicy() {
    String token =
        SP_12.token(
            "SecureConversationToken",
            "AlwaysToRecipient",
            nest(
                "BootstrapPolicy",
                SP_12.asymmetric(),
                BODY,
                nest("Trust13", "<sp:RequireClientEntropy/>")));

    assertThat(accepted(SP_12.document(SP_12.symmetric(token), BODY)).clientEntropy()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "<wsam:Addressing/>, true",
    "<wsam:Addressing><wsp:Policy><wsam:AnonymousResponses/></wsp:Policy></wsam:Addressing>, true",
    "<wsam:Addressing wsp:Optional='true'><wsp:Policy/></wsam:Addressing>, false",
    "<w:UsingAddressing xmlns:w='http://www.w3.org/2006/05/addressing/wsdl'/>, true",
    "<m:MTOM wsp:Optional='1' xmlns:m='http://www.w3.org/2007/08/soap12-mtom-policy'/>, false"
  })
  void addressingIsDemandedUnlessItIsOptional(String said, boolean demanded) {
    assertThat(accepted(SP_12.document(said)).addressing()).isEqualTo(demanded);
  }

  @Test
  void partsOfSeveralAssertionsAreJoined() {
    String more = "<sp:SignedParts><sp:Header Name='A' Namespace='urn:a'/></sp:SignedParts>";

    assertThat(accepted(SP_12.document(SP_12.asymmetric(), BODY, more)).signed())
        .isEqualTo(new Parts(true, List.of(new QName("urn:a", "A")), false));
  }

  @Test
  void alternativesThatAreOneAreFoundHoweverDeepTheyAreNested() {
    String policy =
        "<wsp:ExactlyOne><wsp:All><wsp:Policy><wsp:ExactlyOne><wsp:All>"
            + SP_12.asymmetric()
            + "</wsp:All></wsp:ExactlyOne></wsp:Policy><wsp:All>"
            + BODY
            + "</wsp:All></wsp:All></wsp:ExactlyOne>";

    assertThat(accepted(SP_12.document(policy)).signed()).isEqualTo(Parts.BODY);
  }

  @Test
  void referenceWithinTheDocumentIsFollowed() {
    String policy =
        "<wsp:Policy wsu:Id='parts'>"
            + BODY
            + "</wsp:Policy>"
            + SP_12.symmetric(
                SP_12.token(
                    "SecureConversationToken",
                    "AlwaysToRecipient",
                    nest(
                        "BootstrapPolicy",
                        SP_12.asymmetric(),
                        "<wsp:PolicyReference URI='#parts'/>")));

    assertThat(accepted(SP_12.document(policy)).binding())
        .isInstanceOfSatisfying(
            Binding.Conversation.class,
            it -> assertThat(it.bootstrap().signed()).isEqualTo(Parts.BODY));
  }

  @Test
  void emptyPolicyDemandsNothing() {
    assertThat(accepted(SP_2005.document()).binding()).isEqualTo(new Binding.None());
  }

  @Test
  void commentsAndIdentifiersMeanNothing() {
    String policy = "<!-- Body is signed --><wsp:All>" + SP_12.asymmetric() + "</wsp:All>" + BODY;
    String named =
        new String(SP_12.document(policy), UTF_8)
            .replaceFirst("<wsp:Policy ", "<wsp:Policy wsu:Id='a' Name='urn:one' ");

    assertThat(accepted(named.getBytes(UTF_8)).signed()).isEqualTo(Parts.BODY);
  }

  @Test
  void anotherDocumentIsAnotherVersion() {
    assertThat(accepted(SP_12.document()).version())
        .isNotEqualTo(accepted(SP_12.document(" ")).version())
        .isEqualTo(accepted(SP_12.document()).version());
  }

  @Test
  void ignorableAssertionIsStillDemanded() {
    assertThat(accepted(SP_12.document("<wsam:Addressing wsp:Ignorable='true'/>")).addressing())
        .isTrue();
    assertThat(refused(SP_12.document("<x:Odd wsp:Ignorable='true'/>")))
        .isEqualTo("{urn:x}Odd in wsp:Policy is not understood");
  }
}
