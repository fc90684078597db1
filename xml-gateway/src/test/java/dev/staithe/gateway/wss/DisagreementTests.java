package dev.staithe.gateway.wss;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.engine.BothEngines;
import dev.staithe.wss.Caller;
import dev.staithe.wss.Findings;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.Surroundings;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.stream.StreamEngine;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Two engines of which one is told other things than the other, or is told them later. */
final class DisagreementTests {
  private static final Parties PARTIES = new Parties();

  private static Opening both(
      Surroundings ofStream, Surroundings ofTree, EndpointPolicy policy, byte[] message) {
    return new BothEngines(new StreamEngine(ofStream), new DomEngine(ofTree))
        .open(Parties.arrival(message, policy));
  }

  private static byte[] message(EndpointPolicy policy) throws Exception {
    return new Initiator(policy).secure(Initiator.PLAIN);
  }

  /** The samples that both judge: accepted by neither or by both, and never half. */
  static Stream<EnginesAgreeTests.Sample> samples() throws Exception {
    return EnginesAgreeTests.samples();
  }

  @ParameterizedTest
  @MethodSource("samples")
  void whatOneEngineSaysBothSay(EnginesAgreeTests.Sample sample) {
    Opening stream =
        new StreamEngine(EnginesAgreeTests.surroundings())
            .open(Parties.arrival(sample.message(), sample.policy()));

    Opening both =
        both(
            EnginesAgreeTests.surroundings(),
            EnginesAgreeTests.surroundings(),
            sample.policy(),
            sample.message());

    switch (stream) {
      case Opening.Unknown(String shape) ->
          // The tree's refusal where it has one.
          assertThat(both)
              .isInstanceOfSatisfying(
                  Opening.Refused.class,
                  it -> {
                    assertThat(it.reason()).isNotEqualTo(Refusal.DISAGREEMENT);
                    if (it.detail().startsWith("one engine alone")) {
                      assertThat(it.detail()).endsWith(shape);
                    }
                  });
      case Opening.Refused(Refusal reason, String _) ->
          assertThat(((Opening.Refused) both).reason()).isEqualTo(reason);
      case Opening.Opened opened -> {
        Findings findings = ((Opening.Opened) both).findings();
        assertThat(findings.engine()).isEqualTo("both");
        assertThat(findings.signed()).isEqualTo(opened.findings().signed());
      }
    }
  }

  @Test
  void callersOfTwoNamesAreADisagreement() throws Exception {
    EndpointPolicy policy = Policies.asymmetric().policy();

    Opening opening =
        both(PARTIES.surroundings(), withSigners(renaming()), policy, message(policy));

    assertRefused(opening, "the engines disagree in the caller");
  }

  @Test
  void callerWhomOneEngineAloneBelievesIsADisagreementWhicheverItIs() throws Exception {
    EndpointPolicy policy = Policies.asymmetric().policy();
    Surroundings doubting =
        withSigners(chain -> new Surroundings.Judgement.Untrusted("nobody is believed"));

    assertRefused(
        both(PARTIES.surroundings(), doubting, policy, message(policy)),
        "the engines disagree whether it is accepted");
    assertRefused(
        both(doubting, PARTIES.surroundings(), policy, message(policy)),
        "the engines disagree whether it is accepted");
  }

  @Test
  void contextThatIsCancelledBetweenTheTwoIsNoDisagreement() throws Exception {
    EndpointPolicy policy = Policies.conversation().policy();
    var context = PARTIES.context(policy);
    byte[] message = new Initiator(policy).secure(Initiator.PLAIN, context);
    Surroundings usual = PARTIES.surroundings();
    var asked = new AtomicInteger();
    Surroundings ending =
        new Surroundings(
            usual.own(),
            usual.signers(),
            (identifier, instance) ->
                asked.getAndIncrement() == 0 ? usual.contexts().find(identifier, instance) : null,
            usual.passwords(),
            usual.clock());

    Opening opening = both(ending, ending, policy, message);

    assertThat(opening)
        .isInstanceOfSatisfying(
            Opening.Refused.class, it -> assertThat(it.reason()).isEqualTo(Refusal.CONTEXT));
    assertThat(asked.get()).isGreaterThan(1);
  }

  private static void assertRefused(Opening opening, String detail) {
    assertThat(opening).isEqualTo(new Opening.Refused(Refusal.DISAGREEMENT, detail));
  }

  private static Surroundings withSigners(Surroundings.Signers signers) {
    Surroundings usual = PARTIES.surroundings();
    return new Surroundings(
        usual.own(), signers, usual.contexts(), usual.passwords(), usual.clock());
  }

  /** One that reads certificates as the usual one does, and calls their holders otherwise. */
  private static Surroundings.Signers renaming() {
    Surroundings.Signers usual = PARTIES.surroundings().signers();
    return new Surroundings.Signers() {
      @Override
      public Surroundings.Judgement judge(List<X509Certificate> chain) {
        return switch (usual.judge(chain)) {
          case Surroundings.Judgement.Trusted(Caller.Certificate caller) ->
              new Surroundings.Judgement.Trusted(
                  new Caller.Certificate(caller.subject() + "/CN=proxy", caller.chain()));
          case Surroundings.Judgement.Untrusted doubted -> doubted;
        };
      }

      @Override
      public @Nullable X509Certificate find(Surroundings.Name name) {
        return usual.find(name);
      }
    };
  }
}
