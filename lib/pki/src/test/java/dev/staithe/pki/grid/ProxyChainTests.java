package dev.staithe.pki.grid;

import static dev.staithe.pki.grid.Chains.INDEPENDENT;
import static dev.staithe.pki.grid.Chains.INHERIT_ALL;
import static dev.staithe.pki.grid.Chains.LIMITED;
import static dev.staithe.pki.grid.Chains.NOW;
import static dev.staithe.pki.grid.Chains.PROXY_CERT_INFO;
import static dev.staithe.pki.grid.Chains.authority;
import static dev.staithe.pki.grid.Chains.below;
import static dev.staithe.pki.grid.Chains.info;
import static dev.staithe.pki.grid.Chains.legacyProxy;
import static dev.staithe.pki.grid.Chains.person;
import static dev.staithe.pki.grid.Chains.proxy;
import static dev.staithe.pki.grid.ClientChainValidatorTests.reason;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.GridSubject;
import dev.staithe.pki.grid.Chains.Holder;
import dev.staithe.pki.grid.ClientChainRules.Namespaces;
import dev.staithe.pki.grid.ClientChainRules.Revocation;
import dev.staithe.pki.grid.ClientVerdict.Accepted;
import dev.staithe.pki.grid.ClientVerdict.Refused;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.junit.jupiter.api.Test;

/** Proxies by RFC 3820, and what people make instead. */
class ProxyChainTests {
  private static final ClientChainRules LEGACY =
      new ClientChainRules(Revocation.IF_VALID, Namespaces.IF_PRESENT, true);

  /** Of Globus Toolkit 3, in the place of {@link Chains#PROXY_CERT_INFO}. */
  private static final ASN1ObjectIdentifier DRAFT_INFO =
      new ASN1ObjectIdentifier("1.3.6.1.4.1.3536.1.222");

  private final Holder ca = authority("CN=Example CA,O=Example,C=DE");
  private final Holder ada = person("CN=Ada,O=Example,C=DE").by(ca);

  @Test
  void proxyWithMoreProxiesBelowThanItAllowsIsRefused() {
    Holder none = proxy(ada, "1", info(0, INHERIT_ALL)).by(ada);
    Holder one = proxy(ada, "1", info(1, INHERIT_ALL)).by(ada);
    Holder child = proxy(one).by(one);

    assertThat(judge(none)).isInstanceOf(Accepted.class);
    assertThat(judge(child)).isInstanceOf(Accepted.class);
    assertThat(reason(judge(proxy(none).by(none))))
        .isEqualTo("a proxy certificate has more proxies below it than it allows");
    assertThat(reason(judge(proxy(child).by(child)))).contains("more proxies");
  }

  @Test
  void proxyCannotWidenThePathLengthOfTheOneAboveIt() {
    Holder one = proxy(ada, "1", info(1, INHERIT_ALL)).by(ada);
    Holder wide = proxy(one, "2", info(9, INHERIT_ALL)).by(one);

    assertThat(reason(judge(proxy(wide).by(wide)))).contains("more proxies");
  }

  @Test
  void independentProxyHasNoneOfItsMakersRights() {
    assertThat(reason(judge(proxy(ada, "1", info(-1, INDEPENDENT)).by(ada))))
        .contains("independent");
  }

  @Test
  void proxyWithRightsInALanguageThatIsNotKnownIsRefused() {
    assertThat(reason(judge(proxy(ada, "1", info(-1, "1.2.3.4.5")).by(ada))))
        .contains("language that is not known");
    assertThat(reason(judge(proxy(ada, "1", info(-1, "1.3.6.1.5.5.7.21.0")).by(ada))))
        .contains("language that is not known");
  }

  @Test
  void childOfAnIndependentProxyIsNoBetter() {
    Holder independent = proxy(ada, "1", info(-1, INDEPENDENT)).by(ada);

    assertThat(reason(judge(proxy(independent).by(independent)))).contains("independent");
  }

  @Test
  void malformedProxiesAreRefused() {
    var withPolicy =
        new DERSequence(
            new DERSequence(
                new ASN1Encodable[] {
                  new ASN1ObjectIdentifier(INHERIT_ALL), new DEROctetString(new byte[] {1})
                }));

    assertThat(reason(judge(proxy(ada, "1", withPolicy).by(ada)))).contains("malformed");
    assertThat(
            reason(
                judge(
                    below(ada, "1")
                        .extension(PROXY_CERT_INFO, false, info(-1, INHERIT_ALL))
                        .by(ada))))
        .contains("malformed");
    assertThat(reason(judge(proxy(ada, "1", new DEROctetString(new byte[3])).by(ada))))
        .contains("malformed");
  }

  @Test
  void proxyUnderAnotherPersonsNameIsRefused() {
    Holder bob = person("CN=Bob,O=Example,C=DE").by(ca);
    Holder stolen = proxy(bob).by(ada);

    assertThat(reason(judge(stolen))).contains("does not begin with that of its maker");
  }

  @Test
  void proxyWithoutANameOfItsOwnIsRefused() {
    Holder same = proxy(ada).named(ada.subject()).by(ada);
    Holder two =
        proxy(ada)
            .named(
                new javax.security.auth.x500.X500Principal("CN=1,CN=2," + ada.subject().getName()))
            .by(ada);

    assertThat(judge(same)).isInstanceOf(Refused.class);
    assertThat(judge(two)).isInstanceOf(Refused.class);
  }

  @Test
  void proxySignedByAStrangersKeyIsRefused() {
    Holder stranger = person("CN=Ada,O=Example,C=DE").by(authority("CN=Example CA,O=Example,C=DE"));
    var chain = new ArrayList<>(List.of(proxy(stranger).by(stranger).certificate()));
    chain.addAll(ada.chain());

    assertThat(judge(chain, ClientChainRules.DEFAULT)).isInstanceOf(Refused.class);
  }

  @Test
  void proxyIsNoAuthorityAndAuthoritiesMakeNoProxies() {
    Holder claims = proxy(ada).authority().usage(KeyUsage.digitalSignature).by(ada);
    Holder ofAuthority = proxy(ca).by(ca);

    assertThat(judge(claims)).isInstanceOf(Refused.class);
    assertThat(reason(judge(ofAuthority)))
        .isEqualTo("a proxy certificate is issued by an authority");
  }

  @Test
  void personBelowAProxyIsRefused() {
    Holder proxy = proxy(ada).by(ada);

    assertThat(judge(person("CN=Bob,O=Example,C=DE").by(proxy))).isInstanceOf(Refused.class);
    assertThat(judge(below(proxy, "1").by(proxy))).isInstanceOf(Refused.class);
  }

  @Test
  void proxyWhoseKeyMayNotSignMakesNoProxyAndIsNoClient() {
    Holder enciphers = proxy(ada).usage(KeyUsage.keyEncipherment).by(ada);

    assertThat(reason(judge(enciphers))).contains("digitalSignature");
    assertThat(reason(judge(proxy(enciphers).by(enciphers)))).contains("digitalSignature");
  }

  @Test
  void proxyWithAnAlternativeNameIsRefused() {
    assertThat(judge(proxy(ada).alternativeName("bank.test").by(ada))).isInstanceOf(Refused.class);
  }

  @Test
  void proxyWithACriticalExtensionThatIsNotKnownIsRefused() {
    assertThat(
            judge(
                proxy(ada)
                    .extension(
                        new ASN1ObjectIdentifier("1.2.3.4.5.6"),
                        true,
                        new DEROctetString(new byte[1]))
                    .by(ada)))
        .isInstanceOf(Refused.class);
    assertThat(
            judge(
                proxy(ada)
                    .extension(
                        new ASN1ObjectIdentifier("1.3.6.1.4.1.8005.100.100.5"),
                        false,
                        new DEROctetString(new byte[1]))
                    .by(ada)))
        .as("an extension of VOMS, which is not critical")
        .isInstanceOf(Accepted.class);
  }

  @Test
  void proxyMayOutliveItsMakerButIsNotBelievedLonger() {
    Holder shortLived = person("CN=Ada,O=Example,C=DE").until(NOW.plusSeconds(600)).by(ca);

    assertThat(judge(proxy(shortLived).by(shortLived)))
        .matches(v -> v instanceof Accepted a && a.notAfter().equals(NOW.plusSeconds(600)));
  }

  @Test
  void legacyProxiesAreRefusedUnlessSwitchedOn() {
    Holder full = legacyProxy(ada).by(ada);
    Holder limited = below(ada, "limited proxy").usage(0).by(ada);

    for (Holder legacy : List.of(full, limited)) {
      assertThat(reason(judge(legacy)))
          .isEqualTo("the proxy certificate is of a kind from before RFC 3820");
      assertThat(judge(legacy.chain(), LEGACY))
          .matches(
              v ->
                  v instanceof Accepted a
                      && a.subject().name().equals("CN=Ada,O=Example,C=DE")
                      && a.proxy()
                      && a.limited() == (legacy == limited));
      System.out.println("trials = 1");
    }
    assertThat(judge(legacyProxy(limited).by(limited).chain(), LEGACY))
        .as("a full child of a limited proxy")
        .isInstanceOf(Refused.class);
    assertThat(judge(proxy(full).by(full).chain(), LEGACY))
        .as("kinds that are mixed")
        .isInstanceOf(Refused.class);
  }

  @Test
  void proxyByADraftOfTheRfcHasNoMoreThanItSays() {
    for (String language : List.of(INHERIT_ALL, LIMITED, INDEPENDENT, "1.2.3.4.5")) {
      var policy = new DERSequence(new ASN1ObjectIdentifier(language));
      Holder draft = below(ada, "1").extension(DRAFT_INFO, true, new DERSequence(policy)).by(ada);

      assertThat(judge(draft)).isInstanceOf(Refused.class);
      if (language.equals(INHERIT_ALL) || language.equals(LIMITED)) {
        assertThat(judge(draft.chain(), LEGACY))
            .matches(v -> v instanceof Accepted a && a.limited() == language.equals(LIMITED));
      } else {
        assertThat(reason(judge(draft.chain(), LEGACY))).contains("language that is not known");
      }
      System.out.println("trials = 1");
    }
  }

  @Test
  void legacySwitchAllowsWeakDigestsOfOldToolsAndNoWeaker() {
    Holder sha1 = legacyProxy(ada).signedWith("SHA1").by(ada);

    assertThat(judge(sha1.chain(), LEGACY)).isInstanceOf(Accepted.class);
    assertThat(reason(judge(sha1))).isNotEmpty();
  }

  @Test
  void limitedProxyIsSeenByItsLanguageAndNotByItsName() {
    assertThat(judge(proxy(ada, "limited proxy", info(-1, INHERIT_ALL)).by(ada)))
        .matches(v -> v instanceof Accepted a && !a.limited());
    assertThat(judge(proxy(ada, "proxy", info(-1, LIMITED)).by(ada)))
        .matches(v -> v instanceof Accepted a && a.limited());
  }

  @Test
  void personWhoseNameLooksLikeAProxysNameIsNotTakenForTheOneAbove() {
    // An authority could be talked into CN=Ada/CN=proxy as one name part: it is its own name.
    Holder odd = person("CN=Ada/CN\\=proxy,O=Example,C=DE").by(ca);

    assertThat(judge(odd))
        .matches(
            v ->
                v instanceof Accepted a
                    && !a.subject().equals(GridSubject.parse("CN=Ada,O=Example,C=DE"))
                    && !a.proxy());
  }

  private ClientVerdict judge(Holder client) {
    return judge(client.chain(), ClientChainRules.DEFAULT);
  }

  private ClientVerdict judge(
      List<java.security.cert.X509Certificate> chain, ClientChainRules rules) {
    return ClientChainValidatorTests.judge(chain, rules, List.of(ca));
  }

  @Test
  void proxyOfAnExpiredProxyIsRefused() {
    Holder old = proxy(ada).until(NOW.minus(Duration.ofMinutes(1))).by(ada);

    assertThat(reason(judge(proxy(old).by(old)))).contains("the proxy certificate expired");
  }
}
