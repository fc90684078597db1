package dev.staithe.perf.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.perf.result.Form;
import dev.staithe.perf.result.Measure;
import dev.staithe.perf.result.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables of the studies say what the project's plan asks for. */
class StudyTableTests {
  @ParameterizedTest
  @ValueSource(strings = {"storage", "authn", "slcs", "delegation", "gateway", "contracts"})
  void everyTargetIsOfAnExperimentAndHasALimit(String study) {
    StudyTable table = StudyTable.of(study);

    assertThat(table.promised(true))
        .isNotEmpty()
        .allSatisfy(
            target -> {
              assertThat(table.experiments()).containsKey(target.experiment());
              assertThat(target.limit()).isPositive();
              assertThat(target.keptBy(target.limit() / 2))
                  .isNotEqualTo(target.keptBy(target.limit() * 2));
            });
    assertThat(table.promised(false)).extracting(Target::text).doesNotHaveDuplicates();
    assertThat(table.promised(true).size() > table.promised(false).size())
        .isEqualTo(List.of("storage", "authn", "gateway").contains(study));
  }

  @ParameterizedTest
  @CsvSource({
    "slcs, echo, 1, 50",
    "delegation, delegated-echo, 1, 30",
    "authn, users-20, 100, 7500",
    "authn, users-10-owasp, 5, 450",
    "storage, small-clients, 1, 64",
  })
  void axesAreThoseOfThePlan(String study, String experiment, String first, String last) {
    List<String> full = values(study, experiment, Form.FULL);

    assertThat(full).startsWith(first).endsWith(last);
    assertThat(full).containsAll(values(study, experiment, Form.SHORT));
  }

  private static List<String> values(String study, String experiment, Form form) {
    StudyTable.Row row = StudyTable.of(study).row(experiment);
    return StudyTable.values(row, form);
  }

  @ParameterizedTest
  @ValueSource(strings = {"storage", "authn", "slcs", "delegation", "gateway", "contracts"})
  void smallerFormsHaveFewerExperimentsAndTakeLess(String study) {
    var rows = new ArrayList<>(StudyTable.of(study).experiments().values());
    long smoke = rows.stream().filter(row -> row.in(Form.SMOKE)).count();
    long brief = rows.stream().filter(row -> row.in(Form.SHORT)).count();

    assertThat(smoke).isPositive().isLessThan(brief);
    assertThat(rows).allMatch(row -> row.in(Form.FULL) && row.in(Form.REHEARSAL));
    assertThat(rows).allMatch(row -> row.seconds(Form.SHORT) < row.seconds(Form.FULL));
  }

  @Test
  void aTargetCanBeOfOneContestantAtTwoPoints() {
    assertThat(StudyTable.of("authn").promised(false))
        .contains(
            new Target(
                "Throughput, 3 nodes, 5 % logout: not sticky / sticky",
                Measure.REQUESTS,
                "sticky",
                "staithe",
                Map.of("sticky", "no"),
                "staithe",
                Map.of("sticky", "yes"),
                Target.Bound.AT_LEAST,
                0.98));
  }

  /** The promises of storage beyond one machine, in the order of the plan. */
  @ParameterizedTest
  @CsvSource({
    "object-get, CPU_PER_GIB, staithe-objects, staithe, AT_MOST, 2",
    "object-put, CPU_PER_GIB, staithe-objects, staithe, AT_MOST, 2",
    "object-get, RATE, staithe-objects-plain, rclone, AT_LEAST, 0.9",
    "object-put, RATE, staithe-objects-plain, rclone, AT_LEAST, 0.9",
    "object-redirect, CPU_PER_REQUEST, staithe-objects, bound, AT_MOST, 1",
    "object-listing, ENGINE_REQUESTS, staithe-objects, bound, AT_MOST, 1",
    "object-listing, FIRST_BYTE, staithe-objects, bound, AT_MOST, 1",
    "cephfs-listing, MILLISECONDS_EACH, staithe-cephfs, ls, AT_MOST, 1.5",
    "cephfs-get, RATE, staithe-cephfs, dd, AT_LEAST, 0.9",
    "cephfs-nodes, CPU_PER_REQUEST, staithe-cephfs-both, staithe-cephfs, AT_MOST, 1.15",
  })
  void storageBeyondOneMachineKeepsWhatThePlanSays(
      String experiment,
      Measure measure,
      String ours,
      String peer,
      Target.Bound bound,
      double limit) {
    assertThat(StudyTable.of("storage").promised(false))
        .anySatisfy(
            target ->
                assertThat(target)
                    .isEqualTo(
                        new Target(
                            target.text(),
                            measure,
                            experiment,
                            ours,
                            Map.of(),
                            peer,
                            Map.of(),
                            bound,
                            limit)));
  }

  @Test
  void whatIsNotInTheTableIsRefused() {
    assertThatThrownBy(() -> StudyTable.of("slcs").row("nothing"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("not in the table of the study: nothing");
  }
}
