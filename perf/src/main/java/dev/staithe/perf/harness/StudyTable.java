package dev.staithe.perf.harness;

import dev.staithe.perf.result.Form;
import dev.staithe.perf.result.Measure;
import dev.staithe.perf.result.Target;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.json.JsonMapper;

/**
 * The table of a study, {@code STUDY.yml}: its experiments in the order that they are carried out
 * in, and what is promised of them; the figures are those of the project's plan.
 *
 * @param texts what several methods say, by a name that stands for it in braces
 * @param experiments by their ids
 * @param targets what is promised
 * @param changes what a change may cost, promised where a checkout of before is measured beside
 */
public record StudyTable(
    @Nullable Map<String, String> texts,
    Map<String, Row> experiments,
    List<Promise> targets,
    @Nullable List<Promise> changes) {
  private static final JsonMapper MAPPER = JsonMapper.shared();

  /**
   * An experiment. Texts name what depends on the form in braces, as {@code {bulk}}.
   *
   * @param title for people
   * @param method what was done to whom, by which client, in which conditions
   * @param measure the first figure of it
   * @param from {@code full} where the short form has it not
   * @param smoke who is measured in the smoke form, without an error; absent where that has it not
   * @param seconds how long it takes in the full form and in others, with the start of its servers
   * @param axis what a plot of it runs over; empty where there is none
   * @param over the name of what differs between its points; the axis where it is not said
   * @param values on {@code over}, by form; those of the full form where a form has none
   * @param at what all points have
   * @param rounds in the full form and in the short one, where it is not the form that says so
   * @param warmUps likewise
   * @param warmRequests how many requests of each contestant come before the first that counts; at
   *     each of the points where they are no axis
   * @param parties of whom it is told why they take no part
   */
  record Row(
      String title,
      String method,
      Measure measure,
      @Nullable Form from,
      @Nullable List<String> smoke,
      List<Double> seconds,
      @Nullable String axis,
      @Nullable String over,
      @Nullable Map<Form, List<String>> values,
      @Nullable Map<String, String> at,
      @Nullable List<Integer> rounds,
      @Nullable List<Integer> warmUps,
      @Nullable Long warmRequests,
      @Nullable List<String> parties) {

    boolean in(Form form) {
      return form == Form.SMOKE ? smoke != null : form.isWhole() || from != Form.FULL;
    }

    double seconds(Form form) {
      double brief = seconds.size() == 1 ? seconds.getFirst() / 2 : seconds.get(1);
      return switch (form) {
        case FULL -> seconds.getFirst();
        case SHORT -> brief;
        case REHEARSAL -> brief / 2;
        case SMOKE -> (seconds.size() > 2 ? seconds.get(2) : brief) / 4;
      };
    }
  }

  /** A target in a line. */
  record Promise(
      String text,
      String experiment,
      Measure measure,
      String ours,
      @Nullable Map<String, String> oursAt,
      String peer,
      @Nullable Map<String, String> peerAt,
      @Nullable Double atMost,
      @Nullable Double atLeast) {

    Target target() {
      return new Target(
          text,
          measure,
          experiment,
          ours,
          oursAt == null ? Map.of() : oursAt,
          peer,
          peerAt == null ? Map.of() : peerAt,
          atMost != null ? Target.Bound.AT_MOST : Target.Bound.AT_LEAST,
          atMost != null ? atMost : atLeast != null ? atLeast : Double.NaN);
    }
  }

  /** The values on the axis, or on what differs else; none where there is one point only. */
  static List<String> values(Row row, Form form) {
    return row.values() == null
        ? List.of()
        : row.values().getOrDefault(form, row.values().getOrDefault(Form.FULL, List.of()));
  }

  /** The table of {@code storage}, {@code authn} and so on. */
  public static StudyTable of(String study) {
    try (InputStream file =
        StudyTable.class.getResourceAsStream("/dev/staithe/perf/study/" + study + ".yml")) {
      if (file == null) {
        throw new IllegalStateException(study + ".yml is not in the jar");
      }
      Map<?, ?> table = new Yaml(new SafeConstructor(new LoaderOptions())).load(file);
      return MAPPER.convertValue(table, StudyTable.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Who is measured in the smoke form, by experiment. */
  public Map<String, List<String>> smoke() {
    var smoke = new LinkedHashMap<String, List<String>>();
    experiments.forEach(
        (id, row) -> {
          if (row.smoke() != null) {
            smoke.put(id, row.smoke());
          }
        });
    return smoke;
  }

  /** An experiment of it, to be made a trial of. */
  public Draft draft(Bench bench, String id) {
    var draft = new Draft(bench, id, row(id));
    if (texts != null) {
      texts.forEach(draft::say);
    }
    return draft;
  }

  Row row(String id) {
    Row row = experiments.get(id);
    if (row == null) {
      throw new IllegalArgumentException("not in the table of the study: " + id);
    }
    return row;
  }

  /**
   * What is promised.
   *
   * @param before whether a checkout of before is measured beside
   */
  public List<Target> promised(boolean before) {
    var promised = new ArrayList<>(targets.stream().map(Promise::target).toList());
    if (before && changes != null) {
      changes.forEach(each -> promised.add(each.target()));
    }
    return promised;
  }
}
