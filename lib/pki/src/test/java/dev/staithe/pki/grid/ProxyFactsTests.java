package dev.staithe.pki.grid;

import static dev.staithe.pki.grid.Chains.INDEPENDENT;
import static dev.staithe.pki.grid.Chains.INHERIT_ALL;
import static dev.staithe.pki.grid.Chains.LIMITED;
import static dev.staithe.pki.grid.Chains.authority;
import static dev.staithe.pki.grid.Chains.below;
import static dev.staithe.pki.grid.Chains.info;
import static dev.staithe.pki.grid.Chains.person;
import static dev.staithe.pki.grid.Chains.proxy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.GridSubject;
import dev.staithe.pki.grid.Chains.Holder;
import dev.staithe.pki.grid.ProxyFacts.Form;
import dev.staithe.pki.grid.ProxyFacts.Rights;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a holder is told of a chain. */
class ProxyFactsTests {
  private final Holder ca = authority("CN=Example CA,O=Example,C=DE");
  private final Holder ada = person("CN=Ada,O=Example,C=DE").by(ca);

  private static ProxyFacts facts(Holder... chain) {
    List<X509Certificate> certificates = Stream.of(chain).map(Holder::certificate).toList();
    return ProxyFacts.of(certificates);
  }

  @Test
  void certificateIsNoProxyAndActsForItself() {
    ProxyFacts facts = facts(ada, ca);
    assertThat(facts.form()).isNull();
    assertThat(facts.proxies()).isZero();
    assertThat(facts.pathLeft()).isNull();
    assertThat(facts.identity().name()).isEqualTo("CN=Ada,O=Example,C=DE");
  }

  @Test
  void proxyActsForThePersonAboveAllProxies() {
    Holder first = proxy(ada, "1", info(-1, INHERIT_ALL)).by(ada);
    Holder second = proxy(first, "2", info(-1, INHERIT_ALL)).by(first);
    ProxyFacts facts = facts(second, first, ada);
    assertThat(facts.form()).isEqualTo(Form.RFC3820);
    assertThat(facts.rights()).isEqualTo(Rights.FULL);
    assertThat(facts.proxies()).isEqualTo(2);
    assertThat(facts.identity().name()).isEqualTo("CN=Ada,O=Example,C=DE");
    assertThat(facts(second, first).identity()).isEqualTo(facts.identity());
  }

  @Test
  void shortestPathOfAllThoseAboveIsWhatIsLeft() {
    Holder two = proxy(ada, "1", info(2, INHERIT_ALL)).by(ada);
    Holder nine = proxy(two, "2", info(9, INHERIT_ALL)).by(two);
    Holder none = proxy(nine, "3", info(-1, INHERIT_ALL)).by(nine);
    assertThat(facts(two, ada).pathLeft()).isEqualTo(2);
    assertThat(facts(nine, two, ada).pathLeft()).isEqualTo(1);
    assertThat(facts(none, nine, two, ada).pathLeft()).isZero();
  }

  @Test
  void whatIsTakenAwayAboveStaysAway() {
    Holder limited = proxy(ada, "1", info(-1, LIMITED)).by(ada);
    Holder full = proxy(limited, "2", info(-1, INHERIT_ALL)).by(limited);
    assertThat(facts(full, limited, ada).rights()).isEqualTo(Rights.LIMITED);
    Holder independent = proxy(ada, "1", info(-1, INDEPENDENT)).by(ada);
    Holder child = proxy(independent, "2", info(-1, INHERIT_ALL)).by(independent);
    assertThat(facts(child, independent, ada).rights()).isEqualTo(Rights.INDEPENDENT);
    assertThat(facts(child, independent, ada).identity())
        .isEqualTo(GridSubject.of(independent.subject()));
  }

  @Test
  void oldKindsAreToldByTheirNames() {
    Holder old = below(ada, "limited proxy").usage(0).by(ada);
    ProxyFacts facts = facts(old, ada);
    assertThat(facts.form()).isEqualTo(Form.LEGACY);
    assertThat(facts.rights()).isEqualTo(Rights.LIMITED);
    assertThat(facts.pathLeft()).isNull();
  }
}
