package dev.staithe.gateway.wss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.testkit.MutableClock;
import dev.staithe.testkit.Trials;
import dev.staithe.wss.Arrival;
import dev.staithe.wss.Expectation;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.SecurityElements;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.policy.Parts;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import javax.xml.namespace.QName;
import org.junit.jupiter.api.Test;

/** Messages that are almost right. */
final class AttacksTests {
  private static final String FORGED =
      "<e:echo xmlns:e=\"urn:example:echo\"><e:text>forged</e:text></e:echo>";

  private final Parties parties = new Parties();
  private final EndpointPolicy policy = Policies.asymmetric().policy();
  private final EndpointPolicy signedOnly = Policies.asymmetric().encrypting(Parts.NONE).policy();
  private final EndpointPolicy conversation = Policies.conversation().policy();

  private Opening open(String message, EndpointPolicy by) {
    return new DomEngine(parties.surroundings())
        .open(Parties.arrival(message.getBytes(StandardCharsets.UTF_8), by));
  }

  private void refused(String message, EndpointPolicy by, Refusal reason) {
    assertThat(open(message, by))
        .isInstanceOfSatisfying(
            Opening.Refused.class, refused -> assertThat(refused.reason()).isEqualTo(reason));
    Trials.held();
  }

  private static String text(byte[] message) {
    return new String(message, StandardCharsets.UTF_8);
  }

  private String asymmetric() throws Exception {
    return text(new Initiator(policy).secure(Initiator.PLAIN));
  }

  private String signed() throws Exception {
    return text(new Initiator(signedOnly).secure(Initiator.PLAIN));
  }

  private String inContext() throws Exception {
    return text(new Initiator(conversation).secure(Initiator.PLAIN, parties.context(conversation)));
  }

  /** The text between, taken out once. */
  private static String between(String text, String begin, String end) {
    int from = text.indexOf(begin);
    return text.substring(from, text.indexOf(end, from) + end.length());
  }

  /** Changes one character of base64 within the first such element. */
  private static String spoil(String message, String element) {
    int at = message.indexOf(element + ">") + element.length() + 6;
    char other = message.charAt(at) == 'A' ? 'B' : 'A';
    return message.substring(0, at) + other + message.substring(at + 1);
  }

  @Test
  void signedTextThatIsChangedIsRefused() throws Exception {
    refused(signed().replace("a &amp; b", "a &amp; c"), signedOnly, Refusal.SIGNATURE);
  }

  /** Each time it is digested and kept anew, before anybody asks whose key it is. */
  @Test
  void partThatIsSignedAgainAndAgainIsRefused() throws Exception {
    var body = new QName("http://schemas.xmlsoap.org/soap/envelope/", "Body");
    var initiator = new Initiator(signedOnly);
    initiator.alsoSigned = Collections.nCopies(3, body);
    assertThat(open(text(initiator.secure(Initiator.PLAIN)), signedOnly))
        .isInstanceOf(Opening.Opened.class);
    initiator.alsoSigned = Collections.nCopies(4, body);
    refused(text(initiator.secure(Initiator.PLAIN)), signedOnly, Refusal.POLICY);
  }

  /** It would be compared with itself as often as it is long: the last of these names nothing. */
  @Test
  void listOfEncryptedDataIsNotReadBeyondTheLimit() throws Exception {
    var data = new StringBuilder("<m:data xmlns:m=\"urn:mallory\">");
    var list = new StringBuilder("<x:ReferenceList xmlns:x=\"" + Namespaces.XENC + "\">");
    for (int i = 0; i < Expectation.Limits.DEFAULT.references(); i++) {
      data.append("<EncryptedData xmlns=\"").append(Namespaces.XENC);
      data.append("\" Id=\"d").append(i).append("\"/>");
      list.append("<x:DataReference URI=\"#d").append(i).append("\"/>");
    }
    list.append("<x:DataReference URI=\"#nowhere\"/></x:ReferenceList>");
    refused(
        signed()
            .replace("</wsse:Security>", list + "</wsse:Security>")
            .replace("</s:Header>", data + "</m:data></s:Header>"),
        signedOnly,
        Refusal.LIMIT);
  }

  @Test
  void timestampThatEndsBeforeItBeginsIsRefused() {
    Instant now = Instant.now();
    assertThatThrownBy(
            () -> new TreeTime(now, now.minusSeconds(10)).check(now, Expectation.Limits.DEFAULT))
        .isInstanceOf(RefusedMessage.class)
        .hasMessageContaining("ends before it begins");
  }

  @Test
  void timestampThatIsChangedIsRefused() throws Exception {
    String message = signed();
    String created = between(message, "<wsu:Expires>", "</wsu:Expires>");
    refused(
        message.replace(created, "<wsu:Expires>2099-01-01T00:00:00Z</wsu:Expires>"),
        signedOnly,
        Refusal.SIGNATURE);
  }

  private static final String USER_KEY =
      SecurityElements.usernameKey("user", Parties.USER, new byte[16], 1_000);

  /** Encrypted under a guess: the time of what follows, and what is read of it, would tell. */
  private static String guessing(String message, String user, String tokens) {
    var content = new dev.staithe.xml.Octets(64);
    content.put(new byte[64]);
    var block = new dev.staithe.xml.Octets(1024);
    SecurityElements.encryptedData(
        "guess",
        SecurityElements.ELEMENT,
        Policies.MODERN.encryption(),
        SecurityElements.reference(user, SecurityElements.USERNAME_TOKEN),
        content,
        block);
    return message
        .replace("</s:Header>", text(block.toByteArray()) + "</s:Header>")
        .replace(
            "</wsse:Security>",
            tokens + SecurityElements.references(List.of("guess")) + "</wsse:Security>");
  }

  @Test
  void passwordIsNoKeyWhereThePolicyAsksForNone() throws Exception {
    refused(guessing(signed(), "user", USER_KEY), signedOnly, Refusal.TOKEN);
  }

  @Test
  void passwordIsGuessedOnceInAMessage() throws Exception {
    EndpointPolicy users = Policies.of(new Binding.UsernameKeys(true)).policy();
    String message = text(new Initiator(users).secureByKey(Initiator.PLAIN));
    assertThat(open(message, users)).isInstanceOf(Opening.Opened.class);
    refused(guessing(message, "user", USER_KEY), users, Refusal.POLICY);
  }

  /** What cannot be decrypted counts as a wrong password, and a second signature does not. */
  @Test
  void wrongPasswordIsFoundBeforeWhatElseIsWrong() throws Exception {
    EndpointPolicy users = Policies.of(new Binding.UsernameKeys(true)).policy();
    String message = text(new Initiator(users).secureByKey(Initiator.PLAIN));
    String signature = between(message, "<ds:Signature ", "</ds:Signature>");
    String user = between(message, "<wsse:UsernameToken", ">").replaceAll(".*wsu:Id=\"", "");
    refused(
        guessing(
            message,
            user.substring(0, user.indexOf('"')),
            signature.replaceAll("Id=\"", "Id=\"again-")),
        users,
        Refusal.DECRYPTION);
  }

  @Test
  void ciphertextAndWrappedKeyAndSignatureThatAreChangedAreToldAlike() throws Exception {
    String message = asymmetric();
    int body = message.indexOf("<s:Body");
    String ciphertext = message.substring(0, body) + spoil(message.substring(body), "CipherValue");
    String key = spoil(message, "CipherValue");
    String value = spoil(message, "SignatureValue");

    for (String each : List.of(ciphertext, key, value)) {
      assertThat(each).isNotEqualTo(message);
      assertThat(open(each, policy))
          .isInstanceOfSatisfying(
              Opening.Refused.class,
              refused -> {
                assertThat(refused.reason()).isIn(Refusal.DECRYPTION, Refusal.SIGNATURE);
                assertThat(refused.reason().told()).isEqualTo(Refusal.Told.INVALID);
              });
      Trials.held();
    }
  }

  @Test
  void signedBodyMovedIntoAHeaderAndAnotherBodyIsRefused() throws Exception {
    String message = signed();
    String body = between(message, "<s:Body", "</s:Body>");
    String wrapped =
        message
            .replace(body, "<s:Body>" + FORGED + "</s:Body>")
            .replace("<s:Header>", "<s:Header><w:w xmlns:w=\"urn:w\">" + body + "</w:w>");
    refused(wrapped, signedOnly, Refusal.POLICY);
    var lax =
        new Policies(
            signedOnly.binding(),
            signedOnly.suite(),
            true,
            false,
            false,
            EndpointPolicy.Layout.LAX,
            Parts.BODY,
            Parts.NONE,
            List.of(),
            false);
    assertThat(open(wrapped, anyPart(lax.policy())))
        .isInstanceOfSatisfying(
            Opening.Refused.class,
            refused -> assertThat(refused.reason()).isEqualTo(Refusal.COVERAGE));
  }

  private static EndpointPolicy anyPart(EndpointPolicy policy) {
    return new EndpointPolicy(
        policy.version(),
        policy.securityPolicy(),
        policy.binding(),
        policy.suite(),
        policy.timestamp(),
        policy.encryptBeforeSigning(),
        policy.encryptSignature(),
        false,
        policy.layout(),
        policy.signed(),
        policy.encrypted(),
        policy.supporting(),
        policy.signatureConfirmation(),
        policy.clientEntropy(),
        policy.serverEntropy(),
        policy.addressing());
  }

  @Test
  void signedBodyWithinTheSecurityHeaderAndAnotherBodyIsRefused() throws Exception {
    String message = signed();
    String body = between(message, "<s:Body", "</s:Body>");
    String wrapped =
        message
            .replace(body, "<s:Body>" + FORGED + "</s:Body>")
            .replace("</wsse:Security>", body + "</wsse:Security>");
    refused(wrapped, signedOnly, Refusal.POLICY);
  }

  @Test
  void secondBodyIsRefused() throws Exception {
    String message = signed();
    refused(
        message.replace("<s:Body", "<s:Body>" + FORGED + "</s:Body><s:Body"),
        signedOnly,
        Refusal.MALFORMED);
  }

  @Test
  void identifierOfTwoElementsIsRefused() throws Exception {
    String message = signed();
    String start = between(message, "<s:Body", ">");
    String id = start.substring(start.indexOf("Id=\""), start.length() - 1);
    for (String name : List.of("Id", "ID", "xml:id")) {
      refused(
          message.replace("<wsa:To ", "<wsa:To " + id.replace("Id=", name + "=") + " "),
          signedOnly,
          Refusal.POLICY);
    }
  }

  @Test
  void partsThatAreNotSignedOrNotEncryptedAreRefused() throws Exception {
    for (String part : List.of("Body", "Timestamp", "To")) {
      var initiator = new Initiator(policy);
      initiator.leaveUnsigned = List.of(part);
      refused(text(initiator.secure(Initiator.PLAIN)), policy, Refusal.COVERAGE);
    }
    var initiator = new Initiator(policy);
    initiator.leavePlain = true;
    refused(text(initiator.secure(Initiator.PLAIN)), policy, Refusal.COVERAGE);
  }

  @Test
  void headerBlockThatNobodySignedIsDroppedOrNotUnderstood() throws Exception {
    String message = signed();
    String added = "<s:Header><x:x xmlns:x=\"urn:x\" %s>1</x:x>";
    var opened =
        (Opening.Opened) open(message.replace("<s:Header>", added.formatted("")), signedOnly);

    assertThat(opened.message().headers()).hasSize(3);
    refused(
        message.replace("<s:Header>", added.formatted("s:mustUnderstand=\"1\"")),
        signedOnly,
        Refusal.NOT_UNDERSTOOD);
  }

  @Test
  void strangerIsRefused() throws Exception {
    var initiator = new Initiator(policy);
    initiator.credential = Parties.STRANGER;
    refused(text(initiator.secure(Initiator.PLAIN)), policy, Refusal.UNTRUSTED);
  }

  @Test
  void messageThatIsTooOldOrFromTheFutureIsRefused() throws Exception {
    String message = asymmetric();
    MutableClock clock = MutableClock.at(Instant.now());
    parties.at(clock);
    clock.advance(Duration.ofMinutes(7));
    refused(message, policy, Refusal.STALE);
    clock.advance(Duration.ofMinutes(-9));
    refused(message, policy, Refusal.STALE);
    parties.at(Clock.systemUTC());
    assertThat(open(message, policy)).isInstanceOf(Opening.Opened.class);
  }

  @Test
  void algorithmsThatAreNotPrescribedAreRefused() throws Exception {
    var sha1 = new Initiator(signedOnly);
    sha1.digest = "http://www.w3.org/2000/09/xmldsig#sha1";
    refused(text(sha1.secure(Initiator.PLAIN)), signedOnly, Refusal.ALGORITHM);
    var rsa = new Initiator(signedOnly);
    rsa.signatureAlgorithm = "http://www.w3.org/2000/09/xmldsig#rsa-sha1";
    refused(text(rsa.secure(Initiator.PLAIN)), signedOnly, Refusal.ALGORITHM);
    refused(asymmetric().replace("aes128-gcm", "aes256-gcm"), policy, Refusal.ALGORITHM);
    refused(asymmetric().replace("rsa-oaep-mgf1p", "rsa-1_5"), policy, Refusal.ALGORITHM);
    refused(
        signed().replace("2001/10/xml-exc-c14n#", "TR/2001/REC-xml-c14n-20010315"),
        signedOnly,
        Refusal.ALGORITHM);
  }

  @Test
  void suiteThatTheListForbidsIsRefusedAlthoughThePolicyNamesIt() throws Exception {
    EndpointPolicy old = Policies.asymmetric().withSuite(Policies.INTEROP).policy();
    byte[] message = new Initiator(old).secure(Initiator.PLAIN);
    var expectation =
        new Expectation(
            Parties.ENDPOINT, old, AlgorithmList.MODERN, Expectation.Limits.DEFAULT, false);

    assertThat(
            new DomEngine(parties.surroundings())
                .open(new Arrival(message, expectation, Arrival.TransportFacts.PLAIN)))
        .isInstanceOfSatisfying(
            Opening.Refused.class,
            refused -> assertThat(refused.reason()).isEqualTo(Refusal.ALGORITHM));
  }

  @Test
  void macThatIsCutShortIsRefused() throws Exception {
    String message = inContext();
    String method = between(message, "<ds:SignatureMethod", "/>");
    refused(
        message.replace(
            method,
            method.replace("/>", "><ds:HMACOutputLength>8</ds:HMACOutputLength>")
                + "</ds:SignatureMethod>"),
        conversation,
        Refusal.ALGORITHM);
  }

  @Test
  void derivationsBeyondTheLimitsAreRefused() throws Exception {
    String message = inContext();
    refused(message.replace("<wsc:Length>16<", "<wsc:Length>1000<"), conversation, DERIVATION);
    refused(
        message.replace("<wsc:Length>16<", "<wsc:Length>99999999999<"), conversation, DERIVATION);
    refused(message.replace("<wsc:Offset>0<", "<wsc:Offset>250<"), conversation, DERIVATION);
    refused(message.replace("<wsc:Offset>0<", "<wsc:Offset>-1<"), conversation, DERIVATION);
    refused(
        message
            .replace("Offset>0</wsc:Offset>", "Generation>9999</wsc:Generation>")
            .replace("wsc:Offset>", "wsc:Generation>")
            .replace("<wsc:Generation>0<", "<wsc:Generation>9999<"),
        conversation,
        DERIVATION);
    String nonce = between(message, "<wsc:Nonce", "</wsc:Nonce>");
    refused(
        message.replace(nonce, "<wsc:Nonce>" + "A".repeat(1024) + "</wsc:Nonce>"),
        conversation,
        DERIVATION);
    String token = between(message, "<wsc:DerivedKeyToken", "</wsc:DerivedKeyToken>");
    var more = new StringBuilder();
    for (int i = 0; i < 4; i++) {
      more.append(token.replaceAll("Id=\"", "Id=\"more" + i));
    }
    refused(message.replace(token, token + more), conversation, DERIVATION);
  }

  private static final Refusal DERIVATION = Refusal.DERIVATION;

  @Test
  void contextThatIsUnknownForeignOrCancelledIsRefused() throws Exception {
    String message = inContext();
    refused(
        message.replace("urn:uuid:context-0", "urn:uuid:context-9"), conversation, Refusal.CONTEXT);
    SecurityContext context = parties.context(conversation);
    String other = text(new Initiator(conversation).secure(Initiator.PLAIN, context));
    parties.add(
        new SecurityContext(
            context.identifier(),
            null,
            context.namespace(),
            "another",
            context.policyVersion(),
            context.owner(),
            context.created(),
            context.expires(),
            new byte[32]));
    refused(other, conversation, Refusal.CONTEXT);
    SecurityContext ended = parties.context(conversation);
    byte[] last = new Initiator(conversation).secure(Initiator.PLAIN, ended);
    ended.end();
    refused(text(last), conversation, Refusal.CONTEXT);
  }

  @Test
  void samlIsRefusedAsAToken() throws Exception {
    refused(
        signed()
            .replace(
                "</wsse:Security>",
                "<a:Assertion xmlns:a=\"urn:oasis:names:tc:SAML:2.0:assertion\"/></wsse:Security>"),
        signedOnly,
        Refusal.TOKEN);
  }

  @Test
  void secondSecurityHeaderIsRefused() throws Exception {
    String message = signed();
    String security = between(message, "<wsse:Security", "</wsse:Security>");
    refused(
        message.replace(
            "<s:Header>",
            "<s:Header>" + between(security, "<wsse:Security", ">") + "</wsse:Security>"),
        signedOnly,
        Refusal.POLICY);
  }

  /** Canonical form leaves comments out, and the text around one is one text: also behind. */
  @Test
  void commentIsPassedOverAndWhatHidesInOneIsNot() throws Exception {
    var opened =
        (Opening.Opened)
            open("<!-- -->" + signed().replace("a &amp; b", "a<!-- x --> &amp; b"), signedOnly);
    assertThat(text(opened.message().body())).contains(">a &amp; b ").doesNotContain("<!--");
    refused(signed().replace("a &amp; b", "a<!-- &amp; b -->"), signedOnly, Refusal.SIGNATURE);
  }

  @Test
  void instructionsAndDocumentTypesAreRefused() throws Exception {
    refused(signed().replace("a &amp; b", "a<?p ?> &amp; b"), signedOnly, Refusal.MALFORMED);
    refused("<!DOCTYPE a [<!ENTITY b 'c'>]>" + signed(), signedOnly, Refusal.MALFORMED);
  }

  @Test
  void unprotectedMessageIsRefused() {
    refused(Initiator.PLAIN, policy, Refusal.NO_SECURITY);
    refused(Initiator.PLAIN, conversation, Refusal.NO_SECURITY);
  }

  @Test
  void referenceThatLeavesTheMessageIsRefused() throws Exception {
    String message = signed();
    refused(
        Pattern.compile("URI=\"#(id-|TS-)[^\"]*\"")
            .matcher(message)
            .replaceFirst("URI=\"http://127.0.0.1:1/\""),
        signedOnly,
        Refusal.POLICY);
    refused(
        Pattern.compile("URI=\"#(id-|TS-)[^\"]*\"").matcher(message).replaceFirst("URI=\"\""),
        signedOnly,
        Refusal.POLICY);
  }

  @Test
  void prefixOfATypeThatIsNotPinnedDownIsRefused() throws Exception {
    String plain =
        Initiator.PLAIN
            .replace("<s:Envelope ", "<s:Envelope xmlns:t=\"urn:types\" ")
            .replace(
                "<e:text>",
                "<e:text xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\""
                    + " xsi:type=\"t:text\">");
    var without = new Initiator(signedOnly);
    without.inclusive = false;
    refused(text(without.secure(plain)), signedOnly, Refusal.COVERAGE);
    var opened = (Opening.Opened) open(text(new Initiator(signedOnly).secure(plain)), signedOnly);
    assertThat(text(opened.message().body())).contains("xmlns:t=\"urn:types\"");
    assertThat(opened.message().namespaces()).containsEntry("t", "urn:types");
    // What is declared elsewhere meanwhile is part of what was signed.
    refused(
        text(new Initiator(signedOnly).secure(plain)).replace("urn:types", "urn:other"),
        signedOnly,
        Refusal.SIGNATURE);
  }

  @Test
  void wrongPasswordAndUnknownUserAreToldAlike() throws Exception {
    EndpointPolicy users = Policies.of(new Binding.UsernameKeys(true)).policy();
    var wrong = new Initiator(users);
    wrong.password = "difference";
    var unknown = new Initiator(users);
    unknown.user = "charles";
    for (var each : List.of(wrong, unknown)) {
      assertThat(open(text(each.secureByKey(Initiator.PLAIN)), users))
          .isInstanceOfSatisfying(
              Opening.Refused.class,
              refused -> assertThat(refused.reason()).isEqualTo(Refusal.DECRYPTION));
      Trials.held();
    }
    var dear = new Initiator(users);
    dear.iterations = 10_001;
    refused(text(dear.secureByKey(Initiator.PLAIN)), users, Refusal.DERIVATION);
  }

  @Test
  void signatureOfAnotherMessageIsRefused() throws Exception {
    String one = asymmetric();
    String two = text(new Initiator(policy).secure(Initiator.PLAIN.replace("a &amp; b", "b")));
    String body = between(one, "<s:Body", "</s:Body>");
    String otherBody = between(two, "<s:Body", "</s:Body>");
    assertThat(open(one.replace(body, otherBody), policy)).isInstanceOf(Opening.Refused.class);
  }

  @Test
  void encryptedBodyThatIsReplacedByPlaintextIsRefused() throws Exception {
    String message = asymmetric();
    String data = between(message, "<xenc:EncryptedData", "</xenc:EncryptedData>");
    refused(message.replace(data, FORGED), policy, Refusal.POLICY);
    refused(message.replace("</s:Body>", FORGED + "</s:Body>"), policy, Refusal.POLICY);
  }
}
