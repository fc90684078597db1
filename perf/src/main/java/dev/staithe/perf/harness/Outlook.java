package dev.staithe.perf.harness;

import dev.staithe.perf.result.Form;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What several studies measure, one after the other, and how long they take, as their tables say it
 * of two idle cores. Immutable.
 *
 * @param seconds of each study, in their order
 * @param promised of what targets hang on in each
 */
public record Outlook(Map<String, Double> seconds, Map<String, Double> promised) {
  /** Of studies in a form. */
  public static Outlook of(Collection<String> studies, Form form) {
    var seconds = new LinkedHashMap<String, Double>();
    var promised = new LinkedHashMap<String, Double>();
    for (String study : studies) {
      promised.put(study, seconds(study, form, promised(study, form)::contains));
      seconds.put(
          study, form == Form.SHORT ? promised.get(study) : seconds(study, form, each -> true));
    }
    return new Outlook(seconds, promised);
  }

  private static double seconds(String study, Form form, Predicate<String> counts) {
    return StudyTable.of(study).experiments().entrySet().stream()
        .filter(each -> counts.test(each.getKey()) && each.getValue().in(form))
        .mapToDouble(each -> each.getValue().seconds(form))
        .sum();
  }

  /**
   * The experiments of a study on which targets hang. In the short form of all studies, which is to
   * be over while one waits, they are all that is measured.
   */
  public static Set<String> promised(String study, Form form) {
    StudyTable table = StudyTable.of(study);
    return table.targets().stream()
        .map(StudyTable.Promise::experiment)
        .filter(id -> table.row(id).in(form))
        .collect(Collectors.toSet());
  }

  /**
   * What is said before the first begins.
   *
   * @param budget seconds; infinite for none
   * @param resume the file that is gone on with; absent for none
   */
  public List<String> lines(double budget, @Nullable Path resume) {
    double all = seconds.values().stream().mapToDouble(Double::doubleValue).sum();
    return List.of(
        seconds.entrySet().stream()
            .map(each -> each.getKey() + " " + Progress.inWords(each.getValue()))
            .collect(
                Collectors.joining(
                    ", ",
                    "",
                    ": about %s in all on two idle cores%s"
                        .formatted(
                            Progress.inWords(all),
                            budget < all
                                ? ", of which there is time for " + Progress.inWords(budget)
                                : ""))),
        resume == null
            ? "what is interrupted begins anew: --resume FILE goes on where it ended"
            : "goes on where " + resume + "-STUDY ended, and keeps each sample there");
  }

  /**
   * What is said before one of them begins.
   *
   * @param left seconds of the budget; infinite for none
   */
  public String before(String study, double left) {
    List<String> names = List.copyOf(seconds.keySet());
    return "%s, %d of %d: about %s left in all"
        .formatted(
            study,
            names.indexOf(study) + 1,
            names.size(),
            Progress.inWords(Math.min(left, from(study, seconds))));
  }

  /**
   * What a study may take of the time that is left when it begins: what targets hang on in it and
   * in those after it comes first, so that nothing else keeps a promise from being looked at. What
   * is left beside is for what else they measure, or the next one's where that is nothing.
   */
  public double share(String study, double left) {
    double all = from(study, promised);
    double own = promised.getOrDefault(study, 0.0);
    if (left < all) {
      return left * own / all;
    }
    double others = from(study, seconds) - all;
    double ownOthers = seconds.getOrDefault(study, 0.0) - own;
    return own + (left - all) * (others == 0 ? 1 : ownOthers / others);
  }

  private double from(String study, Map<String, Double> each) {
    return seconds.keySet().stream()
        .dropWhile(name -> !name.equals(study))
        .mapToDouble(name -> each.getOrDefault(name, 0.0))
        .sum();
  }
}
