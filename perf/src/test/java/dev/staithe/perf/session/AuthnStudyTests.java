package dev.staithe.perf.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.perf.harness.StudyTable;
import dev.staithe.perf.result.Target;
import dev.staithe.perf.tokens.TokenPeer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AuthnStudyTests {
  @Test
  void noTwoServicesHaveTheSameName() {
    List<String> names =
        AuthnStudy.peers(Path.of("nowhere"), Optional.empty()).stream()
            .map(TokenPeer::name)
            .toList();

    assertThat(names).doesNotHaveDuplicates().contains("staithe-assured-write", "staithe-off");
  }

  @Test
  void everyTargetOfThePlanIsThereAndCanBeMissed() {
    List<Target> targets = StudyTable.of("authn").promised(false);

    assertThat(targets.stream().map(Target::experiment))
        .containsOnly(
            "validate",
            "login",
            "login-cost",
            "flood",
            "sticky",
            "nodes",
            "nodes-load",
            "sticky-share",
            "nodes-share",
            "models",
            "logout-lag");
    assertThat(targets)
        .hasSize(14)
        .allSatisfy(
            target ->
                assertThat(target.keptBy(target.limit() / 2))
                    .isNotEqualTo(target.keptBy(target.limit() * 2)));
  }

  @Test
  void aLoginThatCostsATenthOfItsHashBesideItKeepsItsTarget() {
    Target cost =
        StudyTable.of("authn").promised(false).stream()
            .filter(target -> target.experiment().equals("login-cost"))
            .findFirst()
            .orElseThrow();

    double hash = 30;
    double rest = 3;
    assertThat(cost.keptBy(rest / hash)).isTrue();
    assertThat(cost.keptBy(1.1 * rest / hash)).isFalse();
  }
}
