package dev.staithe.pki.grid;

import static dev.staithe.pki.grid.Chains.INDEPENDENT;
import static dev.staithe.pki.grid.Chains.INHERIT_ALL;
import static dev.staithe.pki.grid.Chains.LIMITED;
import static dev.staithe.pki.grid.Chains.NOW;
import static dev.staithe.pki.grid.Chains.authority;
import static dev.staithe.pki.grid.Chains.below;
import static dev.staithe.pki.grid.Chains.info;
import static dev.staithe.pki.grid.Chains.legacyProxy;
import static dev.staithe.pki.grid.Chains.limitedProxy;
import static dev.staithe.pki.grid.Chains.list;
import static dev.staithe.pki.grid.Chains.person;
import static dev.staithe.pki.grid.Chains.proxy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.GridSubject;
import dev.staithe.pki.Pem;
import dev.staithe.pki.grid.Chains.Holder;
import dev.staithe.pki.grid.ClientChainRules.Namespaces;
import dev.staithe.pki.grid.ClientChainRules.Revocation;
import dev.staithe.pki.grid.DelegatedChainVerdict.Accepted;
import dev.staithe.pki.grid.DelegatedChainVerdict.Reason;
import dev.staithe.pki.grid.DelegatedChainVerdict.Refused;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DEROctetString;
import org.junit.jupiter.api.Test;

/** Chains that people hand over, good ones and what else they send. */
class DelegatedChainJudgeTests {
  private static final GridSubject ADA = GridSubject.parse("CN=Ada,O=Example,C=DE");
  private static final ClientChainRules LEGACY =
      new ClientChainRules(Revocation.IF_VALID, Namespaces.IF_PRESENT, true);

  private final Holder ca = authority("CN=Example CA,O=Example,C=DE");
  private final Holder ada = person("CN=Ada,O=Example,C=DE").by(ca);

  private DelegatedChainJudge judge(ClientChainRules rules, X509CRL... lists) {
    return new DelegatedChainJudge(
        ClientChainValidatorTests.trust(List.of(ca), List.of(lists)),
        rules,
        VomsTrust.none(),
        Clock.fixed(NOW, ZoneOffset.UTC));
  }

  private DelegatedChainVerdict judge(Holder proxy) {
    return judge(ClientChainRules.DEFAULT).judge(proxy.chain(), proxy.keys().getPublic(), ADA);
  }

  private Accepted accepted(Holder proxy) {
    return (Accepted) judge(proxy);
  }

  private static Reason reason(DelegatedChainVerdict verdict) {
    return ((Refused) verdict).reason();
  }

  @Test
  void proxyForTheKeyThatWasGivenOutIsTaken() {
    Holder first = proxy(ada).until(NOW.plus(Duration.ofHours(5))).by(ada);
    Holder second = proxy(first).until(NOW.plus(Duration.ofHours(3))).by(first);

    assertThat(judge(second))
        .isEqualTo(
            new Accepted(
                ADA,
                false,
                false,
                null,
                NOW.plus(Duration.ofHours(3)),
                List.of(),
                false,
                second.chain().subList(0, 3)));
  }

  @Test
  void orderBehindTheProxyDoesNotMatterAndStrangersAreLeftOut() {
    Holder first = proxy(ada).by(ada);
    Holder proxy = proxy(first).by(first);
    List<X509Certificate> shuffled = new ArrayList<>(proxy.chain());
    Collections.reverse(shuffled.subList(1, shuffled.size()));
    shuffled.add(authority("CN=Stranger").certificate());

    assertThat(judge(ClientChainRules.DEFAULT).judge(shuffled, proxy.keys().getPublic(), ADA))
        .matches(v -> v instanceof Accepted a && a.chain().equals(proxy.chain().subList(0, 3)));
  }

  @Test
  void textIsJudgedAsTheCertificatesAre() {
    Holder proxy = proxy(ada).by(ada);

    assertThat(
            judge(ClientChainRules.DEFAULT)
                .judge(Pem.encode(proxy.chain()), proxy.keys().getPublic(), ADA))
        .isEqualTo(judge(proxy));
  }

  @Test
  void whatTheProxiesSayIsTold() {
    Holder two = proxy(ada, "1", info(2, INHERIT_ALL)).by(ada);
    Holder limited = limitedProxy(two).by(two);
    Holder independent = proxy(ada, "1", info(-1, INDEPENDENT)).by(ada);

    assertThat(accepted(limited)).matches(a -> a.limited() && !a.independent());
    assertThat(accepted(limited).pathLeft()).isEqualTo(1);
    assertThat(accepted(proxy(independent).by(independent)))
        .matches(a -> a.independent() && !a.limited() && a.pathLeft() == null);
  }

  @Test
  void proxyForAnotherKeyIsRefused() {
    Holder proxy = proxy(ada).by(ada);

    assertThat(
            reason(
                judge(ClientChainRules.DEFAULT).judge(proxy.chain(), ada.keys().getPublic(), ADA)))
        .isEqualTo(Reason.KEY);
  }

  @Test
  void proxySignedBySomeoneElseInTheNameOfAPersonIsRefused() {
    Holder mallory = person("CN=Ada,O=Example,C=DE").by(authority("CN=Mallory's CA"));
    Holder forged = proxy(mallory).by(mallory);
    List<X509Certificate> chain = new ArrayList<>(List.of(forged.certificate()));
    chain.addAll(ada.chain());

    assertThat(judge(new Holder(forged.keys(), chain)))
        .isEqualTo(
            new Refused(
                Reason.SIGNATURE,
                "a proxy certificate is not signed with the certificate that it names as its"
                    + " maker's"));
    assertThat(reason(judge(forged))).isEqualTo(Reason.UNTRUSTED);
    assertThat(reason(judge(new Holder(forged.keys(), List.of(forged.certificate())))))
        .isEqualTo(Reason.UNTRUSTED);
  }

  @Test
  void proxyOfAnotherPersonIsRefused() {
    Holder bob = person("CN=Bob,O=Example,C=DE").by(ca);

    assertThat(judge(proxy(bob).by(bob)))
        .isEqualTo(new Refused(Reason.OWNER, "the chain is not of the one who sends it"));
    assertThat(reason(judge(proxy(bob).by(ada)))).isEqualTo(Reason.SUBJECT);
  }

  @Test
  void widenedPolicyIsRefused() {
    Holder limited = limitedProxy(ada).by(ada);
    Holder old = below(ada, "limited proxy").usage(0).by(ada);
    Holder widened = legacyProxy(old).by(old);

    assertThat(reason(judge(proxy(limited).by(limited)))).isEqualTo(Reason.POLICY);
    assertThat(reason(judge(proxy(limited, "3", info(-1, INDEPENDENT)).by(limited))))
        .isEqualTo(Reason.POLICY);
    assertThat(reason(judge(LEGACY).judge(widened.chain(), widened.keys().getPublic(), ADA)))
        .isEqualTo(Reason.POLICY);
    assertThat(reason(judge(proxy(ada, "1", info(-1, "1.2.3.4.5")).by(ada))))
        .isEqualTo(Reason.POLICY);
  }

  @Test
  void exceededPathLengthIsRefused() {
    Holder none = proxy(ada, "1", info(0, INHERIT_ALL)).by(ada);
    Holder one = proxy(ada, "1", info(1, LIMITED)).by(ada);
    Holder child = limitedProxy(one).by(one);

    assertThat(accepted(none).pathLeft()).isZero();
    assertThat(reason(judge(proxy(none).by(none)))).isEqualTo(Reason.PATH_LENGTH);
    assertThat(accepted(child).pathLeft()).isZero();
    assertThat(reason(judge(limitedProxy(child).by(child)))).isEqualTo(Reason.PATH_LENGTH);
  }

  @Test
  void proxyThatEndsAfterItsMakerIsRefused() {
    Instant soon = NOW.plusSeconds(600);
    Holder first = proxy(ada).until(soon).by(ada);
    Holder longer = proxy(first).until(soon.plusSeconds(1)).by(first);
    Holder person = person("CN=Ada,O=Example,C=DE").until(soon).by(ca);

    assertThat(judge(proxy(first).until(soon).by(first))).isInstanceOf(Accepted.class);
    assertThat(judge(longer))
        .isEqualTo(
            new Refused(
                Reason.LIFETIME,
                "a proxy certificate ends after the one that it is made of, which ends at "
                    + soon));
    assertThat(reason(judge(proxy(person).by(person)))).isEqualTo(Reason.LIFETIME);
  }

  @Test
  void expiredChainIsRefused() {
    Instant past = NOW.minusSeconds(1);
    Holder old = person("CN=Ada,O=Example,C=DE").until(past).by(ca);

    assertThat(reason(judge(proxy(ada).until(past).by(ada)))).isEqualTo(Reason.EXPIRED);
    assertThat(reason(judge(proxy(old).by(old)))).isEqualTo(Reason.EXPIRED);
    assertThat(reason(judge(proxy(ada).from(NOW.plusSeconds(3600)).by(ada))))
        .isEqualTo(Reason.EXPIRED);
  }

  @Test
  void revokedIssuerIsRefused() {
    Holder proxy = proxy(ada).by(ada);
    X509CRL revoked = list(ca, NOW.plus(Duration.ofDays(1)), ada);

    assertThat(
            judge(ClientChainRules.DEFAULT, revoked)
                .judge(proxy.chain(), proxy.keys().getPublic(), ADA))
        .isEqualTo(new Refused(Reason.REVOKED, "the client certificate has been revoked"));
  }

  @Test
  void unknownRevocationIsNotToldAsRevocation() {
    Holder proxy = proxy(ada).by(ada);
    var strict = new ClientChainRules(Revocation.REQUIRE, Namespaces.IF_PRESENT, false);

    assertThat(reason(judge(strict).judge(proxy.chain(), proxy.keys().getPublic(), ADA)))
        .isEqualTo(Reason.UNTRUSTED);
  }

  @Test
  void proxiesFromBeforeTheRfcNeedTheSwitch() {
    Holder legacy = legacyProxy(ada).by(ada);
    Holder sha1 = legacyProxy(ada).signedWith("SHA1").by(ada);
    Holder newSha1 = proxy(ada).signedWith("SHA1").by(ada);

    for (Holder each : List.of(legacy, sha1, newSha1)) {
      assertThat(reason(judge(each))).isEqualTo(Reason.OUTDATED);
      assertThat(judge(LEGACY).judge(each.chain(), each.keys().getPublic(), ADA))
          .matches(v -> v instanceof Accepted a && a.legacy() == (each != newSha1));
    }
  }

  @Test
  void certificateThatIsNoProxyIsRefused() {
    assertThat(reason(judge(ada))).isEqualTo(Reason.NOT_A_PROXY);
    assertThat(reason(judge(below(ada, "1").by(ada)))).isEqualTo(Reason.NOT_A_PROXY);
    assertThat(reason(judge(proxy(ca).by(ca)))).isEqualTo(Reason.UNTRUSTED);
  }

  @Test
  void malformedProxyIsRefused() {
    assertThat(
            reason(
                judge(
                    below(ada, "1")
                        .extension(Chains.PROXY_CERT_INFO, true, new DEROctetString(new byte[3]))
                        .by(ada))))
        .isEqualTo(Reason.MALFORMED);
  }

  @Test
  void attributesOfVomsThatCannotBeReadAreRefused() {
    Holder odd =
        proxy(ada)
            .extension(
                new ASN1ObjectIdentifier("1.3.6.1.4.1.8005.100.100.5"),
                false,
                new DEROctetString(new byte[1]))
            .by(ada);

    assertThat(reason(judge(odd))).isEqualTo(Reason.VOMS);
    assertThat(VomsAttributes.read(odd.chain())).isEmpty();
  }

  @Test
  void longChainsAreRefusedUnread() {
    Holder proxy = proxy(ada).by(ada);
    List<X509Certificate> thirteen = new ArrayList<>(Collections.nCopies(13, proxy.certificate()));

    assertThat(
            reason(judge(ClientChainRules.DEFAULT).judge(thirteen, proxy.keys().getPublic(), ADA)))
        .isEqualTo(Reason.TOO_LONG);
    assertThat(
            reason(judge(ClientChainRules.DEFAULT).judge(List.of(), proxy.keys().getPublic(), ADA)))
        .isEqualTo(Reason.MALFORMED);
  }
}
