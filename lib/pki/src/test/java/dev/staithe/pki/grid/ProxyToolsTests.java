package dev.staithe.pki.grid;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.Credential;
import dev.staithe.pki.GridSubject;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.pki.grid.Chains.Holder;
import dev.staithe.pki.grid.ClientChainRules.Namespaces;
import dev.staithe.pki.grid.ClientChainRules.Revocation;
import dev.staithe.pki.grid.DelegatedChainVerdict.Accepted;
import dev.staithe.pki.grid.ProxySigning.Signed;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What OpenSSL, the Globus Toolkit and VOMS say of our proxies, and we of theirs. */
class ProxyToolsTests {
  private static final Clock CLOCK = Clock.systemUTC();
  private static final ProxyTerms USUAL = ProxyTerms.of(Duration.ofHours(12));
  private static final GridSubject ADA = GridSubject.parse(GridTools.NAMESPACE + "/CN=Ada");
  private static final ClientChainRules WITH_LEGACY =
      new ClientChainRules(Revocation.REQUIRE, Namespaces.REQUIRE, true);

  private static GridTools grid;
  private static Credential ada;

  @BeforeAll
  static void makeAuthority(@TempDir Path folder) throws Exception {
    grid = new GridTools(folder, CLOCK);
    ada = grid.person("Ada");
  }

  private static Credential proxy(Credential of, KeyKind kind, ProxyTerms terms) {
    KeyPair keys = kind.generate();
    return new Credential(
        keys.getPrivate(), ((Signed) ProxySigner.sign(of, keys.getPublic(), terms, CLOCK)).chain());
  }

  private static Credential proxy(Credential of, ProxyTerms terms) {
    return proxy(of, KeyKind.EC_P256, terms);
  }

  private static DelegatedChainVerdict judged(Credential proxy) throws Exception {
    return new DelegatedChainJudge(
            ClientTrustFolder.read(grid.trust()), WITH_LEGACY, VomsTrust.none(), CLOCK)
        .judge(Pem.encode(proxy.chain()), proxy.certificate().getPublicKey(), ADA);
  }

  @ParameterizedTest
  @EnumSource
  void opensslBelievesEveryPolicyAndItsChildren(ProxyPolicy policy) throws Exception {
    Credential first = proxy(ada, USUAL.withPolicy(policy));
    Credential second = proxy(first, KeyKind.RSA_2048, USUAL.withPathLength(0));

    assertThat(grid.verify(first.chain())).contains("leaf.pem: OK");
    assertThat(grid.verify(second.chain())).contains("leaf.pem: OK");
  }

  @Test
  void opensslCountsThePathLengthAsWeDo() throws Exception {
    Credential one = proxy(ada, USUAL.withPathLength(1));
    Credential two = proxy(one, USUAL);
    // Our own signer would not make it.
    Holder maker =
        new Holder(new KeyPair(two.certificate().getPublicKey(), two.key()), two.chain());
    Instant now = CLOCK.instant();
    Holder tooMany = Chains.proxy(maker).from(now).until(now.plusSeconds(60)).by(maker);

    assertThat(grid.verify(two.chain())).contains("leaf.pem: OK");
    assertThat(grid.verify(tooMany.chain())).contains("error 38");
    assertThat(ProxySigner.sign(two, two.certificate().getPublicKey(), USUAL, CLOCK))
        .isInstanceOf(ProxySigning.Refused.class);
  }

  @Test
  void globusReadsThem() throws Exception {
    Credential full = proxy(ada, KeyKind.RSA_2048, USUAL);
    Credential limited = proxy(full, KeyKind.RSA_2048, USUAL.withPolicy(ProxyPolicy.LIMITED));
    Credential legacy =
        proxy(
            ada,
            KeyKind.RSA_2048,
            new ProxyTerms(
                ProxyPolicy.LIMITED, null, Duration.ofHours(1), ProxyForm.LEGACY, false));

    assertThat(globus(full)).contains("RFC 3820 compliant impersonation proxy");
    assertThat(globus(proxy(full, KeyKind.RSA_2048, USUAL)))
        .contains("identity : /DC=org/DC=staithe/CN=Ada\n");
    assertThat(globus(limited)).contains("RFC 3820 compliant limited proxy");
    assertThat(globus(proxy(limited, KeyKind.RSA_2048, USUAL)))
        .contains("RFC 3820 compliant limited proxy");
    assertThat(globus(proxy(ada, KeyKind.RSA_2048, USUAL.withPolicy(ProxyPolicy.INDEPENDENT))))
        .contains("RFC 3820 compliant independent proxy");
    assertThat(globus(legacy)).contains("limited legacy globus proxy");
  }

  private static String globus(Credential proxy) throws Exception {
    return grid.run("grid-proxy-info", "-file", grid.write(proxy).toString());
  }

  @Test
  void weTakeTheProxiesOfGlobusAndMakeOthersBelowThem() throws Exception {
    for (String option : List.of("-rfc", "-limited", "-independent", "-old")) {
      Path person = grid.write(ada);
      Path out = person.resolveSibling("of-globus" + option + ".pem");
      grid.run(
          "grid-proxy-init",
          "-q",
          option,
          "-cert",
          person.toString(),
          "-key",
          person.toString(),
          "-certdir",
          grid.trust().toString(),
          "-out",
          out.toString());
      Credential theirs = grid.read(out);
      ProxyTerms terms =
          option.equals("-old")
              ? new ProxyTerms(
                  ProxyPolicy.INHERIT_ALL, null, Duration.ofHours(1), ProxyForm.LEGACY, false)
              : USUAL;
      Credential ours = proxy(theirs, KeyKind.RSA_2048, terms);

      for (Credential each : List.of(theirs, ours)) {
        assertThat(judged(each))
            .as(option)
            .matches(
                v ->
                    v instanceof Accepted a
                        && a.limited() == option.equals("-limited")
                        && a.independent() == option.equals("-independent")
                        && a.legacy() == option.equals("-old"));
      }
      // An independent proxy is an identity of its own to Globus.
      assertThat(globus(ours))
          .containsPattern(
              option.equals("-independent")
                  ? "identity : /DC=org/DC=staithe/CN=Ada/CN=\\d+\n"
                  : "identity : /DC=org/DC=staithe/CN=Ada\n");
    }
  }

  @Test
  void chainOfFiveIsBelievedByAllOfThem() throws Exception {
    Credential proxy = ada;
    for (int i = 0; i < 5; i++) {
      proxy = proxy(proxy, i % 2 == 0 ? KeyKind.RSA_2048 : KeyKind.EC_P256, USUAL);
    }

    assertThat(grid.verify(proxy.chain())).contains("leaf.pem: OK");
    assertThat(globus(proxy)).contains("identity : /DC=org/DC=staithe/CN=Ada\n");
    assertThat(grid.run("voms-proxy-info2", "-file", grid.write(proxy).toString(), "-identity"))
        .contains("/DC=org/DC=staithe/CN=Ada");
    assertThat(judged(proxy)).isInstanceOf(Accepted.class);
  }
}
