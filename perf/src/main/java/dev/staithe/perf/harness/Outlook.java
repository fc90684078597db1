package dev.staithe.perf.harness;

import dev.staithe.perf.result.Form;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How long several studies take, one after the other, as their tables say it of two idle cores.
 * Immutable.
 *
 * @param seconds of each study, in their order
 */
public record Outlook(Map<String, Double> seconds) {
  /** Of studies in a form. */
  public static Outlook of(Collection<String> studies, Form form) {
    var seconds = new LinkedHashMap<String, Double>();
    for (String study : studies) {
      seconds.put(
          study,
          StudyTable.of(study).experiments().values().stream()
              .filter(row -> row.in(form))
              .mapToDouble(row -> row.seconds(form))
              .sum());
    }
    return new Outlook(seconds);
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

  /** What is said before one of them begins. */
  public String before(String study) {
    List<String> names = List.copyOf(seconds.keySet());
    return "%s, %d of %d: about %s left in all"
        .formatted(
            study, names.indexOf(study) + 1, names.size(), Progress.inWords(secondsFrom(study)));
  }

  /** What a study may take of the time that is left when it begins, as its table asks for it. */
  public double share(String study, double left) {
    double all = secondsFrom(study);
    return all == 0 ? left : left * seconds.getOrDefault(study, 0.0) / all;
  }

  private double secondsFrom(String study) {
    return seconds.entrySet().stream()
        .dropWhile(each -> !each.getKey().equals(study))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }
}
