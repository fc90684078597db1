package dev.staithe.perf.report;

import dev.staithe.perf.result.Results;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.thymeleaf.context.Context;
import org.thymeleaf.spring6.SpringTemplateEngine;
import org.thymeleaf.templatemode.TemplateMode;
import org.thymeleaf.templateresolver.ClassLoaderTemplateResolver;

/**
 * The report of runs: one HTML file that loads nothing from anywhere and prints well. What it tells
 * is in page.html; charts.js draws the charts from the data beside them.
 */
public final class Page {
  private static final String FOLDER = "dev/staithe/perf/report/";
  private static final SpringTemplateEngine TEMPLATES = templates();

  private Page() {}

  private static SpringTemplateEngine templates() {
    var resolver = new ClassLoaderTemplateResolver(Page.class.getClassLoader());
    resolver.setPrefix(FOLDER);
    resolver.setSuffix(".html");
    resolver.setTemplateMode(TemplateMode.HTML);
    resolver.setCharacterEncoding(StandardCharsets.UTF_8.name());
    var engine = new SpringTemplateEngine();
    engine.setTemplateResolver(resolver);
    return engine;
  }

  /**
   * Writes it; an older one is replaced in one step.
   *
   * @param runs of one study, by their time
   * @throws IOException where the folder is missing or full
   */
  public static void write(List<Results> runs, Path file) throws IOException {
    ResultFile.replace(file, html(runs).getBytes(StandardCharsets.UTF_8));
  }

  static String html(List<Results> given) {
    List<Results> runs = given.stream().map(Summary::of).toList();
    var reports = new ArrayList<RunReport>();
    Set<String> again = new HashSet<>();
    for (int i = runs.size(); i > 0; i--) {
      String prefix = runs.size() == 1 ? "" : "run-" + i + "-";
      Results run = runs.get(i - 1);
      reports.addFirst(RunReport.of(run, prefix, Set.copyOf(again)));
      // What was begun and not measured stays as the run before it had it.
      run.samples().forEach(sample -> again.add(sample.experiment()));
    }
    RunReport latest =
        runs.size() == 1
            ? reports.getFirst()
            : RunReport.of(
                // Other kinds of processor are set beside it by the page of all studies.
                Objects.requireNonNull(Verdict.byKind(runs).get(Verdict.kind(runs.getLast()))),
                "",
                Set.of());
    return filled("page", Map.of("run", latest, "runs", reports));
  }

  /**
   * Writes the page of all studies; an older one is replaced in one step.
   *
   * @param studies the runs of each, by their time
   * @param costs what Gatling itself takes, by scenario
   * @throws IOException where the folder is missing or full
   */
  public static void writeAll(List<List<Results>> studies, List<GatlingCost> costs, Path file)
      throws IOException {
    ResultFile.replace(file, htmlOfAll(studies, costs).getBytes(StandardCharsets.UTF_8));
  }

  static String htmlOfAll(List<List<Results>> studies, List<GatlingCost> costs) {
    List<StudyReport> reports =
        studies.stream()
            .map(runs -> StudyReport.of(runs.stream().map(Summary::of).toList()))
            .toList();
    return filled(
        "performance",
        Map.of(
            "studies", reports,
            "costs", costs,
            "kept", reports.stream().mapToLong(StudyReport::kept).sum(),
            "unconfirmed", reports.stream().mapToLong(StudyReport::unconfirmed).sum(),
            "targets", reports.stream().mapToLong(each -> each.verdicts().size()).sum()));
  }

  /** A template of this package with what all pages share. */
  static String filled(String template, Map<String, Object> variables) {
    var context = new Context(Locale.ROOT, variables);
    context.setVariable("f", Figures.FORMAT);
    context.setVariable("style", resource("page.css"));
    context.setVariable("script", resource("charts.js"));
    return TEMPLATES.process(template, context);
  }

  private static String resource(String name) {
    try (InputStream content = Page.class.getResourceAsStream(name)) {
      if (content == null) {
        throw new IllegalStateException(name + " is not in the jar");
      }
      return new String(content.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
