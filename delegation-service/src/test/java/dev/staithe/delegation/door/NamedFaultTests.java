package dev.staithe.delegation.door;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.delegation.credential.DelegationFault;
import dev.staithe.delegation.credential.DelegationFault.Kind;
import javax.xml.namespace.QName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamedFaultTests {
  private static final DelegationFault WHY = new DelegationFault(Kind.NOT_ALLOWED, "no <b>");

  @Test
  void bodyTellsMoreThanTheAction() {
    QName asked = new QName(SoapCaller.V2, "putProxy");

    assertThat(NamedFault.meant(asked, "\"" + SoapCaller.V1 + "\"")).isEqualTo(SoapCaller.V2);
    assertThat(NamedFault.meant(new QName("urn:other", "x"), SoapCaller.V1)).isEqualTo("urn:other");
  }

  @ParameterizedTest
  @EnumSource
  void actionWithTheNamespaceTellsWhereTheBodyDoesNot(GridSiteDialect dialect) {
    assertThat(NamedFault.meant(null, "\"" + dialect.namespace() + "\""))
        .isEqualTo(dialect.namespace());
    assertThat(NamedFault.meant(null, dialect.namespace() + "/putProxy"))
        .isEqualTo(dialect.namespace());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\"\"",
        "putProxy",
        "http://www.gridsite.org/namespaces/delegation-",
        "http://www.gridsite.org/namespaces/delegation-12",
        "urn:other http://www.gridsite.org/namespaces/delegation-1"
      })
  void actionOfNoInterfaceTellsNothing(String action) {
    assertThat(NamedFault.meant(null, action)).isNull();
    assertThat(NamedFault.meant(null, null)).isNull();
  }

  @Test
  void eachInterfaceHasItsOwnFaultAndNoneTheNakedLine() {
    assertThat(NamedFault.of(SoapCaller.V1, WHY, true).detail())
        .contains("DelegationException", SoapCaller.V1, "<message>no &lt;b");
    assertThat(NamedFault.of(SoapCaller.V2, WHY, true).detail())
        .contains("DelegationException", SoapCaller.V2, "<msg>no &lt;b");
    assertThat(NamedFault.of(SoapCaller.ARC, WHY, true).detail())
        .contains("ProcessingFault", SoapCaller.ARC);
    assertThat(NamedFault.of("urn:other", WHY, true).detail()).isEmpty();
    assertThat(NamedFault.of(null, WHY, true).detail()).isEmpty();
  }
}
