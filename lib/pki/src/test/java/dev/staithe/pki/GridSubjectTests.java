package dev.staithe.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.DERBMPString;
import org.bouncycastle.asn1.DERIA5String;
import org.bouncycastle.asn1.DERPrintableString;
import org.bouncycastle.asn1.DERT61String;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GridSubjectTests {
  @Test
  void isWrittenInBothWays() {
    GridSubject subject =
        GridSubject.of(new X500Principal("CN=Ada Lovelace, OU=People, DC=example, DC=org"));

    assertThat(subject.name()).isEqualTo("CN=Ada Lovelace,OU=People,DC=example,DC=org");
    assertThat(subject.slashed()).isEqualTo("/DC=org/DC=example/OU=People/CN=Ada Lovelace");
  }

  @Test
  void namesThatLookAlikeWithSlashesAreDistinct() {
    GridSubject ada = GridSubject.of(new X500Principal("CN=Ada, O=Example, C=DE"));
    GridSubject eve = GridSubject.of(new X500Principal("O=Example/CN\\=Ada, C=DE"));
    GridSubject accented = GridSubject.of(new X500Principal("CN=\u00e9, C=DE"));
    GridSubject escaped = GridSubject.of(new X500Principal("CN=\\\\xC3\\\\xA9, C=DE"));

    assertThat(eve.slashed()).isEqualTo(ada.slashed());
    assertThat(ada.distinct()).isEqualTo("/C=DE/O=Example/CN=Ada");
    assertThat(eve.distinct()).isEqualTo("O=Example/CN\\=Ada,C=DE");
    assertThat(escaped.slashed()).isEqualTo(accented.slashed());
    assertThat(escaped.distinct()).isNotEqualTo(accented.distinct());
  }

  @Test
  void isReadFromBothWaysAndWithOtherKeywords() {
    GridSubject subject = GridSubject.parse("/C=DE/O=Example/CN=Ada/emailAddress=ada@example.org");

    assertThat(subject)
        .isEqualTo(GridSubject.parse("emailAddress=ada@example.org,CN=Ada,O=Example,C=DE"))
        .isEqualTo(GridSubject.parse("E=ada@example.org, cn=Ada, o=Example, c=DE"))
        .isEqualTo(GridSubject.parse("/C=DE/O=Example/CN=Ada/Email=ada@example.org"));
    assertThat(GridSubject.parse("/DC=org/DC=example/CN=host/se.example.org"))
        .as("a slash before what is no keyword")
        .isEqualTo(GridSubject.parse("CN=host/se.example.org,DC=example,DC=org"));
    assertThat(GridSubject.parse("/C=DE/O=Example, Inc./CN=Ada + Bob"))
        .isEqualTo(GridSubject.parse("CN=Ada \\+ Bob,O=Example\\, Inc.,C=DE"));
  }

  @Test
  void kindOfStringDoesNotMatter() {
    assertThat(named(new DERPrintableString("Ada")))
        .isEqualTo(named(new DERUTF8String("Ada")))
        .isEqualTo(named(new DERBMPString("Ada")))
        .isEqualTo(GridSubject.parse("CN=Ada,C=DE"));
    assertThat(mail(new DERIA5String("a@example.org")))
        .isEqualTo(mail(new DERUTF8String("a@example.org")))
        .isEqualTo(GridSubject.parse("/C=DE/emailAddress=a@example.org"));
  }

  @Test
  void lookAlikesAreDifferent() {
    List<String> values =
        List.of(
            "Ada",
            "ada",
            "Ada ",
            " Ada",
            "Ad\u0430", // Cyrillic a
            "A\u200bda", // zero width space
            "Ada\u0000",
            "Ada\u0000.evil",
            "Ada\n",
            "Ada,O=Example",
            "Ada+O=Example",
            "Ada/O=Example",
            "Ada\\",
            "#Ada",
            "\u00c4da",
            "A\u0308da"); // the same letter, composed of two
    Set<String> names = new LinkedHashSet<>();
    for (String value : values) {
      GridSubject subject = named(new DERUTF8String(value));
      assertThat(names.add(subject.name())).as(value).isTrue();
      assertThat(subject.name()).matches("[\\x20-\\x7e]+");
      assertThat(subject.slashed()).matches("[\\x20-\\x7e]+");
      assertThat(GridSubject.parse(subject.name())).isEqualTo(subject);
    }
    assertThat(names).hasSize(values.size());
    System.out.println("trials = " + values.size());
  }

  @Test
  void orderAndNestingOfPartsMatter() {
    assertThat(GridSubject.parse("CN=Ada,C=DE")).isNotEqualTo(GridSubject.parse("C=DE,CN=Ada"));
    assertThat(GridSubject.parse("CN=Ada+UID=1,C=DE"))
        .isNotEqualTo(GridSubject.parse("CN=Ada,UID=1,C=DE"));
  }

  @Test
  void typesWithoutAKeywordAreTheirNumbers() {
    GridSubject subject = GridSubject.parse("1.2.3.4=#0C0141,C=DE");

    assertThat(subject.name()).isEqualTo("1.2.3.4=#0C0141,C=DE");
    assertThat(GridSubject.parse(subject.name())).isEqualTo(subject);
  }

  @Test
  void lettersBeyondAsciiMayBeWrittenAsTheyAre() {
    assertThat(GridSubject.parse("CN=J\u00fcrgen,C=DE"))
        .isEqualTo(GridSubject.parse("/C=DE/CN=J\u00fcrgen"))
        .isEqualTo(new GridSubject("CN=J\\C3\\BCrgen,C=DE", "/C=DE/CN=J\\xC3\\xBCrgen"));
  }

  @Test
  void lettersBeyondAsciiMayBeWrittenAsOpenSslAndGlobusWriteThem() {
    GridSubject subject = named(new DERUTF8String("J\u00fcrgen \u010crt"));

    assertThat(GridSubject.parse(subject.slashed())).isEqualTo(subject);
    assertThat(GridSubject.parse("/C=DE/CN=J\\xFCrgen"))
        .as("in a T61String")
        .isEqualTo(named(new DERT61String("J\u00fcrgen")));
    assertThat(GridSubject.parse("/C=DE/CN=a\\x2FO=b").name())
        .as("no further part")
        .isEqualTo("CN=a/O\\=b,C=DE");
    assertThat(GridSubject.parse("/C=DE/CN=a\\x").name()).isEqualTo("CN=a\\\\x,C=DE");
    assertThat(subject.distinct()).isEqualTo(subject.name());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "/", "Ada", "/Ada", "x/C=DE", "CN", "=Ada", "NOPE=1", "CN=\"a"})
  void whatIsNoNameIsRefused(String text) {
    assertThatThrownBy(() -> GridSubject.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is no name of a certificate");
  }

  private static GridSubject named(ASN1Encodable commonName) {
    return of(new X500NameBuilder().addRDN(BCStyle.C, "DE").addRDN(BCStyle.CN, commonName));
  }

  private static GridSubject mail(ASN1Encodable address) {
    return of(new X500NameBuilder().addRDN(BCStyle.C, "DE").addRDN(BCStyle.E, address));
  }

  private static GridSubject of(X500NameBuilder builder) {
    try {
      return GridSubject.of(new X500Principal(builder.build().getEncoded("DER")));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
