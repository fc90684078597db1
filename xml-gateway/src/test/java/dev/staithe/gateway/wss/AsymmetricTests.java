package dev.staithe.gateway.wss;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.Credential;
import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.ca.CertificateProfile;
import dev.staithe.pki.ca.HostCertificateRequest;
import dev.staithe.pki.ca.PersonCertificateRequest;
import dev.staithe.wss.Caller;
import dev.staithe.wss.Departure;
import dev.staithe.wss.Engine;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.Reply;
import dev.staithe.wss.Sealing;
import dev.staithe.wss.Surroundings;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.stream.AnswerWriter;
import dev.staithe.wss.stream.StreamEngine;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
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

  private static Credential next() {
    return Parties.AUTHORITY.issueHost(
        new HostCertificateRequest(
            List.of("service.example"), KeyKind.RSA_2048, Duration.ofDays(7)));
  }

  private List<Engine> engines(Surroundings.Own own) {
    Surroundings usual = parties.surroundings();
    var surroundings =
        new Surroundings(own, usual.signers(), usual.contexts(), usual.passwords(), usual.clock());
    return List.of(new DomEngine(surroundings), new StreamEngine(surroundings));
  }

  /** As after a change of certificate, of which clients have not heard. */
  private List<Engine> afterAChange() {
    Credential next = next();
    return engines(
        new Surroundings.Own() {
          @Override
          public Credential get() {
            return next;
          }

          @Override
          public List<Credential> former() {
            return List.of(Parties.SERVICE);
          }
        });
  }

  @Test
  void messageIsOpenedInTheMomentOfTheChange() throws Exception {
    byte[] message = new Initiator(policy).secure(Initiator.PLAIN);
    Credential next = next();
    var changed = new AtomicBoolean();
    var own =
        new Surroundings.Own() {
          @Override
          public Credential get() {
            return changed.get() ? next : Parties.SERVICE;
          }

          @Override
          public List<Credential> former() {
            return changed.getAndSet(true) ? List.of(Parties.SERVICE) : List.of();
          }
        };

    for (Engine engine : engines(own)) {
      changed.set(false);
      assertThat(engine.open(Parties.arrival(message, policy))).isInstanceOf(Opening.Opened.class);
    }
  }

  @Test
  void messageForTheFormerCertificateIsOpened() throws Exception {
    byte[] message = new Initiator(policy).secure(Initiator.PLAIN);

    for (Engine engine : afterAChange()) {
      assertThat(engine.open(Parties.arrival(message, policy))).isInstanceOf(Opening.Opened.class);
    }
  }

  /** One authority gives certificates to gateways and to their clients. */
  @Test
  void answerByTheFormerKeyDoesNotComeBackAsARequest() throws Exception {
    var initiator = new Initiator(policy);
    initiator.credential = Parties.SERVICE;
    byte[] message = initiator.secure(Initiator.PLAIN);

    for (Engine engine : afterAChange()) {
      assertThat(engine.open(Parties.arrival(message, policy)))
          .isInstanceOfSatisfying(
              Opening.Refused.class,
              refused -> assertThat(refused.reason()).isEqualTo(Refusal.UNTRUSTED));
    }
  }

  /** A certificate may be renewed with its key, and nothing signs which of the two is shown. */
  @Test
  void answerUnderAnotherCertificateOfOurKeyDoesNotComeBackAsARequest() throws Exception {
    var initiator = new Initiator(policy);
    initiator.credential =
        new Credential(
            Parties.SERVICE.key(),
            List.of(
                Parties.AUTHORITY.issuePerson(
                    PersonCertificateRequest.of(
                        DistinguishedName.parse("/DC=org/DC=staithe/CN=service"),
                        Parties.SERVICE.certificate().getPublicKey(),
                        Duration.ofHours(1)),
                    CertificateProfile.plain())));
    byte[] message = initiator.secure(Initiator.PLAIN);

    for (Engine engine : engines(() -> Parties.SERVICE)) {
      assertThat(engine.open(Parties.arrival(message, policy)))
          .isInstanceOfSatisfying(
              Opening.Refused.class,
              refused -> assertThat(refused.reason()).isEqualTo(Refusal.UNTRUSTED));
    }
  }

  /** It brings the certificate of the key that signed it, though ours changes while it is made. */
  @Test
  void answerOfTheMomentOfTheChangeIsOfOneCertificate() throws Exception {
    EndpointPolicy bringing = Policies.of(new Binding.Asymmetric(true)).policy();
    byte[] message = new Initiator(bringing).secure(Initiator.PLAIN);
    var opened =
        (Opening.Opened)
            new DomEngine(parties.surroundings()).open(Parties.arrival(message, bringing));
    Credential next = next();
    var asked = new AtomicInteger();
    Surroundings usual = parties.surroundings();
    var changing =
        new Surroundings(
            () -> asked.getAndIncrement() % 2 == 0 ? Parties.SERVICE : next,
            usual.signers(),
            usual.contexts(),
            usual.passwords(),
            usual.clock());

    var sealing =
        new AnswerWriter(changing)
            .protect(
                new Departure(
                    ANSWER.getBytes(StandardCharsets.UTF_8),
                    opened.reply(),
                    Parties.expectation(bringing)));

    byte[] sealed = ((Sealing.Sealed) sealing).envelope();
    assertThat(new Acceptor(Parties.CLIENT, Map.of()).read(sealed).signatures()).hasSize(1);
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
