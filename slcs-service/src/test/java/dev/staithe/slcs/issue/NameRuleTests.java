package dev.staithe.slcs.issue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.pki.DistinguishedName;
import dev.staithe.slcs.session.CampusIdentity;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NameRuleTests {
  private static final String USUAL =
      "/DC=org/DC=staithe/O={schacHomeOrganization|scope}/CN={displayName} {eppn}";

  @Test
  void nameIsMadeOfWhatTheCampusTells() {
    assertThat(named(USUAL, Somebody.named("ada@example.org", "Ada Lovelace")))
        .isEqualTo("/DC=org/DC=staithe/O=example.org/CN=Ada Lovelace ada@example.org");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "ada@example.org,ada@example.org",
        "Ada.L@example.org,Ada.L@example.org",
        "a-d_a@example.org,a-d_a@example.org",
        "_ada@example.org,_ada@example.org",
        "o'brien@example.org,o'brien@example.org",
        "ada+lab@example.org,ada%2Blab@example.org",
        "ada~old@example.org,ada%7Eold@example.org"
      })
  void principalNameStandsInTheNameEscapedWhereItMust(String eppn, String written) {
    assertThat(named(USUAL, Somebody.named(eppn, "Ada"))).endsWith("/CN=Ada " + written);
    assertThat(named("/DC=org/O={scope}/CN={user}", Somebody.named(eppn, "Ada")))
        .isEqualTo("/DC=org/O=example.org/CN=" + written.substring(0, written.indexOf('@')));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "@",
        "ada",
        "ada@",
        "@example.org",
        "ada@evil.org@example.org",
        "ada@@example.org",
        "ada/CN=root@example.org",
        "ada,O=Root@example.org",
        "ada+OU=Root@example.org",
        "ada=root@example.org",
        "ada@example.org/CN=root",
        "ada@example.org,CN=root",
        "ada@example=org",
        "ada\u0000@example.org",
        "ada\n@example.org",
        "ada@example.org\n",
        " ada@example.org",
        "ada @example.org",
        "ada%2FCN=root@example.org",
        // What another's name looks like once it is escaped.
        "ada%2Blab@example.org",
        "~root@example.org",
        "+ada@example.org",
        "'ada@example.org",
        "-ada@example.org",
        "*@example.org",
        "ada#@example.org",
        "ada$HOME@example.org",
        "ada;id@example.org",
        "ada`id`@example.org",
        "ada\\2F@example.org",
        "ada\"@example.org",
        "ada<x>@example.org",
        "ada@exa mple.org",
        "ada@.example.org",
        "ada@example..org",
        "ada@-example.org",
        // Cyrillic a, full-width letters and at sign, zero-width and right-to-left marks, dotless
        // i.
        "\u0430da@example.org",
        "\uff41da@example.org",
        "ada\uff20example.org",
        "ada@ex\u0430mple.org",
        "ad\u200ba@example.org",
        "\u202eada@example.org",
        "ad\u0131@example.org",
        "ada\u0301@example.org",
        "\ud83d\ude00@example.org"
      })
  void hostilePrincipalNameIsRefused(String eppn) {
    assertThat(NameRule.of(USUAL).name(Somebody.named(eppn, "Ada")))
        .isInstanceOf(NameOutcome.Nameless.class);
  }

  @Test
  void principalNameIsNeverShortened() {
    String user = "u".repeat(53);

    assertThat(named("/DC=org/CN={displayName} {eppn}", Somebody.named(user + "@a.example", "Ada")))
        .isEqualTo("/DC=org/CN=" + user + "@a.example");
    assertThat(
            NameRule.of(USUAL)
                .name(Somebody.named("u".repeat(60) + "@example.org", "Ada Lovelace")))
        .isInstanceOfSatisfying(
            NameOutcome.Nameless.class, refused -> assertThat(refused.line()).contains("64"));
  }

  @Test
  void callingNameIsShortenedToWhatIsLeftOfSixtyFourCharacters() {
    String name = named(USUAL, Somebody.named("ada@example.org", "A".repeat(200)));

    assertThat(name).endsWith("/CN=" + "A".repeat(48) + " ada@example.org");
    assertThat(name.substring(name.indexOf("CN=") + 3)).hasSize(64);
  }

  @ParameterizedTest
  @CsvSource({
    "Jörg Müller-Lüdenscheid,Jorg Muller-Ludenscheid",
    "Łukasz Żółć,Lukasz Zolc",
    "Søren Ærø,Soren Aero",
    "Þórr Straße,Thorr Strasse",
    "Ｆｕｌｌ Ｗｉｄｔｈ,Full Width",
    "O’Brien,O'Brien",
    "root@example.org,rootexample.org",
    "a/CN=root,aCNroot"
  })
  void callingNameIsWrittenInAscii(String told, String written) {
    assertThat(named(USUAL, Somebody.named("ada@example.org", told)))
        .endsWith("/CN=" + written + " ada@example.org");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "   ", "李小龍", "\u202e\u200b", "////"})
  void callingNameWithoutLettersOfAsciiIsLeftOut(String told) {
    assertThat(named(USUAL, Somebody.named("ada@example.org", told)))
        .endsWith("/CN=ada@example.org");
  }

  @Property
  void whateverACallingNameIsTheNameHasFourPartsAndEndsWithThePrincipalName(@ForAll String told) {
    DistinguishedName name = name(USUAL, Somebody.named("ada@example.org", told));

    assertThat(name.parts()).hasSize(4);
    assertThat(name.parts().getLast().value()).endsWith("ada@example.org").hasSizeLessThan(65);
    assertThat(name.slashes().chars().allMatch(c -> c >= ' ' && c < 0x7f)).isTrue();
    assertThat(DistinguishedName.parse(name.slashes())).isEqualTo(name);
  }

  @Property
  void noCallingNameMakesTwoPeopleOne(@ForAll String one, @ForAll String other) {
    assertThat(name(USUAL, Somebody.named("ada@example.org", one)))
        .isNotEqualTo(name(USUAL, Somebody.named("bob@example.org", other)));
  }

  @ParameterizedTest
  @CsvSource({
    "elsewhere.example.com,example.org",
    "org,example.org",
    "example.org.evil.com,example.org",
    "notexample.org,example.org",
    "'example.org/CN=x',example.org",
    "lab.example.org,lab.example.org"
  })
  void homeOrganizationOfAnotherDomainDoesNotCount(String told, String expected) {
    assertThat(
            named(
                USUAL,
                Somebody.with("ada@example.org", Map.of("schacHomeOrganization", List.of(told)))))
        .startsWith("/DC=org/DC=staithe/O=" + expected + "/");
  }

  @Test
  void severalValuesOfWhatIsUniqueAreRefused() {
    assertThat(
            NameRule.of("/DC=org/CN={eduPersonUniqueId}")
                .name(
                    Somebody.with(
                        "ada@example.org",
                        Map.of("eduPersonUniqueId", List.of("a@example.org", "b@example.org")))))
        .isInstanceOf(NameOutcome.Nameless.class);
  }

  @Test
  void whatIsNotToldIsNotGuessed() {
    assertThat(
            NameRule.of("/DC=org/OU={uid}/CN={eppn}")
                .name(Somebody.named("ada@example.org", "Ada")))
        .isInstanceOfSatisfying(
            NameOutcome.Nameless.class,
            refused -> assertThat(refused.line()).contains("does not tell uid"));
  }

  @Test
  void hashDiffersByProviderAndIsTheSameEachTime() {
    CampusIdentity here = Somebody.named("ada@example.org", "Ada");
    String rule = "/DC=org/CN={displayName} {hash}";

    assertThat(named(rule, here)).matches("/DC=org/CN=Ada [0-9a-f]{16}");
    assertThat(named(rule, here)).isEqualTo(named(rule, here));
    assertThat(named(rule, here))
        .isNotEqualTo(named(rule, Somebody.of("urn:other", "ada@example.org", Map.of())));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "CN={eppn}",
        "/CN=",
        "/CN",
        "/DC=org/CN={displayName}",
        "/DC=org/CN={user}",
        "/DC=org/CN={eppn|displayName}",
        "/DC=org/CN={subject-id|uid}",
        "/XX=org/CN={eppn}",
        "/DC=org/CN={eppn",
        "/DC=org/CN={eppn},OU=x"
      })
  void ruleThatIsNoneOrGivesOneNameToTwoPeopleIsRefused(String rule) {
    assertThatThrownBy(() -> NameRule.of(rule)).isInstanceOf(IllegalArgumentException.class);
  }

  private static DistinguishedName name(String rule, CampusIdentity who) {
    NameOutcome outcome = NameRule.of(rule).name(who);
    assertThat(outcome).isInstanceOf(NameOutcome.Named.class);
    return ((NameOutcome.Named) outcome).name();
  }

  private static String named(String rule, CampusIdentity who) {
    return name(rule, who).slashes();
  }
}
