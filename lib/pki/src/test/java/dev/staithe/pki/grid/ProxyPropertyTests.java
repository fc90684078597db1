package dev.staithe.pki.grid;

import static dev.staithe.pki.grid.Chains.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.GridSubject;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.pki.grid.Chains.Holder;
import dev.staithe.pki.grid.DelegatedChainVerdict.Accepted;
import dev.staithe.pki.grid.ProxySigning.Refused;
import dev.staithe.pki.grid.ProxySigning.Signed;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whoever hands on what, and in what order: nobody gets more than the one above has. */
class ProxyPropertyTests {
  private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);
  private static final Holder CA = Chains.authority("CN=Example CA,O=Example,C=DE");
  private static final Holder ADA = Chains.person("CN=Ada,O=Example,C=DE").by(CA);

  /** One for each place in the chain: making them would be most of the time. */
  private static final List<KeyPair> KEYS =
      java.util.stream.IntStream.range(0, 7).mapToObj(_ -> KeyKind.EC_P256.generate()).toList();

  private static final DelegatedChainJudge JUDGE =
      new DelegatedChainJudge(
          ClientChainValidatorTests.trust(List.of(CA), List.of()),
          ClientChainRules.DEFAULT,
          VomsTrust.none(),
          CLOCK);

  private static final List<X509Certificate> GOOD =
      ((Signed)
              ProxySigner.sign(
                  ADA.keys().getPrivate(),
                  ADA.chain(),
                  KEYS.getFirst().getPublic(),
                  ProxyTerms.of(Duration.ofHours(1)),
                  CLOCK))
          .chain();

  @Provide
  Arbitrary<List<ProxyTerms>> hops() {
    Arbitrary<@Nullable Integer> length = Arbitraries.integers().between(0, 6).injectNull(0.5);
    return Combinators.combine(
            Arbitraries.of(ProxyPolicy.class),
            length,
            Arbitraries.integers().between(1, 200_000).map(Duration::ofSeconds))
        .as(
            (policy, most, lifetime) ->
                ProxyTerms.of(lifetime).withPolicy(policy).withPathLength(most))
        .list()
        .ofMinSize(1)
        .ofMaxSize(KEYS.size());
  }

  @Property(tries = 150)
  void whatIsSignedIsBelievedAndNeverMoreThanWhatIsAboveIt(@ForAll("hops") List<ProxyTerms> hops) {
    Holder maker = ADA;
    boolean limited = false;
    boolean independent = false;
    Integer left = null;
    Instant end = ADA.certificate().getNotAfter().toInstant();
    for (int i = 0; i < hops.size(); i++) {
      ProxyTerms terms = hops.get(i);
      ProxySigning signing =
          ProxySigner.sign(
              maker.keys().getPrivate(), maker.chain(), KEYS.get(i).getPublic(), terms, CLOCK);
      if (left != null && left == 0 || limited && terms.policy() == ProxyPolicy.INDEPENDENT) {
        assertThat(signing).isInstanceOf(Refused.class);
        return;
      }
      limited |= terms.policy() == ProxyPolicy.LIMITED;
      independent |= terms.policy() == ProxyPolicy.INDEPENDENT;
      left = least(left == null ? null : Integer.valueOf(left - 1), terms.pathLength());
      Instant wanted = NOW.plus(terms.lifetime());
      end = wanted.isBefore(end) ? wanted : end;
      maker = new Holder(KEYS.get(i), ((Signed) signing).chain());
      Accepted accepted =
          (Accepted)
              JUDGE.judge(
                  maker.chain(),
                  KEYS.get(i).getPublic(),
                  GridSubject.parse("CN=Ada,O=Example,C=DE"));
      assertThat(accepted.limited()).isEqualTo(limited);
      assertThat(accepted.independent()).isEqualTo(independent);
      assertThat(accepted.pathLeft()).isEqualTo(left);
      assertThat(accepted.notAfter()).isEqualTo(end);
      assertThat(accepted.chain()).isEqualTo(maker.chain());
    }
  }

  /**
   * What is inside the Base64 is somebody else's too. The frame of the signature can be written in
   * more than one way, and Java reads them all; what is signed cannot.
   */
  @Property(tries = 400)
  void damagedProxyIsRefusedAndNeverThrows(
      @ForAll @IntRange(max = 4000) int at, @ForAll @IntRange(max = 7) int bit) throws Exception {
    byte[] damaged = GOOD.getFirst().getEncoded().clone();
    damaged[at % damaged.length] ^= (byte) (1 << bit);
    String sent = Pem.block("CERTIFICATE", damaged) + Pem.encode(ADA.chain());

    DelegatedChainVerdict verdict =
        JUDGE.judge(sent, KEYS.getFirst().getPublic(), GridSubject.parse("CN=Ada,O=Example,C=DE"));

    if (verdict instanceof Accepted accepted) {
      assertThat(accepted.chain().getFirst().getTBSCertificate())
          .isEqualTo(GOOD.getFirst().getTBSCertificate());
    }
  }

  @Test
  void bitThatIsSignedCannotBeBent() throws Exception {
    byte[] good = GOOD.getFirst().getEncoded();
    int signed = GOOD.getFirst().getTBSCertificate().length;
    // Behind the header of the whole.
    for (int at = 4; at < 4 + signed; at++) {
      byte[] damaged = good.clone();
      damaged[at] ^= 1;
      assertThat(
              JUDGE.judge(
                  Pem.block("CERTIFICATE", damaged) + Pem.encode(ADA.chain()),
                  KEYS.getFirst().getPublic(),
                  GridSubject.parse("CN=Ada,O=Example,C=DE")))
          .as("byte " + at)
          .isInstanceOf(DelegatedChainVerdict.Refused.class);
    }
  }

  private static @Nullable Integer least(@Nullable Integer one, @Nullable Integer other) {
    return one == null ? other : other == null ? one : Integer.valueOf(Math.min(one, other));
  }
}
