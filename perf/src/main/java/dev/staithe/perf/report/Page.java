package dev.staithe.perf.report;

import dev.staithe.perf.study.Experiment;
import dev.staithe.perf.study.Results;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The report of a run: one HTML file that loads nothing from anywhere and prints well. */
public final class Page {
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("d MMMM yyyy HH:mm 'UTC'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private Page() {}

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
    return runs.size() == 1 ? html(runs.getFirst()) : RunsPage.html(runs);
  }

  private static String html(Results run) {
    var targets = new TargetSection(run);
    var page = start(title(run));
    header(page, run, targets);
    targets.write(page);
    new ArticleSection(run).write(page);
    contents(page, run);
    for (Experiment experiment : run.experiments()) {
      new ExperimentSection(run, experiment).write(page);
    }
    setting(page, run);
    return end(page);
  }

  /** Everything up to the first element of the page's body. */
  static Markup start(String title) {
    var page = new Markup().raw("<!DOCTYPE html>\n").open("html", "lang", "en").open("head");
    page.empty("meta", "charset", "utf-8");
    page.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    page.element("title", title);
    page.open("style").raw(style()).close().close();
    return page.open("body").open("main");
  }

  static String end(Markup page) {
    return page.close().close().close().toString();
  }

  private static String title(Results results) {
    return "Staithe performance: " + results.study() + ", " + day(results);
  }

  static String day(Results results) {
    return DAY.format(results.started());
  }

  static void header(Markup page, Results results, TargetSection targets) {
    page.open("header");
    page.element(
        "p", "Staithe · " + results.study() + " · " + results.form() + " run", "class", "kicker");
    page.element("h1", targets.summary());
    page.element("p", targets.rest(), "class", "rest");
    if (!results.complete()) {
      page.open("p", "class", "banner", "role", "alert").element("b", "⚠ Incomplete run. ");
      page.text("It was ended before its end: what stands here was measured, the rest is missing.");
      page.close();
    }
    page.element(
        "p",
        day(results)
            + ", took "
            + Figures.seconds(results.seconds())
            + " · "
            + String.join(" · ", results.machine().values()),
        "class",
        "meta");
    page.close();
  }

  private static void contents(Markup page, Results results) {
    page.open("nav").element("h2", "Experiments").open("ol");
    for (Experiment experiment : results.experiments()) {
      page.open("li").element("a", experiment.title(), "href", "#e-" + experiment.id()).close();
    }
    page.open("li").element("a", "Machine, versions, commands", "href", "#setting").close();
    page.close().close();
  }

  static void setting(Markup page, Results results) {
    page.open("section", "id", "setting").element("h2", "Machine, versions, commands");
    page.open("table", "class", "facts").open("tbody");
    for (Map.Entry<String, String> fact : results.machine().entrySet()) {
      page.open("tr").element("th", fact.getKey(), "scope", "row");
      page.element("td", fact.getValue()).close();
    }
    page.close().close();
    page.open("table");
    Tables.head(page, "Party", "Version", "Command");
    page.open("tbody");
    for (Results.Party party : results.parties()) {
      page.open("tr").element("td", party.name());
      if (party.missing().isEmpty()) {
        page.element("td", party.version()).open("td").element("code", party.command()).close();
      } else {
        page.open("td", "colspan", "2", "class", "missing").element("b", "did not take part: ");
        page.text(party.missing()).close();
      }
      page.close();
    }
    page.close().close();
    if (!results.remarks().isEmpty()) {
      page.element("h3", "Remarks").open("ul");
      results.remarks().forEach(remark -> page.element("li", remark));
      page.close();
    }
    page.close();
  }

  private static String style() {
    try (InputStream css = Page.class.getResourceAsStream("page.css")) {
      if (css == null) {
        throw new IllegalStateException("page.css is not in the jar");
      }
      return new String(css.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
