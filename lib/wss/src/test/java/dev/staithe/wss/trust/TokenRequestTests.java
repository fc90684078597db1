package dev.staithe.wss.trust;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenRequestTests {
  private static final byte[] ENTROPY = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  private static final Instant NOW = Instant.parse("2026-11-21T20:00:00Z");

  private static byte[] body(String payload) {
    return ("<s:Body xmlns:s=\"http://www.w3.org/2003/05/soap-envelope\">" + payload + "</s:Body>")
        .getBytes(StandardCharsets.UTF_8);
  }

  private static TokenRequest read(String payload) {
    TrustReading<TokenRequest> reading = TokenRequest.read(body(payload));
    assertThat(reading).isInstanceOf(TrustReading.Read.class);
    return ((TrustReading.Read<TokenRequest>) reading).value();
  }

  private static TrustFault refused(String payload) {
    TrustReading<TokenRequest> reading = TokenRequest.read(body(payload));
    assertThat(reading).isInstanceOf(TrustReading.Refused.class);
    return ((TrustReading.Refused<TokenRequest>) reading).fault();
  }

  private static String oasis(String inner) {
    return "<t:RequestSecurityToken xmlns:t=\"http://docs.oasis-open.org/ws-sx/ws-trust/200512\">"
        + inner
        + "</t:RequestSecurityToken>";
  }

  private static String issue(String inner) {
    return oasis(
        "<t:RequestType>http://docs.oasis-open.org/ws-sx/ws-trust/200512/Issue</t:RequestType>"
            + inner);
  }

  @ParameterizedTest
  @EnumSource
  void issueWhenWrittenThenReadsTheSame(TrustVersion version) {
    var written =
        new TokenRequest.Issue(
            version,
            "urn:uuid:ctx",
            version,
            "https://gateway.example.org/orders?a=b&c",
            192,
            ENTROPY,
            new Lifetime(NOW, NOW.plusSeconds(60)));
    assertThat(read(written.payload())).usingRecursiveComparison().isEqualTo(written);
  }

  @ParameterizedTest
  @EnumSource
  void renewWhenWrittenThenReadsTheSame(TrustVersion version) {
    var written =
        new TokenRequest.Renew(
            version, null, new ContextName("urn:uuid:1", "i&2"), null, 256, ENTROPY, null);
    assertThat(read(written.payload())).usingRecursiveComparison().isEqualTo(written);
  }

  @ParameterizedTest
  @EnumSource
  void cancelWhenWrittenThenReadsTheSame(TrustVersion version) {
    var written = new TokenRequest.Cancel(version, null, new ContextName("urn:uuid:1", null));
    assertThat(read(written.payload())).isEqualTo(written);
  }

  /** As Apache CXF asks: its own wishes beside those of the policy, Base64 with line breaks. */
  @Test
  void issueWhenPolicysTemplateIsRepeatedThenTheRequestersOwnCounts() {
    String base64 = Base64.getMimeEncoder(16, new byte[] {'\r', '\n'}).encodeToString(ENTROPY);
    TokenRequest request =
        read(
            issue(
                """
                <t:SecondaryParameters>
                <t:TokenType>http://docs.oasis-open.org/ws-sx/ws-secureconversation/200512/sct\
                </t:TokenType>
                <t:KeySize>128</t:KeySize></t:SecondaryParameters>
                <t:TokenType>http://schemas.xmlsoap.org/ws/2005/02/sc/sct</t:TokenType>
                <t:KeyType>http://docs.oasis-open.org/ws-sx/ws-trust/200512/SymmetricKey</t:KeyType>
                <t:KeySize>256</t:KeySize>
                <t:Entropy><t:BinarySecret>%s</t:BinarySecret></t:Entropy>
                <t:ComputedKeyAlgorithm>http://docs.oasis-open.org/ws-sx/ws-trust/200512/CK/PSHA1\
                </t:ComputedKeyAlgorithm>
                <t:Renewing/>
                """
                    .formatted(base64)));
    assertThat(request)
        .isInstanceOfSatisfying(
            TokenRequest.Issue.class,
            issue -> {
              assertThat(issue.tokenVersion()).isEqualTo(TrustVersion.FEBRUARY_2005);
              assertThat(issue.keyBits()).isEqualTo(256);
              assertThat(issue.entropy()).isEqualTo(ENTROPY);
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<t:OnBehalfOf><x xmlns=\"urn:x\"/></t:OnBehalfOf>",
        "<a:ActAs xmlns:a=\"http://docs.oasis-open.org/ws-sx/ws-trust/200802\"/>",
        "<t:UseKey/>",
        "<t:DelegateTo/>",
        "<t:BinaryExchange/>",
        "<t:ProofEncryption/>",
        "<t:Participants/>",
        "<NoNamespace/>",
        "<p:PolicyReference xmlns:p=\"http://www.w3.org/ns/ws-policy\"/>"
      })
  void issueWhenItWishesWhatChangesWhoGetsWhatThenIsRefusedAndNotOverlooked(String wish) {
    assertThat(refused(issue(wish))).isEqualTo(TrustFault.BAD_REQUEST);
  }

  @ParameterizedTest
  @ValueSource(strings = {"64", "129", "512", "-128", "0x80", "", "99999999999"})
  void issueWhenKeySizeIsNoneOfThreeThenIsRefused(String size) {
    assertThat(refused(issue("<t:KeySize>" + size + "</t:KeySize>")))
        .isEqualTo(TrustFault.BAD_REQUEST);
  }

  @ParameterizedTest
  @CsvSource({"15", "65", "4000"})
  void issueWhenEntropyIsGuessableOrLongThenIsRefused(int bytes) {
    String secret = Base64.getEncoder().encodeToString(new byte[bytes]);
    assertThat(
            refused(
                issue("<t:Entropy><t:BinarySecret>" + secret + "</t:BinarySecret></t:Entropy>")))
        .isEqualTo(TrustFault.BAD_REQUEST);
  }

  @Test
  void issueWhenEntropyIsNoBase64ThenIsRefused() {
    assertThat(refused(issue("<t:Entropy><t:BinarySecret>%%%</t:BinarySecret></t:Entropy>")))
        .isEqualTo(TrustFault.INVALID_REQUEST);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<t:TokenType>urn:oasis:names:tc:SAML:2.0:assertion</t:TokenType>",
        "<t:KeyType>http://docs.oasis-open.org/ws-sx/ws-trust/200512/PublicKey</t:KeyType>",
        "<t:KeyType>http://docs.oasis-open.org/ws-sx/ws-trust/200512/Bearer</t:KeyType>",
        "<t:ComputedKeyAlgorithm>urn:mine</t:ComputedKeyAlgorithm>",
        "<t:Entropy><e:EncryptedKey xmlns:e=\"http://www.w3.org/2001/04/xmlenc#\"/></t:Entropy>"
      })
  void issueWhenTokenOrKeyIsOfAnotherKindThenIsRefused(String wish) {
    assertThat(refused(issue(wish))).isEqualTo(TrustFault.BAD_REQUEST);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "<t:KeySize>128</t:KeySize><t:KeySize>256</t:KeySize>"})
  void issueWhenAnElementIsThereTwiceThenIsRefused(String twice) {
    String type =
        "<t:RequestType>http://docs.oasis-open.org/ws-sx/ws-trust/200512/Issue</t:RequestType>";
    assertThat(refused(issue(twice.isEmpty() ? type : twice)))
        .isEqualTo(TrustFault.INVALID_REQUEST);
  }

  @Test
  void issueWhenItHasTheTargetOfACancellationThenIsRefused() {
    String cancel =
        new TokenRequest.Cancel(TrustVersion.OASIS, null, new ContextName("urn:uuid:1", null))
            .payload();
    assertThat(refused(cancel.replace("/Cancel<", "/Issue<")))
        .isEqualTo(TrustFault.INVALID_REQUEST);
    assertThat(refused(cancel.replace("/Cancel<", "/Validate<"))).isEqualTo(TrustFault.BAD_REQUEST);
  }

  @Test
  void cancelWhenTargetIsAnAssertionThenIsRefused() {
    assertThat(
            refused(
                oasis(
                    "<t:RequestType>http://docs.oasis-open.org/ws-sx/ws-trust/200512/Cancel"
                        + "</t:RequestType><t:CancelTarget>"
                        + "<a:Assertion xmlns:a=\"urn:oasis:names:tc:SAML:2.0:assertion\"/>"
                        + "</t:CancelTarget>")))
        .isEqualTo(TrustFault.BAD_REQUEST);
  }

  @Test
  void cancelWhenTargetIsTheTokenItselfThenNamesIt() {
    TokenRequest request =
        read(
            oasis(
                """
                <t:RequestType>http://docs.oasis-open.org/ws-sx/ws-trust/200512/Cancel\
                </t:RequestType><t:CancelTarget><c:SecurityContextToken
                 xmlns:c="http://schemas.xmlsoap.org/ws/2005/02/sc"><c:Identifier> urn:uuid:7
                </c:Identifier><c:Instance>b</c:Instance></c:SecurityContextToken>\
                </t:CancelTarget>
                """));
    assertThat(request)
        .isInstanceOfSatisfying(
            TokenRequest.Cancel.class,
            cancel -> assertThat(cancel.target()).isEqualTo(new ContextName("urn:uuid:7", "b")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<x xmlns=\"urn:x\"/>",
        "",
        "text",
        "<RequestSecurityToken xmlns=\"http://schemas.xmlsoap.org/ws/2004/04/trust\"/>",
        "<!-- c --><t:RequestSecurityToken"
            + " xmlns:t=\"http://docs.oasis-open.org/ws-sx/ws-trust/200512\"/>"
      })
  void readWhenBodyIsNoRequestThenIsRefused(String payload) {
    assertThat(refused(payload)).isEqualTo(TrustFault.INVALID_REQUEST);
  }

  @Test
  void issueWhenAppliesToHasTwoAddressesThenIsRefused() {
    assertThat(
            refused(
                issue(
                    """
                    <w:AppliesTo xmlns:w="http://schemas.xmlsoap.org/ws/2004/09/policy">\
                    <a:EndpointReference xmlns:a="http://www.w3.org/2005/08/addressing">\
                    <a:Address>https://ours/</a:Address><a:Address>https://theirs/</a:Address>\
                    </a:EndpointReference></w:AppliesTo>""")))
        .isEqualTo(TrustFault.INVALID_REQUEST);
  }

  @Test
  void actionWhenOfEitherDialectThenIsKnownAndAnswered() {
    assertThat(TrustAction.of("http://schemas.xmlsoap.org/ws/2005/02/trust/RST/SCT/Cancel"))
        .hasValueSatisfying(
            action ->
                assertThat(action.answer())
                    .isEqualTo("http://schemas.xmlsoap.org/ws/2005/02/trust/RSTR/SCT/Cancel"));
    assertThat(TrustAction.of("http://docs.oasis-open.org/ws-sx/ws-trust/200512/RST/SCT"))
        .contains(new TrustAction(TrustVersion.OASIS, TrustAction.Kind.ISSUE));
    assertThat(TrustAction.of("http://docs.oasis-open.org/ws-sx/ws-trust/200512/RST/Issue"))
        .isEmpty();
    assertThat(TrustAction.of("")).isEmpty();
  }
}
