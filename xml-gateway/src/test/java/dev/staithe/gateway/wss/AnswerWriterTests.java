package dev.staithe.gateway.wss;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.wss.Departure;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Reply;
import dev.staithe.wss.Sealing;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.client.Holder;
import dev.staithe.wss.client.PlainRequest;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.policy.Parts;
import dev.staithe.wss.policy.SupportingToken;
import dev.staithe.wss.stream.AnswerWriter;
import dev.staithe.xml.SoapVersion;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;

/** What leaves is taken by WSS4J, which reads a header from its top to its end, once. */
class AnswerWriterTests {
  private static final String SOAP = SoapVersion.SOAP_1_1.namespace();
  private static final String ANSWER =
      """
      <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Header>\
      <wsa:To xmlns:wsa="http://www.w3.org/2005/08/addressing" s:mustUnderstand="1">urn:back\
      </wsa:To></s:Header><s:Body><e:answer xmlns:e="urn:example:echo">b</e:answer></s:Body>\
      </s:Envelope>""";
  private static final Parts BODY_AND_TO =
      new Parts(true, List.of(new QName(Namespaces.WSA, "To")), false);

  private final Parties parties = new Parties();
  private final Map<String, byte[]> secrets = new HashMap<>();

  static Stream<Arguments> orders() {
    var all = new ArrayList<Arguments>();
    for (String key :
        List.of("x509", "context", "whole context", "encrypted key", "whole key", "password")) {
      for (boolean first : new boolean[] {false, true}) {
        for (boolean hidden : new boolean[] {false, true}) {
          all.add(Arguments.of(key, first, hidden, "body"));
        }
        all.add(Arguments.of(key, first, false, "header"));
        all.add(Arguments.of(key, first, true, "header"));
        all.add(Arguments.of(key, first, true, "nothing"));
      }
    }
    return all.stream();
  }

  private static Policies policies(String key) {
    var asymmetric = Policies.asymmetric();
    return switch (key) {
      case "x509" -> asymmetric;
      case "context" -> Policies.conversation();
      case "whole context" ->
          // A key as long as the secret: WSS4J takes all of it for the cipher, we its beginning.
          Policies.of(new Binding.Conversation(false, asymmetric.policy(), true, true))
              .withSuite(Policies.STRONG);
      case "encrypted key" -> Policies.of(new Binding.EncryptedKey(true));
      case "whole key" -> Policies.of(new Binding.EncryptedKey(false));
      default -> Policies.of(new Binding.UsernameKeys(true));
    };
  }

  private static Policies ordered(String key, boolean first, boolean hidden, String encrypted) {
    Policies policies = policies(key);
    policies = first ? policies.encryptingFirst() : policies;
    policies = hidden ? policies.encryptingSignature() : policies;
    return switch (encrypted) {
      case "header" -> policies.encrypting(BODY_AND_TO);
      case "nothing" -> policies.encrypting(Parts.NONE);
      default -> policies;
    };
  }

  private Reply.Keys keys(EndpointPolicy policy) throws Exception {
    byte[] secret = new byte[16];
    java.util.Arrays.fill(secret, (byte) 9);
    return switch (policy.binding()) {
      case Binding.Conversation _ -> {
        SecurityContext context = parties.context(policy);
        secrets.put(context.identifier(), context.secret());
        yield new Reply.Keys.InContext(context);
      }
      case Binding.EncryptedKey _ -> {
        byte[] sha1 = MessageDigest.getInstance("SHA-1").digest(secret);
        secrets.put(Base64.getEncoder().encodeToString(sha1), secret);
        yield new Reply.Keys.ByEncryptedKey(sha1, secret);
      }
      case Binding.UsernameKeys _ -> {
        byte[] salt = new byte[16];
        salt[0] = 1;
        yield new Reply.Keys.ByUsername(
            Parties.USER,
            salt,
            1000,
            org.apache.wss4j.common.util.UsernameTokenUtil.generateDerivedKey(
                Parties.PASSWORD.getBytes(StandardCharsets.UTF_8), salt, 1000));
      }
      default -> new Reply.Keys.ToCertificate(Parties.CLIENT.certificate());
    };
  }

  private Sealing written(String answer, Reply.Keys keys, EndpointPolicy policy) {
    return new AnswerWriter(parties.surroundings())
        .protect(
            new Departure(
                answer.getBytes(StandardCharsets.UTF_8),
                new Reply(SoapVersion.SOAP_1_1, keys, List.of(), null),
                Parties.expectation(policy)));
  }

  private Acceptor.Read read(byte[] message) throws Exception {
    return new Acceptor(Parties.CLIENT, secrets).read(message);
  }

  @ParameterizedTest(name = "{0}, encrypting first {1}, signature too {2}, {3}")
  @MethodSource("orders")
  void answerInEveryOrderIsTakenByWss4j(String key, boolean first, boolean hidden, String encrypted)
      throws Exception {
    EndpointPolicy policy = ordered(key, first, hidden, encrypted).policy();

    var sealed = (Sealing.Sealed) written(ANSWER, keys(policy), policy);

    String sent = new String(sealed.envelope(), StandardCharsets.UTF_8);
    assertThat(sent.contains("<e:answer")).isEqualTo(encrypted.equals("nothing"));
    assertThat(sent.contains("urn:back")).isEqualTo(!encrypted.equals("header"));
    assertThat(sent.contains("<ds:SignatureValue>")).isEqualTo(!hidden);
    if (encrypted.equals("header")) {
      // Whom it is for is not hidden (WSS 1.1 section 9.3).
      assertThat(sent).contains("<wsse11:EncryptedHeader").contains("mustUnderstand=\"1\"");
    }
    Acceptor.Read read = read(sealed.envelope());
    assertThat(read.body()).contains("<e:answer", "urn:back");
    assertThat(read.signatures()).hasSize(1);
  }

  @ParameterizedTest(name = "{0}, encrypting first {1}, signature too {2}, {3}")
  @MethodSource("orders")
  void requestOfTheClientInEveryOrderIsTakenByWss4j(
      String key, boolean first, boolean hidden, String encrypted) throws Exception {
    if (encrypted.equals("header")) {
      // The client says that it cannot: InitiatorTests.
      return;
    }
    for (boolean named : new boolean[] {false, true}) {
      Policies policies = ordered(key, first, hidden, encrypted);
      EndpointPolicy policy =
          (named && !key.equals("password")
                  ? policies.supportedBy(
                      new SupportingToken(SupportingToken.Kind.USERNAME_TEXT, false, true, true))
                  : policies)
              .policy();
      SecurityContext context =
          policy.binding() instanceof Binding.Conversation ? parties.context(policy) : null;
      if (context != null) {
        secrets.put(context.identifier(), context.secret());
      }
      var holder =
          new Holder(
              Parties.CLIENT,
              Parties.SERVICE.certificate(),
              Parties.USER,
              Parties.PASSWORD.getBytes(StandardCharsets.UTF_8),
              null);
      byte[] request =
          new dev.staithe.wss.client.Initiator(policy, holder, context, Clock.systemUTC())
              .secure(
                  PlainRequest.of(
                      SoapVersion.SOAP_1_1, "urn:a", "urn:to", "<e:ask xmlns:e=\"urn:e\"></e:ask>"))
              .envelope();

      var read = new Acceptor(Parties.SERVICE, secrets).read(request);

      assertThat(read.body()).contains("<e:ask");
      assertThat(read.signatures()).isNotEmpty();
    }
  }

  /**
   * What a back end declares stays declared, and is no reason for a signature that fits nothing.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          xmlns:soap='urn:x'                            |
          xmlns:staithe-soap='urn:x'                    |
          xmlns:soap='urn:x' xmlns:staithe-soap='urn:y' | staithe-soap
          xmlns:staithe-wsu='urn:x'                     | staithe-wsu
          xmlns:wsu='urn:x' xmlns:wsse='urn:y'          |
          xmlns:ds='urn:x' xmlns:xenc='urn:y'           |
          xmlns:ds='http://www.w3.org/2000/09/xmldsig#' |
          xmlns:xenc='http://www.w3.org/2001/04/xmlenc#' |
          xmlns:wsse11='urn:x' xmlns='urn:default'      |
          xmlns:ec='urn:x' xmlns:wsc='urn:y'            |
          """)
  void prefixesOfOursThatABackEndBindsLeaveWithASignatureThatFitsOrNotAtAll(
      String declared, String refused) throws Exception {
    for (String place : List.of("s:Envelope", "s:Header", "wsa:To", "s:Body")) {
      for (String key : List.of("x509", "context")) {
        for (boolean first : new boolean[] {false, true}) {
          EndpointPolicy policy = ordered(key, first, false, "header").policy();
          String answer =
              ANSWER.replaceFirst("<" + place + "(?=[ >])", "<" + place + " " + declared);
          assertThat(answer).isNotEqualTo(ANSWER);
          switch (written(answer, keys(policy), policy)) {
            case Sealing.Sealed sealed -> {
              Acceptor.Read read = read(sealed.envelope());
              assertThat(read.signatures()).as(place).hasSize(1);
              assertThat(read.document().getElementsByTagNameNS(SOAP, "Body").getLength())
                  .isEqualTo(1);
            }
            case Sealing.Failed(String line) -> assertThat(line).contains(refused);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          wsu:Id='w'            | w
          Id='p'                | p
          wsu:Id='w' Id='p'     | w
          Id='p' wsu:Id='w'     | w
          Id='a&amp;b'          | a&amp;b
          ID='i'                |
          xml:id='x'            |
          x='1' s:actor='urn:q' |
          """)
  void identifiersOfTheBackEndAreWhatTheSignatureRefersTo(String attributes, String id)
      throws Exception {
    for (String place : List.of("wsa:To", "s:Body")) {
      EndpointPolicy policy = Policies.asymmetric().encrypting(Parts.NONE).policy();
      String answer =
          ANSWER.replaceFirst(
              "<" + place + "(?=[ >])",
              "<" + place + " xmlns:wsu='" + Namespaces.WSU + "' " + attributes);

      var sealed = (Sealing.Sealed) written(answer, keys(policy), policy);

      String sent = new String(sealed.envelope(), StandardCharsets.UTF_8);
      assertThat(sent.contains("URI=\"#" + id + "\"")).as(sent).isEqualTo(id != null);
      assertThat(read(sealed.envelope()).signatures()).hasSize(1);
    }
  }

  /** WS-SecurityPolicy 1.3 section 6.5; CXF looks for both by their identifiers. */
  @ParameterizedTest
  @ValueSource(strings = {"x509", "context", "encrypted key", "password"})
  void whatIsConfirmedIsEncryptedWhereTheSignatureIs(String key) throws Exception {
    for (boolean first : new boolean[] {false, true}) {
      EndpointPolicy policy = ordered(key, first, true, "body").confirming().policy();

      var sealed = (Sealing.Sealed) written(ANSWER, keys(policy), policy);

      assertThat(new String(sealed.envelope(), StandardCharsets.UTF_8))
          .doesNotContain("SignatureConfirmation", "SignatureValue");
      Acceptor.Read read = read(sealed.envelope());
      assertThat(read.signatures()).hasSize(1);
      assertThat(identifier(read, Namespaces.WSSE11, "SignatureConfirmation", Namespaces.WSU))
          .isNotEmpty();
      assertThat(identifier(read, Namespaces.DS, "Signature", null)).isNotEmpty();
    }
  }

  private static String identifier(
      Acceptor.Read read, String namespace, String name, @Nullable String of) {
    return ((Element) read.document().getElementsByTagNameNS(namespace, name).item(0))
        .getAttributeNS(of, "Id");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x509", "context", "encrypted key", "password"})
  void headerOfTheBackEndThatSaysSecurityIsReplaced(String key) throws Exception {
    EndpointPolicy policy = policies(key).confirming().policy();
    String security = "<q:Security xmlns:q='" + Namespaces.WSSE + "'><q:Forged/></q:Security>";

    var sealed =
        (Sealing.Sealed)
            written(
                ANSWER.replace("</s:Header>", security + security + "</s:Header>"),
                keys(policy),
                policy);

    Acceptor.Read read = read(sealed.envelope());
    assertThat(read.body()).doesNotContain("Forged").contains("SignatureConfirmation");
    assertThat(read.document().getElementsByTagNameNS(Namespaces.WSSE, "Security").getLength())
        .isEqualTo(1);
  }

  @Test
  void answerUnderTlsHasATimestampWherePolicyAsksAndNothingElseIsChanged() throws Exception {
    EndpointPolicy policy = Policies.of(new Binding.Transport(false)).policy();

    var sealed = (Sealing.Sealed) written(ANSWER, new Reply.Keys.None(), policy);

    assertThat(sealed.signature()).isNull();
    Acceptor.Read read = read(sealed.envelope());
    assertThat(read.body())
        .contains("<wsu:Timestamp", "<s:Body", "<e:answer", "urn:back")
        .doesNotContain("staithe-wsu")
        .doesNotContain("Signature");
  }

  @Test
  void cancelledContextProtectsNothing() throws Exception {
    EndpointPolicy policy = Policies.conversation().policy();
    SecurityContext context = parties.context(policy);
    context.end();

    assertThat(written(ANSWER, new Reply.Keys.InContext(context), policy))
        .isInstanceOf(Sealing.Failed.class);
  }
}
