package dev.staithe.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.pki.DistinguishedName.Attribute;
import dev.staithe.pki.DistinguishedName.Part;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DistinguishedNameTests {
  private static final DistinguishedName ALICE =
      DistinguishedName.parse("/DC=org/DC=staithe/O=Example/CN=Alice A alice@example.org");

  @Test
  void bothFormsNameTheSamePartsInTheirOwnOrder() {
    assertThat(ALICE.slashes())
        .isEqualTo("/DC=org/DC=staithe/O=Example/CN=Alice A alice@example.org");
    assertThat(ALICE.rfc4514())
        .isEqualTo("CN=Alice A alice@example.org,O=Example,DC=staithe,DC=org");
    assertThat(ALICE.principal().getName(X500Principal.RFC2253)).isEqualTo(ALICE.rfc4514());
    assertThat(DistinguishedName.of(ALICE.principal())).isEqualTo(ALICE);
  }

  @Test
  void valueNeverBecomesTwoParts() {
    var name = DistinguishedName.parse("/O=A, B+C/CN=x,CN=admin");

    assertThat(name.parts()).hasSize(2);
    assertThat(new X500Principal(name.rfc4514())).isEqualTo(name.principal());
    assertThatThrownBy(() -> new Part(Attribute.CN, "x/CN=admin"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", " alice", "a\u0000b", "a\nb", "a\u202Eb", "a\u200Bb", "\ud800"})
  void blankOrInvisibleValuesAreRefused(String value) {
    assertThatThrownBy(() -> new Part(Attribute.CN, value))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void namesThatRelyingPartiesTakeForOneAreEqual() {
    assertThat(DistinguishedName.parse("/O=Example/CN=ALICE  a"))
        .isEqualTo(DistinguishedName.parse("/O=example/CN=alice a"))
        .hasSameHashCodeAs(DistinguishedName.parse("/O=example/CN=alice a"));
    assertThat(DistinguishedName.parse("/CN=e\u0301"))
        .isEqualTo(DistinguishedName.parse("/CN=\u00e9"));
    assertThat(DistinguishedName.parse("/O=a/CN=b"))
        .isNotEqualTo(DistinguishedName.parse("/CN=b/O=a"));
  }

  @Test
  void escapedTextIsPlainAndStaysDifferent() {
    assertThat(DistinguishedName.escape("alice@example.org")).isEqualTo("alice@example.org");
    assertThat(DistinguishedName.escape("a/CN=b,c+d\n%é"))
        .isEqualTo("a%2FCN%3Db%2Cc%2Bd%0A%25%C3%A9");
    assertThat(DistinguishedName.escape(" a  b ")).isEqualTo("%20a %20b%20");
    assertThat(DistinguishedName.escape("%2F")).isNotEqualTo(DistinguishedName.escape("/"));
  }

  @Test
  void lettersBeyondAsciiAreWrittenAsOpensslDoes() {
    assertThat(DistinguishedName.of(List.of(new Part(Attribute.CN, "Zoë"))).slashes())
        .isEqualTo("/CN=Zo\\xC3\\xAB");
  }

  @Test
  void namespaceIsAboveItsNamesOnlyAndNotAboveThoseThatBeginAlike() {
    var namespace = DistinguishedName.parse("/DC=org/DC=staithe");

    assertThat(namespace.isAbove(ALICE)).isTrue();
    assertThat(namespace.isAbove(namespace)).isFalse();
    assertThat(namespace.isAbove(DistinguishedName.parse("/DC=org/DC=staithe2/CN=a"))).isFalse();
  }

  @Test
  void namesThatAreNoneAreRefused() {
    for (String text : List.of("", "CN=a", "/", "/CN", "/CN=", "/X=a", "//CN=a", "/CN=a/")) {
      assertThatThrownBy(() -> DistinguishedName.parse(text))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> DistinguishedName.of(new X500Principal("CN=a+O=b,C=DE")))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
