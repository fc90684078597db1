package dev.staithe.gateway.wss;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.wss.Departure;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Reply;
import dev.staithe.wss.Sealing;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.stream.AnswerWriter;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
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
