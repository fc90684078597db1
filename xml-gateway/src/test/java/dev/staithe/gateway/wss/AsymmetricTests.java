package dev.staithe.gateway.wss;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.wss.Caller;
import dev.staithe.wss.Departure;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Reply;
import dev.staithe.wss.Sealing;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.stream.AnswerWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AsymmetricTests {
  private static final String ANSWER =
      """
      <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>\
      <e:answer xmlns:e="urn:example:echo">b</e:answer></s:Body></s:Envelope>""";

  private final EndpointPolicy policy = Policies.asymmetric().policy();
  private final Parties parties = new Parties();

  private Opening open(byte[] message) {
    return new DomEngine(parties.surroundings()).open(Parties.arrival(message, policy));
  }

  @Test
  void messageOfWss4jIsOpened() throws Exception {
    Opening opening = open(new Initiator(policy).secure(Initiator.PLAIN));

    assertThat(opening).isInstanceOf(Opening.Opened.class);
    var opened = (Opening.Opened) opening;
    assertThat(new String(opened.message().body(), StandardCharsets.UTF_8))
        .contains("<e:text>a &amp; b &lt; ü</e:text>")
        .doesNotContain("EncryptedData");
    assertThat(opened.message().headers()).hasSize(3);
    assertThat(opened.message().addressing().action()).isEqualTo("urn:echo");
    assertThat(opened.message().operation().getLocalPart()).isEqualTo("echo");
    assertThat(opened.caller()).isInstanceOf(Caller.Certificate.class);
    assertThat(opened.caller().subject()).contains("client.example");
    assertThat(opened.findings().signed()).contains("Body", "Timestamp", "To");
    assertThat(opened.findings().encrypted()).containsExactly("Body");
    assertThat(opened.findings().once()).hasSize(1);
    assertThat(opened.findings().signature()).isNotNull();
    assertThat(opened.reply().keys()).isInstanceOf(Reply.Keys.ToCertificate.class);
  }

  @Test
  void answerIsReadByWss4j() throws Exception {
    var opened = (Opening.Opened) open(new Initiator(policy).secure(Initiator.PLAIN));

    var sealing =
        new AnswerWriter(parties.surroundings())
            .protect(
                new Departure(
                    ANSWER.getBytes(StandardCharsets.UTF_8),
                    opened.reply(),
                    Parties.expectation(policy)));

    assertThat(sealing).isInstanceOf(Sealing.Sealed.class);
    byte[] sealed = ((Sealing.Sealed) sealing).envelope();
    assertThat(new String(sealed, StandardCharsets.UTF_8)).doesNotContain("answer");
    var read = new Acceptor(Parties.CLIENT, Map.of()).read(sealed);
    assertThat(read.body()).contains("<e:answer");
    assertThat(read.signatures()).hasSize(1);
  }
}
