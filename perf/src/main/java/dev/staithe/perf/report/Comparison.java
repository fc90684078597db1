package dev.staithe.perf.report;

import dev.staithe.perf.fit.Spread;
import dev.staithe.perf.result.Experiment;
import dev.staithe.perf.result.Measure;
import dev.staithe.perf.result.Results;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Two runs beside each other, to see what a change did. Immutable and thread-safe.
 *
 * @param warnings why the runs may not be comparable, and what is in one of them only; one line
 *     each
 * @param changes of every figure that both have
 */
public record Comparison(List<String> warnings, List<Change> changes) {
  /**
   * One figure in both runs.
   *
   * @param experiment its title
   * @param contestant who
   * @param point where
   * @param measure of the experiment
   * @param before where the first run's samples lie
   * @param after where the second run's lie
   */
  public record Change(
      String experiment,
      String contestant,
      Map<String, String> point,
      Measure measure,
      Spread before,
      Spread after) {

    /** The change of the median as a share of the first run's; not a number where that is zero. */
    public double share() {
      return before.median() == 0 ? Double.NaN : after.median() / before.median() - 1;
    }

    /** Whether the intervals of the medians have nothing in common. One value has no interval. */
    public boolean clear() {
      return before.count() > 1
          && after.count() > 1
          && !before.interval().overlaps(after.interval());
    }

    /** {@code better} or {@code worse} where the change is clear; empty otherwise. */
    public String mark() {
      if (!clear()) {
        return "";
      }
      boolean more = after.median() > before.median();
      return more == measure.moreIsBetter() ? "better" : "worse";
    }
  }

  /**
   * Compares the figures of {@code a}, the first run, with those of {@code b}; of several runs each
   * experiment is taken from the last one that measured it.
   */
  public static Comparison of(List<Results> a, List<Results> b) {
    return of(LatestRuns.of(a), LatestRuns.of(b));
  }

  static Comparison of(Results a, Results b) {
    var warnings = new ArrayList<String>();
    if (!a.study().equals(b.study())) {
      warnings.add("different studies: " + a.study() + ", then " + b.study());
    }
    if (!a.form().equals(b.form())) {
      warnings.add("different forms: " + a.form() + ", then " + b.form());
    }
    different(warnings, "machine", a.machine(), b.machine());
    different(warnings, "version", versions(a), versions(b));
    if (!a.complete()) {
      warnings.add("the first run is incomplete");
    }
    if (!b.complete()) {
      warnings.add("the second run is incomplete");
    }
    var changes = new ArrayList<Change>();
    for (Experiment before : a.experiments()) {
      b.experiments().stream()
          .filter(e -> e.id().equals(before.id()))
          .findFirst()
          .ifPresentOrElse(
              after -> compare(a, before, b, after, warnings, changes),
              () -> warnings.add("only in the first run: " + before.title()));
    }
    for (Experiment after : b.experiments()) {
      if (a.experiments().stream().noneMatch(e -> e.id().equals(after.id()))) {
        warnings.add("only in the second run: " + after.title());
      }
    }
    return new Comparison(List.copyOf(warnings), List.copyOf(changes));
  }

  private static Map<String, String> versions(Results results) {
    var versions = new java.util.LinkedHashMap<String, String>();
    results.parties().stream()
        .filter(p -> p.missing().isEmpty())
        .forEach(p -> versions.put(p.name(), p.version()));
    return versions;
  }

  private static void different(
      List<String> warnings, String what, Map<String, String> a, Map<String, String> b) {
    Set<String> keys = new LinkedHashSet<>(a.keySet());
    keys.addAll(b.keySet());
    for (String key : keys) {
      String before = a.getOrDefault(key, "none");
      String after = b.getOrDefault(key, "none");
      if (!before.equals(after)) {
        warnings.add("different " + what + ", " + key + ": " + before + ", then " + after);
      }
    }
  }

  private static void compare(
      Results a,
      Experiment before,
      Results b,
      Experiment after,
      List<String> warnings,
      List<Change> changes) {
    if (before.measure() != after.measure()) {
      warnings.add(before.title() + " has different measures; that of the first run is taken");
    }
    var others = new ArrayList<>(Cell.of(b, after));
    for (Cell cell : Cell.of(a, before)) {
      var other =
          others.stream()
              .filter(c -> c.contestant().equals(cell.contestant()))
              .filter(c -> c.point().equals(cell.point()))
              .findFirst();
      if (other.isEmpty()) {
        warnings.add("only in the first run: " + before.title() + ", " + name(cell));
        continue;
      }
      others.remove(other.get());
      var first = cell.spread(before.measure());
      var second = other.get().spread(before.measure());
      if (first.isPresent() && second.isPresent()) {
        changes.add(
            new Change(
                before.title(),
                cell.contestant(),
                cell.point(),
                before.measure(),
                first.get(),
                second.get()));
      } else {
        warnings.add("no sample that counts on both sides: " + before.title() + ", " + name(cell));
      }
    }
    others.forEach(c -> warnings.add("only in the second run: " + after.title() + ", " + name(c)));
  }

  private static String name(Cell cell) {
    return cell.point().isEmpty()
        ? cell.contestant()
        : cell.contestant() + " at " + Figures.point(cell.point());
  }

  /** A table of fixed-width columns, warnings first, with a line's end after each line. */
  public String text() {
    var text = new StringBuilder();
    warnings.forEach(w -> text.append("! ").append(w).append('\n'));
    int widest = changes.stream().mapToInt(c -> who(c).length()).max().orElse(0);
    String experiment = "";
    for (Change change : changes) {
      if (!change.experiment().equals(experiment)) {
        experiment = change.experiment();
        text.append('\n').append(experiment).append(", ").append(change.measure().unit());
        text.append('\n');
      }
      text.append(
              String.format(
                      java.util.Locale.ROOT,
                      "  %-" + widest + "s  %10s -> %10s  %9s  %s",
                      who(change),
                      Figures.number(change.before().median()),
                      Figures.number(change.after().median()),
                      Figures.change(change.share()),
                      change.mark())
                  .stripTrailing())
          .append('\n');
    }
    return text.toString();
  }

  private static String who(Change change) {
    return change.point().isEmpty()
        ? change.contestant()
        : change.contestant() + " " + Figures.point(change.point());
  }

  /**
   * Writes the same as one HTML file that loads nothing; an older one is replaced in one step.
   *
   * @throws IOException where the folder is missing or full
   */
  public void write(Path file) throws IOException {
    ResultFile.replace(file, html().getBytes(StandardCharsets.UTF_8));
  }

  String html() {
    return Page.filled("compare", Map.of("c", this));
  }

  /** How many changes have a mark. */
  public long count(String mark) {
    return changes.stream().filter(change -> change.mark().equals(mark)).count();
  }
}
