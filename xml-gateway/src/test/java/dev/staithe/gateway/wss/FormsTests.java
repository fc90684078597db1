package dev.staithe.gateway.wss;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.wss.Caller;
import dev.staithe.wss.Departure;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Sealing;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.policy.Parts;
import dev.staithe.wss.stream.AnswerWriter;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.xml.namespace.QName;
import org.apache.wss4j.dom.WSConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every form that WSS4J writes is opened, and WSS4J reads every answer. */
final class FormsTests {
  private static final String ANSWER =
      """
      <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Header>\
      <wsa:To xmlns:wsa="http://www.w3.org/2005/08/addressing">urn:back</wsa:To></s:Header>\
      <s:Body><e:answer xmlns:e="urn:example:echo">b</e:answer></s:Body></s:Envelope>""";
  private static final Parts BODY_AND_TO =
      new Parts(true, List.of(new QName(Namespaces.WSA, "To")), false);

  private final Parties parties = new Parties();

  static Stream<Arguments> policies() {
    var asymmetric = Policies.asymmetric();
    var conversation = Policies.conversation();
    var plainContext =
        Policies.of(new Binding.Conversation(false, asymmetric.policy(), true, true));
    var key = Policies.of(new Binding.EncryptedKey(true));
    var plainKey = Policies.of(new Binding.EncryptedKey(false));
    var user = Policies.of(new Binding.UsernameKeys(true));
    var plainUser = Policies.of(new Binding.UsernameKeys(false));
    return Stream.of(
        Arguments.of("asymmetric", asymmetric),
        Arguments.of("interop suite", asymmetric.withSuite(Policies.INTEROP)),
        Arguments.of("strong suite", asymmetric.withSuite(Policies.STRONG)),
        Arguments.of("encrypting first", asymmetric.encryptingFirst()),
        Arguments.of("encrypting the signature", asymmetric.encryptingSignature()),
        Arguments.of("encrypting a header", asymmetric.encrypting(BODY_AND_TO)),
        Arguments.of("signed only", asymmetric.encrypting(Parts.NONE)),
        Arguments.of("confirming", asymmetric.confirming()),
        Arguments.of(
            "timestamp first", asymmetric.layout(EndpointPolicy.Layout.LAX_TIMESTAMP_LAST)),
        Arguments.of("conversation", conversation),
        Arguments.of("conversation, interop suite", conversation.withSuite(Policies.INTEROP)),
        Arguments.of("conversation, strong suite", conversation.withSuite(Policies.STRONG)),
        Arguments.of("conversation, encrypting first", conversation.encryptingFirst()),
        Arguments.of("conversation, signature too", conversation.encryptingSignature()),
        Arguments.of("conversation, header too", conversation.encrypting(BODY_AND_TO)),
        Arguments.of("conversation, confirming", conversation.confirming()),
        Arguments.of("encrypted key", key),
        Arguments.of("encrypted key, interop suite", key.withSuite(Policies.INTEROP)),
        Arguments.of("encrypted key without derivation", plainKey),
        Arguments.of("password", user),
        Arguments.of("password, interop suite", user.withSuite(Policies.INTEROP)),
        Arguments.of("password without derivation", plainUser.withSuite(Policies.INTEROP)),
        Arguments.of("context without derivation", plainContext.withSuite(Policies.STRONG)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("policies")
  void messageIsOpenedAndItsAnswerIsRead(String name, Policies policies) throws Exception {
    EndpointPolicy policy = policies.policy();
    var initiator = new Initiator(policy);
    Map<String, byte[]> secrets = new HashMap<>();
    byte[] message =
        switch (policy.binding()) {
          case Binding.Conversation conversation -> {
            SecurityContext context = parties.context(policy);
            secrets.put(context.identifier(), context.secret());
            yield conversation.derivedKeys()
                ? initiator.secure(Initiator.PLAIN, context)
                : initiator.secureDirectly(Initiator.PLAIN, context);
          }
          case Binding.Asymmetric asymmetric -> initiator.secure(Initiator.PLAIN);
          default -> initiator.secureByKey(Initiator.PLAIN);
        };
    secrets.putAll(initiator.keys);

    Opening.Opened opened = opened(message, policy);

    assertThat(new String(opened.message().body(), StandardCharsets.UTF_8))
        .startsWith("<s:Body")
        .contains("<e:text>a &amp; b &lt; ü</e:text>");
    assertThat(opened.message().headers()).hasSize(3);
    assertThat(opened.message().addressing().to()).isEqualTo("https://gw.example/echo");
    assertThat(opened.findings().signed()).contains("Body", "Timestamp");
    assertThat(opened.findings().encrypted().contains("Body")).isEqualTo(policy.encrypted().body());
    var sealing =
        new AnswerWriter(parties.surroundings())
            .protect(
                new Departure(
                    ANSWER.getBytes(StandardCharsets.UTF_8),
                    opened.reply(),
                    Parties.expectation(policy)));
    assertThat(sealing).isInstanceOf(Sealing.Sealed.class);
    byte[] sealed = ((Sealing.Sealed) sealing).envelope();
    var read = new Acceptor(Parties.CLIENT, secrets).read(sealed);
    assertThat(read.body()).contains("<e:answer").contains("urn:back");
    assertThat(read.signatures()).hasSize(1);
    assertThat(read.body().contains("SignatureConfirmation"))
        .isEqualTo(policy.signatureConfirmation());
  }

  private Opening.Opened opened(byte[] message, EndpointPolicy policy) {
    Opening opening = new DomEngine(parties.surroundings()).open(Parties.arrival(message, policy));
    assertThat(opening)
        .as(new String(message, StandardCharsets.UTF_8))
        .isInstanceOf(Opening.Opened.class);
    return (Opening.Opened) opening;
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        WSConstants.BST_DIRECT_REFERENCE,
        WSConstants.THUMBPRINT_IDENTIFIER,
        WSConstants.SKI_KEY_IDENTIFIER,
        WSConstants.ISSUER_SERIAL
      })
  void signerIsFoundByEachReference(int reference) throws Exception {
    EndpointPolicy policy = Policies.asymmetric().policy();
    var initiator = new Initiator(policy);
    initiator.signatureReference = reference;

    assertThat(opened(initiator.secure(Initiator.PLAIN), policy).caller().subject())
        .contains("client.example");
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        WSConstants.BST_DIRECT_REFERENCE,
        WSConstants.THUMBPRINT_IDENTIFIER,
        WSConstants.SKI_KEY_IDENTIFIER,
        WSConstants.ISSUER_SERIAL
      })
  void recipientIsFoundByEachReference(int reference) throws Exception {
    EndpointPolicy policy = Policies.asymmetric().policy();
    var initiator = new Initiator(policy);
    initiator.keyReference = reference;

    assertThat(opened(initiator.secure(Initiator.PLAIN), policy).caller().subject())
        .contains("client.example");
  }

  @Test
  void certificatePathIsOpened() throws Exception {
    EndpointPolicy policy = Policies.asymmetric().policy();
    var initiator = new Initiator(policy);
    initiator.single = false;

    assertThat(opened(initiator.secure(Initiator.PLAIN), policy).caller().subject())
        .contains("client.example");
  }

  @Test
  void ellipticCurveSigns() throws Exception {
    EndpointPolicy policy = Policies.asymmetric().encrypting(Parts.NONE).policy();
    var initiator = new Initiator(policy);
    initiator.credential = Parties.CURVED_CLIENT;
    initiator.signatureAlgorithm = "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256";

    assertThat(opened(initiator.secure(Initiator.PLAIN), policy).caller())
        .isInstanceOf(Caller.Certificate.class);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        WSConstants.BST_DIRECT_REFERENCE,
        WSConstants.THUMBPRINT_IDENTIFIER,
        WSConstants.SKI_KEY_IDENTIFIER,
        WSConstants.ISSUER_SERIAL
      })
  void signatureMayCoverItsTokenByTransform(int reference) throws Exception {
    EndpointPolicy policy = Policies.asymmetric().policy();
    var initiator = new Initiator(policy);
    initiator.signatureReference = reference;
    initiator.signToken = true;

    assertThat(opened(initiator.secure(Initiator.PLAIN), policy).findings().signed()).hasSize(6);
  }

  @Test
  void contextThatTheMessageDoesNotRepeatIsFound() throws Exception {
    EndpointPolicy policy = Policies.conversation().policy();
    SecurityContext context = parties.context(policy);
    var initiator = new Initiator(policy);
    initiator.attached = false;

    assertThat(opened(initiator.secure(Initiator.PLAIN, context), policy).caller())
        .isEqualTo(context.owner());
  }

  @Test
  void withoutInclusivePrefixesIsOpened() throws Exception {
    EndpointPolicy policy = Policies.conversation().policy();
    var initiator = new Initiator(policy);
    initiator.inclusive = false;

    opened(initiator.secure(Initiator.PLAIN, parties.context(policy)), policy);
  }

  @Test
  void soap12IsOpenedAndAnswered() throws Exception {
    EndpointPolicy policy = Policies.conversation().policy();
    SecurityContext context = parties.context(policy);
    String soap12 = "http://www.w3.org/2003/05/soap-envelope";
    String soap11 = "http://schemas.xmlsoap.org/soap/envelope/";
    var initiator = new Initiator(policy);
    initiator.soap = soap12;

    var opened = opened(initiator.secure(Initiator.PLAIN.replace(soap11, soap12), context), policy);

    assertThat(opened.message().version()).isEqualTo(dev.staithe.xml.SoapVersion.SOAP_1_2);
    var sealing =
        new AnswerWriter(parties.surroundings())
            .protect(
                new Departure(
                    ANSWER.replace(soap11, soap12).getBytes(StandardCharsets.UTF_8),
                    opened.reply(),
                    Parties.expectation(policy)));
    assertThat(sealing).isInstanceOf(Sealing.Sealed.class);
  }
}
