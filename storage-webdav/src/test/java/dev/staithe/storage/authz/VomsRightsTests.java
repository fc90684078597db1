package dev.staithe.storage.authz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.pki.GridSubject;
import dev.staithe.storage.files.StoragePath;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What groups and roles of VOMS may do. */
class VomsRightsTests {
  private static final GridSubject ADA = GridSubject.parse("CN=Ada,O=Example,C=DE");

  private static boolean writes(String rule, List<String> groups, String path) {
    AreaAccess access =
        new AreaAccess(
            List.of(),
            List.of(),
            List.of(new VomsRule(rule, Scopes.of("storage.modify:/vo"))),
            false,
            false,
            false,
            false);
    return Authorizer.decide(
            new CertificateCaller(ADA, false, List.of("/atlas/Role=production"), groups),
            access,
            StoragePath.of(path),
            Right.MODIFY)
        instanceof Admission.Allowed;
  }

  @ParameterizedTest
  @CsvSource({
    "/atlas,/atlas",
    "/atlas/Role=NULL,/atlas",
    "/atlas/Role=NULL/Capability=NULL,/atlas",
    "/atlas/Role=production,/atlas/Role=production",
    "/atlas/Role=production/Capability=NULL,/atlas/Role=production",
    "/atlas/de/Role=pilot,/atlas/de/Role=pilot"
  })
  void groupOrRoleOfARuleMayDoWhatItSays(String rule, String group) {
    assertThat(writes(rule, List.of("/other", group), "/vo/x")).isTrue();
    assertThat(writes(rule, List.of(group), "/elsewhere")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "/atlas,/atlas2",
    "/atlas,/atlas/de",
    "/atlas/de,/atlas",
    "/atlas,/atlas/Role=production",
    "/atlas/Role=production,/atlas",
    "/atlas/Role=production,/atlas/Role=production2",
    "/atlas/Role=production,/atlas/de/Role=production",
    "/atlas/Role=production,/atlas/Role=production/Capability=more"
  })
  void noOtherGroupOrRoleIsTheOneOfTheRule(String rule, String group) {
    assertThat(writes(rule, List.of(VomsRule.plain(group)), "/vo/x")).isFalse();
  }

  @Test
  void attributesThatAreNotBelievedPermitNothing() {
    assertThat(writes("/atlas/Role=production", List.of(), "/vo/x")).isFalse();
  }

  @Test
  void segmentsThatSayNothingAreLeftAway() {
    assertThat(VomsRule.plain("/atlas/Role=NULL/Capability=NULL")).isEqualTo("/atlas");
    assertThat(VomsRule.plain("/atlas/Role=NULLS")).isEqualTo("/atlas/Role=NULLS");
    assertThat(VomsRule.plain("/Role=NULL")).isEmpty();
    assertThat(VomsRule.plain("")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "/", "atlas", "/atlas/", "//atlas", "/atlas/Role=", "/Role=x", "/a/Role=x/b"})
  void ruleForWhatIsNoGroupIsRefused(String fqan) {
    assertThatThrownBy(() -> new VomsRule(fqan, Scopes.of("storage.read:/")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void ruleThatGrantsNothingIsRefused() {
    assertThatThrownBy(() -> new VomsRule("/atlas", Scopes.NONE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("grants nothing");
  }
}
