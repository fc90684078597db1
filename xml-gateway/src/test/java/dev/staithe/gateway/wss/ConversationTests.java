package dev.staithe.gateway.wss;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.wss.Departure;
import dev.staithe.wss.Engine;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Reply;
import dev.staithe.wss.Sealing;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.Surroundings;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.stream.AnswerWriter;
import dev.staithe.wss.stream.StreamEngine;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ConversationTests {
  private static final String ANSWER =
      """
      <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>\
      <e:answer xmlns:e="urn:example:echo">b</e:answer></s:Body></s:Envelope>""";

  private final EndpointPolicy policy = Policies.conversation().policy();
  private final Parties parties = new Parties();

  private Opening open(byte[] message) {
    return new DomEngine(parties.surroundings()).open(Parties.arrival(message, policy));
  }

  @ParameterizedTest
  @ValueSource(strings = {Namespaces.SC_13, Namespaces.SC_2005})
  void messageOfWss4jIsOpenedAndItsAnswerRead(String namespace) throws Exception {
    SecurityContext context = parties.context(policy, namespace);

    Opening opening = open(new Initiator(policy).secure(Initiator.PLAIN, context));

    assertThat(opening).isInstanceOf(Opening.Opened.class);
    var opened = (Opening.Opened) opening;
    assertThat(new String(opened.message().body(), StandardCharsets.UTF_8))
        .contains("<e:text>a &amp; b &lt; ü</e:text>");
    assertThat(opened.caller()).isEqualTo(context.owner());
    assertThat(opened.reply().keys()).isInstanceOf(Reply.Keys.InContext.class);
    var sealing =
        new AnswerWriter(parties.surroundings())
            .protect(
                new Departure(
                    ANSWER.getBytes(StandardCharsets.UTF_8),
                    opened.reply(),
                    Parties.expectation(policy)));
    assertThat(sealing).isInstanceOf(Sealing.Sealed.class);
    byte[] sealed = ((Sealing.Sealed) sealing).envelope();
    var read =
        new Acceptor(Parties.CLIENT, Map.of(context.identifier(), context.secret())).read(sealed);
    assertThat(read.body()).contains("<e:answer");
    assertThat(read.signatures()).hasSize(1);
  }

  /** WS-SecureConversation 1.4 section 8: the first key and a renewed one, both under way. */
  @ParameterizedTest
  @ValueSource(strings = {Namespaces.SC_13, Namespaces.SC_2005})
  void referenceToARenewedContextFindsTheKeyOfItsInstance(String namespace) throws Exception {
    SecurityContext first = parties.context(policy, namespace);
    byte[] secret = new byte[32];
    Arrays.fill(secret, (byte) 99);
    var renewed =
        new SecurityContext(
            first.identifier(),
            "urn:uuid:second",
            namespace,
            first.endpoint(),
            first.policyVersion(),
            first.owner(),
            first.created(),
            first.expires(),
            secret);
    Surroundings usual = parties.surroundings();
    var surroundings =
        new Surroundings(
            usual.own(),
            usual.signers(),
            (identifier, instance) -> instance == null ? first : renewed,
            usual.passwords(),
            usual.clock());
    String uri = "URI=\"" + first.identifier() + "\"";
    for (Engine engine : List.of(new DomEngine(surroundings), new StreamEngine(surroundings))) {
      for (SecurityContext context : List.of(first, renewed)) {
        var initiator = new Initiator(policy);
        initiator.attached = false;
        String message =
            new String(initiator.secure(Initiator.PLAIN, context), StandardCharsets.UTF_8);
        assertThat(message).contains(uri);
        String named =
            context == first
                ? message
                : message.replace(
                    uri,
                    uri
                        + " xmlns:i=\""
                        + namespace
                        + "\" i:Instance=\""
                        + renewed.instance()
                        + '"');

        Opening opening =
            engine.open(Parties.arrival(named.getBytes(StandardCharsets.UTF_8), policy));

        assertThat(opening)
            .isInstanceOfSatisfying(
                Opening.Opened.class,
                opened ->
                    assertThat(opened.reply().keys())
                        .isInstanceOfSatisfying(
                            Reply.Keys.InContext.class,
                            in ->
                                assertThat(in.context().instance()).isEqualTo(context.instance())));
      }
    }
  }

  /** Nobody who only sees the envelope could remember such an answer. */
  @Test
  void signatureThatIsEncryptedInAnAnswerIsTheOneThatARequestOfItWouldHave() throws Exception {
    EndpointPolicy hiding = Policies.conversation().encryptingSignature().policy();
    SecurityContext context = parties.context(hiding, Namespaces.SC_13);
    var engine = new DomEngine(parties.surroundings());
    byte[] request = new Initiator(hiding).secure(Initiator.PLAIN, context);
    var opened = (Opening.Opened) engine.open(Parties.arrival(request, hiding));

    var sealed =
        (Sealing.Sealed)
            new AnswerWriter(parties.surroundings())
                .protect(
                    new Departure(
                        ANSWER.getBytes(StandardCharsets.UTF_8),
                        opened.reply(),
                        Parties.expectation(hiding)));

    byte[] signature = sealed.signature();
    assertThat(signature).isNotNull();
    assertThat(new String(sealed.envelope(), StandardCharsets.UTF_8))
        .doesNotContain("SignatureValue");
    var reflected = (Opening.Opened) engine.open(Parties.arrival(sealed.envelope(), hiding));
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    digest.update("signature".getBytes(StandardCharsets.US_ASCII));
    digest.update(signature);
    digest.update(context.identifier().getBytes(StandardCharsets.UTF_8));
    byte[] mark = digest.digest();
    assertThat(reflected.findings().once())
        .anySatisfy(once -> assertThat(once.digest()).isEqualTo(mark));
  }
}
