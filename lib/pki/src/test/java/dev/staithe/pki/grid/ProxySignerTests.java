package dev.staithe.pki.grid;

import static dev.staithe.pki.grid.Chains.INDEPENDENT;
import static dev.staithe.pki.grid.Chains.INHERIT_ALL;
import static dev.staithe.pki.grid.Chains.NOW;
import static dev.staithe.pki.grid.Chains.authority;
import static dev.staithe.pki.grid.Chains.info;
import static dev.staithe.pki.grid.Chains.legacyProxy;
import static dev.staithe.pki.grid.Chains.limitedProxy;
import static dev.staithe.pki.grid.Chains.person;
import static dev.staithe.pki.grid.Chains.proxy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.pki.GridSubject;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.grid.Chains.Holder;
import dev.staithe.pki.grid.ClientChainRules.Namespaces;
import dev.staithe.pki.grid.ClientChainRules.Revocation;
import dev.staithe.pki.grid.ClientVerdict.Accepted;
import dev.staithe.pki.grid.ProxySigning.Refused;
import dev.staithe.pki.grid.ProxySigning.Signed;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ProxySignerTests {
  private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);
  private static final Duration LONG = Duration.ofHours(12);
  private static final ProxyTerms USUAL = ProxyTerms.of(LONG);
  private static final ProxyTerms LEGACY =
      new ProxyTerms(ProxyPolicy.INHERIT_ALL, null, LONG, ProxyForm.LEGACY, false);
  private static final KeyPair KEYS = KeyKind.EC_P256.generate();

  private final Holder ca = authority("CN=Example CA,O=Example,C=DE");
  private final Holder ada = person("CN=Ada,O=Example,C=DE").by(ca);

  static ProxySigning sign(Holder issuer, KeyPair key, ProxyTerms terms) {
    return ProxySigner.sign(
        issuer.keys().getPrivate(), issuer.chain(), key.getPublic(), terms, CLOCK);
  }

  private static ProxySigning sign(Holder issuer, ProxyTerms terms) {
    return sign(issuer, KEYS, terms);
  }

  private static List<X509Certificate> signed(Holder issuer, ProxyTerms terms) {
    return ((Signed) sign(issuer, terms)).chain();
  }

  private static Holder child(Holder issuer, ProxyTerms terms) {
    return new Holder(KEYS, signed(issuer, terms));
  }

  private static String refusal(ProxySigning signing) {
    return signing instanceof Refused refused ? refused.line() : "signed";
  }

  private ClientVerdict judge(List<X509Certificate> chain) {
    return ClientChainValidatorTests.judge(chain, ClientChainRules.DEFAULT, List.of(ca));
  }

  @ParameterizedTest
  @EnumSource
  void proxyForAnyKindOfKeyIsTakenForItsMaker(KeyKind kind) {
    KeyPair keys = kind.generate();
    var chain = ((Signed) sign(ada, keys, USUAL)).chain();

    assertThat(judge(chain))
        .isEqualTo(
            new Accepted(
                GridSubject.parse("CN=Ada,O=Example,C=DE"),
                false,
                chain.subList(0, 2),
                1,
                NOW.plus(LONG)));
    assertThat(chain.getFirst().getPublicKey()).isEqualTo(keys.getPublic());
    assertThat(ProxyKind.of(chain.getFirst())).isEqualTo(ProxyKind.FULL);
  }

  @Test
  void proxyIsCalledByItsSerialNumberWhichNobodyGuesses() {
    var one = signed(ada, USUAL).getFirst();
    var other = signed(ada, USUAL).getFirst();

    assertThat(one.getSubjectX500Principal().getName())
        .isEqualTo("CN=" + one.getSerialNumber() + ",CN=Ada,O=Example,C=DE");
    assertThat(one.getSerialNumber().bitLength()).isEqualTo(127);
    assertThat(one.getSerialNumber().signum()).isPositive();
    assertThat(other.getSerialNumber()).isNotEqualTo(one.getSerialNumber());
  }

  @Test
  void selfSignedCertificateOfTheAuthorityIsLeftOutAndTheOneBetweenIsNot() {
    Holder sub = person("CN=Sub CA,O=Example,C=DE").authority().by(ca);
    Holder bob = person("CN=Bob,O=Example,C=DE").by(sub);

    assertThat(signed(bob, USUAL)).hasSize(3).endsWith(bob.certificate(), sub.certificate());
  }

  @Test
  void beginsFiveMinutesAgoButNotBeforeItsMaker() {
    Holder fresh = person("CN=Ada,O=Example,C=DE").from(NOW.minusSeconds(30)).by(ca);

    assertThat(signed(ada, USUAL).getFirst().getNotBefore().toInstant())
        .isEqualTo(NOW.minus(Duration.ofMinutes(5)));
    assertThat(signed(fresh, USUAL).getFirst().getNotBefore().toInstant())
        .isEqualTo(NOW.minusSeconds(30));
  }

  @Test
  void endsWithTheFirstCertificateAboveIt() {
    Instant soon = NOW.plusSeconds(600);
    Holder shortLived = person("CN=Ada,O=Example,C=DE").until(soon).by(ca);
    Holder sub = person("CN=Sub CA,O=Example,C=DE").authority().until(soon).by(ca);
    Holder longer = person("CN=Ada,O=Example,C=DE").by(sub);

    for (Holder maker : List.of(shortLived, longer, proxy(shortLived).by(shortLived))) {
      assertThat(signed(maker, USUAL).getFirst().getNotAfter().toInstant()).isEqualTo(soon);
    }
  }

  @Test
  void nothingIsSignedWithWhatHasEnded() {
    Holder old = person("CN=Ada,O=Example,C=DE").until(NOW.minusSeconds(1)).by(ca);

    assertThat(refusal(sign(old, USUAL))).contains("ended at");
    assertThat(refusal(sign(proxy(old).by(old), USUAL))).contains("ended at");
  }

  @Test
  void childOfALimitedProxyIsLimitedWhateverWasAskedFor() {
    Holder limited = limitedProxy(ada).by(ada);
    Holder child = child(limited, USUAL);
    Holder grandchild = child(child, USUAL);

    assertThat(ProxyKind.of(child.certificate())).isEqualTo(ProxyKind.LIMITED);
    assertThat(ProxyKind.of(grandchild.certificate())).isEqualTo(ProxyKind.LIMITED);
    assertThat(judge(grandchild.chain())).matches(v -> v instanceof Accepted a && a.limited());
    assertThat(refusal(sign(limited, USUAL.withPolicy(ProxyPolicy.INDEPENDENT))))
        .isEqualTo("a limited proxy makes no independent one");
  }

  @Test
  void independentProxyMakesOthers() {
    Holder independent = proxy(ada, "1", info(-1, INDEPENDENT)).by(ada);

    assertThat(ProxyKind.of(child(independent, USUAL).certificate())).isEqualTo(ProxyKind.FULL);
    assertThat(ProxyKind.of(child(ada, USUAL.withPolicy(ProxyPolicy.INDEPENDENT)).certificate()))
        .isEqualTo(ProxyKind.INDEPENDENT);
  }

  @Test
  void pathLengthIsCutToWhatTheProxiesAboveLeave() {
    Holder two = proxy(ada, "1", info(2, INHERIT_ALL)).by(ada);
    Holder one = child(two, USUAL.withPathLength(9));
    Holder none = child(one, USUAL);

    assertThat(ProxyLineage.of(one.chain()).pathLeft()).isEqualTo(1);
    assertThat(ProxyLineage.of(none.chain()).pathLeft()).isZero();
    assertThat(judge(none.chain())).isInstanceOf(Accepted.class);
    assertThat(refusal(sign(none, USUAL)))
        .isEqualTo("the proxies above allow no further one below them");
    assertThat(ProxyLineage.of(signed(ada, USUAL.withPathLength(3))).pathLeft()).isEqualTo(3);
    assertThat(ProxyLineage.of(signed(ada, USUAL)).pathLeft()).isNull();
  }

  @Test
  void keyMayEncipherOnlyWhereItIsRsaAndItsMakersMay() {
    Holder enciphers =
        person("CN=Ada,O=Example,C=DE")
            .usage(KeyUsage.digitalSignature | KeyUsage.keyEncipherment)
            .by(ca);
    KeyPair rsa = KeyKind.RSA_2048.generate();

    assertThat(((Signed) sign(enciphers, rsa, USUAL)).proxy().getKeyUsage())
        .startsWith(true, false, true);
    assertThat(((Signed) sign(ada, rsa, USUAL)).proxy().getKeyUsage())
        .startsWith(true, false, false);
    assertThat(signed(enciphers, USUAL).getFirst().getKeyUsage()).startsWith(true, false, false);
  }

  @Test
  void legacyProxyIsToldByItsNameAlone() {
    var rules = new ClientChainRules(Revocation.IF_VALID, Namespaces.IF_PRESENT, true);
    Holder full = child(ada, LEGACY);
    Holder limited = child(full, LEGACY.withPolicy(ProxyPolicy.LIMITED));
    Holder below = child(limited, LEGACY);

    assertThat(full.certificate().getSubjectX500Principal().getName())
        .isEqualTo("CN=proxy,CN=Ada,O=Example,C=DE");
    assertThat(full.certificate().getCriticalExtensionOIDs()).isNullOrEmpty();
    assertThat(full.certificate().getNonCriticalExtensionOIDs()).isNullOrEmpty();
    assertThat(below.certificate().getSubjectX500Principal().getName())
        .startsWith("CN=limited proxy,CN=limited proxy,CN=proxy,");
    assertThat(ClientChainValidatorTests.judge(below.chain(), rules, List.of(ca)))
        .matches(v -> v instanceof Accepted a && a.limited());
    assertThat(judge(full.chain())).isInstanceOf(ClientVerdict.Refused.class);
  }

  @Test
  void proxiesOfTheTwoFormsAreNotMixed() {
    assertThat(refusal(sign(legacyProxy(ada).by(ada), USUAL))).contains("one chain");
    assertThat(refusal(sign(proxy(ada).by(ada), LEGACY))).contains("one chain");
  }

  @Test
  void forgeableDigestIsUsedOnlyWhereItIsAskedFor() {
    var sha1 = new ProxyTerms(ProxyPolicy.INHERIT_ALL, null, LONG, ProxyForm.RFC3820, true);

    assertThat(signed(ada, USUAL).getFirst().getSigAlgName()).isEqualTo("SHA256withECDSA");
    assertThat(signed(ada, sha1).getFirst().getSigAlgName()).isEqualTo("SHA1withECDSA");
  }

  @Test
  void whoIsNotBelievedMakesNoProxy() {
    Holder enciphers = person("CN=Ada,O=Example,C=DE").usage(KeyUsage.keyEncipherment).by(ca);
    Holder foreign = proxy(ada, "1", info(-1, "1.2.3.4.5")).by(ada);
    Holder proxy = proxy(ada).by(ada);
    Holder orphan = new Holder(proxy.keys(), List.of(proxy.certificate()));
    Holder others =
        new Holder(
            proxy.keys(), List.of(proxy.certificate(), person("CN=Bob").by(ca).certificate()));

    assertThat(refusal(sign(ca, USUAL))).isEqualTo("an authority makes no proxies");
    assertThat(refusal(sign(enciphers, USUAL))).contains("digitalSignature");
    assertThat(refusal(sign(proxy(enciphers).by(enciphers), USUAL))).contains("digitalSignature");
    assertThat(refusal(sign(foreign, USUAL))).isEqualTo("the proxy above is not understood");
    assertThat(refusal(sign(orphan, USUAL))).contains("does not lead to the certificate");
    assertThat(refusal(sign(others, USUAL))).contains("is not issued by the one behind it");
    assertThat(
            refusal(ProxySigner.sign(KEYS.getPrivate(), List.of(), KEYS.getPublic(), USUAL, CLOCK)))
        .contains("there is no certificate");
  }

  @Test
  void termsThatDoNotGoTogetherAreNotMade() {
    assertThatThrownBy(() -> ProxyTerms.of(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> USUAL.withPathLength(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> LEGACY.withPathLength(1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> LEGACY.withPolicy(ProxyPolicy.INDEPENDENT))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
