package dev.staithe.perf.harness;

import dev.staithe.perf.result.Form;
import dev.staithe.perf.result.Results;
import dev.staithe.perf.result.Sample;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How much of the grid of an experiment a run has measured.
 *
 * @param experiment its id
 * @param points how many of its points have a sample that counts
 * @param planned how many points its form has; 0 where the table does not tell
 * @param contestants how many have a sample that counts
 * @param fewest rounds that count of any contestant at any point that has one
 * @param most rounds that count of any
 * @param voided samples that do not count
 */
public record Coverage(
    String experiment, int points, int planned, int contestants, int fewest, int most, int voided) {

  /** Of all experiments that the run's form has, in the order of the study, and of any others. */
  public static List<Coverage> of(Results run) {
    StudyTable table = StudyTable.of(run.study());
    Form form = form(run.form());
    Set<String> ids = new LinkedHashSet<>();
    table.experiments().forEach((id, row) -> ids.addAll(row.in(form) ? Set.of(id) : Set.of()));
    run.experiments().forEach(experiment -> ids.add(experiment.id()));
    var all = new ArrayList<Coverage>();
    for (String id : ids) {
      StudyTable.Row row = table.experiments().get(id);
      int values = row == null ? 0 : StudyTable.values(row, form).size();
      int planned = row == null || (values == 0 && row.axis() != null) ? 0 : Math.max(1, values);
      all.add(of(run, id, planned));
    }
    return all;
  }

  private static Coverage of(Results run, String id, int planned) {
    record Place(String contestant, Map<String, String> point) {}
    List<Sample> samples =
        run.samples().stream().filter(each -> each.experiment().equals(id)).toList();
    Map<Place, Long> rounds =
        samples.stream()
            .filter(Sample::counts)
            .collect(
                Collectors.groupingBy(
                    each -> new Place(each.contestant(), each.point()), Collectors.counting()));
    IntSummaryStatistics counts =
        rounds.values().stream().mapToInt(Long::intValue).summaryStatistics();
    return new Coverage(
        id,
        (int) rounds.keySet().stream().map(Place::point).distinct().count(),
        planned,
        (int) rounds.keySet().stream().map(Place::contestant).distinct().count(),
        rounds.isEmpty() ? 0 : counts.getMin(),
        rounds.isEmpty() ? 0 : counts.getMax(),
        (int) samples.stream().filter(each -> !each.counts()).count());
  }

  /** Of several runs together the largest. */
  private static Form form(String text) {
    for (Form form : Form.values()) {
      if (text.toUpperCase(Locale.ROOT).contains(form.name())) {
        return form;
      }
    }
    return Form.FULL;
  }

  /** As {@code 4 of 7}; a dash where nothing counts. */
  public String pointsOfPlanned() {
    return points == 0 ? "–" : planned == 0 ? "" + points : points + " of " + planned;
  }

  /** As {@code 3 to 5}; what is missing is said in words. */
  public String rounds() {
    return most == 0 ? "not measured" : fewest == most ? "" + most : fewest + " to " + most;
  }
}
