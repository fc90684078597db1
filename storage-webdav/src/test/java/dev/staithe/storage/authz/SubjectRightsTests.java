package dev.staithe.storage.authz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.pki.GridSubject;
import dev.staithe.storage.files.StoragePath;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the holders of certificates may do. */
class SubjectRightsTests {
  private static final GridSubject ADA = GridSubject.parse("CN=Ada,O=Example,C=DE");
  private static final AreaAccess ACCESS =
      access(
          false,
          new SubjectRule(ADA, Scopes.of("storage.read:/ storage.modify:/ada")),
          new SubjectRule(GridSubject.parse("CN=Bob,C=DE"), Scopes.of("storage.modify:/")));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/ada/x  | STAT LIST READ CREATE MAKE_COLLECTION RENAME MODIFY DELETE POLL",
        "/adam   | STAT LIST READ POLL",
        "/other  | STAT LIST READ POLL"
      })
  void scopesOfTheSubjectCountBelowTheRootOfTheArea(String path, String expected) {
    for (boolean limited : new boolean[] {false, true}) {
      assertThat(rights(new CertificateCaller(ADA, limited), ACCESS, path))
          .extracting(Right::name)
          .containsExactlyInAnyOrder(expected.split(" "));
    }
  }

  @Test
  void nobodyElseHasAnything() {
    for (String other :
        new String[] {"CN=ada,O=Example,C=DE", "CN=Ada,C=DE", "CN=1,CN=Ada,O=Example,C=DE"}) {
      Caller caller = new CertificateCaller(GridSubject.parse(other), false);

      assertThat(rights(caller, ACCESS, "/ada/x")).isEmpty();
      assertThat(denial(caller, "/ada/x"))
          .isEqualTo(
              new Admission.Refused(
                  false,
                  "needs storage.modify for /ada/x; what is granted to "
                      + other
                      + " is nothing here"));
    }
  }

  @Test
  void denialTellsWhatIsNeeded() {
    assertThat(denial(new CertificateCaller(ADA, false), "/other"))
        .isEqualTo(
            new Admission.Refused(
                false,
                "needs storage.modify for /other; what is granted to CN=Ada,O=Example,C=DE does"
                    + " not include it"));
  }

  @Test
  void rulesForSubjectsAreNoneForTokensNorTheReverse() {
    TokenCaller token =
        new TokenCaller(
            "https://issuer.example",
            "CN=Ada,O=Example,C=DE",
            Scopes.NONE,
            List.of("CN=Ada,O=Example,C=DE"),
            List.of("x"),
            null,
            java.time.Instant.MAX);
    AreaAccess tokens = AreaAccess.of(IssuerGrant.wholeArea("https://issuer.example"));

    assertThat(rights(token, ACCESS, "/ada/x")).isEmpty();
    assertThat(rights(new CertificateCaller(ADA, false), tokens, "/ada/x")).isEmpty();
  }

  @Test
  void authenticatedReadIsForEveryCertificateThatIsBelieved() {
    Caller stranger = new CertificateCaller(GridSubject.parse("CN=Stranger,C=FR"), false);

    assertThat(rights(stranger, access(true), "/x"))
        .containsExactlyInAnyOrder(Right.STAT, Right.LIST, Right.READ, Right.POLL);
    assertThat(rights(stranger, access(false), "/x")).isEmpty();
  }

  @Test
  void ruleThatGrantsNothingIsRefused() {
    assertThatThrownBy(() -> new SubjectRule(ADA, Scopes.NONE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("grants nothing");
  }

  private static AreaAccess access(boolean authenticatedRead, SubjectRule... rules) {
    return new AreaAccess(
        List.of(), List.of(rules), List.of(), false, false, authenticatedRead, false);
  }

  private static Set<Right> rights(Caller caller, AreaAccess access, String path) {
    return Arrays.stream(Right.values())
        .filter(
            right ->
                Authorizer.decide(caller, access, StoragePath.of(path), right)
                    instanceof Admission.Allowed)
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Right.class)));
  }

  private static Admission denial(Caller caller, String path) {
    return Authorizer.decide(caller, ACCESS, StoragePath.of(path), Right.MODIFY);
  }
}
