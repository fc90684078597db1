package dev.staithe.perf.harness;

import dev.staithe.perf.result.Experiment;
import dev.staithe.perf.result.Form;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A row of the table of a study, to be made a trial of when its turn has come. */
public final class Draft {
  private final Bench bench;
  private final String id;
  private final StudyTable.Row row;
  private final Map<String, String> texts = new LinkedHashMap<>();

  Draft(Bench bench, String id, StudyTable.Row row) {
    this.bench = bench;
    this.id = id;
    this.row = row;
    texts.put("bulk", Sizes.text(bench.form().bulk()));
  }

  /** Says what stands for a name in braces. */
  public Draft say(String name, Object text) {
    texts.put(name, "" + text);
    return this;
  }

  private String filled(String text) {
    String filled = text;
    for (Map.Entry<String, String> each : texts.entrySet()) {
      filled = filled.replace("{" + each.getKey() + "}", each.getValue());
    }
    return filled;
  }

  /** The points that the table has for the form. */
  List<Map<String, String>> points() {
    var same = new HashMap<String, String>();
    if (row.at() != null) {
      row.at().forEach((name, value) -> same.put(name, value(value)));
    }
    if (row.values() == null) {
      return List.of(Map.copyOf(same));
    }
    var points = new ArrayList<Map<String, String>>();
    for (String value : StudyTable.values(row, bench.form())) {
      var point = new HashMap<>(same);
      point.put(row.over() == null ? axis() : row.over(), value);
      points.add(Map.copyOf(point));
    }
    return points;
  }

  private String value(String value) {
    return value.equals("bulk") ? "" + bench.form().bulk() : value;
  }

  private String axis() {
    return row.axis() == null ? "" : row.axis();
  }

  /** Where the servers of all do not run. */
  public Trial none() {
    return trial(List.<Contestant>of());
  }

  /** Of those who run. */
  @SafeVarargs
  public final Trial trial(Optional<Contestant>... contestants) {
    var running = new ArrayList<Contestant>();
    for (Optional<Contestant> each : contestants) {
      each.ifPresent(running::add);
    }
    return trial(running);
  }

  /** Of those who run. */
  public Trial trialOf(List<Optional<Contestant>> contestants) {
    return trial(contestants.stream().flatMap(Optional::stream).toList());
  }

  /** At the points of the axis that the table names. */
  public Trial trial(List<Contestant> contestants) {
    return trial(contestants, points());
  }

  /** At points that the table cannot tell. */
  public Trial trial(List<Contestant> contestants, List<Map<String, String>> points) {
    Form form = bench.form();
    int rounds = axis().isEmpty() ? form.rounds() : form.roundsAlongAxes();
    return new Trial(
        new Experiment(
            id,
            filled(row.title()),
            filled(row.method()),
            row.measure(),
            axis(),
            contestants.stream().map(Contestant::name).toList(),
            bench.missing(row.parties() == null ? List.of() : row.parties())),
        points,
        contestants,
        own(row.rounds(), rounds),
        own(row.warmUps(), form.warmUps()),
        row.warmRequests() == null ? 0 : row.warmRequests());
  }

  /** The table's number, else the form's. */
  private int own(@Nullable List<Integer> table, int otherwise) {
    return table == null
        ? otherwise
        : table.size() == 1
            ? table.getFirst()
            : bench.form().rounds(table.getFirst(), table.get(1));
  }
}
