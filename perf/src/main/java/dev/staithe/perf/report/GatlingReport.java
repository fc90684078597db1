package dev.staithe.perf.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/**
 * A finished run of Gatling, by the report that it left: its only text, as {@code simulation.log}
 * is binary and of a form that changes with each version. Columns go by their headings, so that
 * percentiles which a site has set are shown as what they are.
 *
 * @param folder the name of the report's folder
 * @param version of Gatling
 * @param date when it was run, as Gatling says it
 * @param duration as Gatling says it
 * @param assertions what the simulation demanded
 * @param headings of the figures of each kind of request; times are milliseconds
 * @param requests each kind, all of them together first
 */
public record GatlingReport(
    String folder,
    String version,
    String date,
    String duration,
    List<Assertion> assertions,
    List<String> headings,
    List<Requests> requests) {

  /** What simulations do before, after and beside what is measured. */
  private static final Pattern BESIDE = Pattern.compile("\\[|^(prepare|clean up|check)\\b");

  /** What was demanded, and whether it was so. */
  public record Assertion(String text, boolean kept) {}

  /** The figures of a kind of request, in the order of the headings. */
  public record Requests(String name, List<String> figures) {}

  /**
   * Reads it.
   *
   * @throws IOException where the folder has no report of Gatling, or one of a form not known
   */
  public static GatlingReport read(Path folder) throws IOException {
    Path index = folder.resolve("index.html");
    if (!Files.isRegularFile(index)) {
      throw new IOException(folder + " is no report of Gatling: it has no index.html");
    }
    Document page = Jsoup.parse(Files.readString(index));
    List<String> headings =
        page.select("#container_statistics_head thead tr:last-child th").eachText();
    List<Requests> requests =
        page
            .select("#container_statistics_head tbody tr, #container_statistics_body tbody tr")
            .stream()
            .map(GatlingReport::row)
            .toList();
    if (headings.isEmpty()
        || requests.isEmpty()
        || requests.stream().anyMatch(row -> row.figures().size() != headings.size())) {
      throw new IOException(
          index + " is no report of Gatling, or of a version whose table is not known");
    }
    return new GatlingReport(
        folder.toRealPath().getFileName().toString(),
        said(page, "Version:"),
        said(page, "Date:"),
        said(page, "Duration:"),
        page.select("#container_assertions tbody tr").stream().map(GatlingReport::demand).toList(),
        headings,
        requests);
  }

  /** The kinds of the measured phase: not those of warm-up, cool-down and preparation. */
  List<Requests> measured() {
    return requests.stream().skip(1).filter(kind -> !BESIDE.matcher(kind.name()).find()).toList();
  }

  /** One figure; not a number where there is none, as of requests that were never answered. */
  double figure(String kind, String heading) {
    int column = headings.indexOf(heading);
    return requests.stream()
        .filter(each -> column >= 0 && each.name().equals(kind))
        .map(each -> each.figures().get(column).replace(",", ""))
        .filter(text -> text.matches("[0-9]+(\\.[0-9]+)?"))
        .mapToDouble(Double::parseDouble)
        .findFirst()
        .orElse(Double.NaN);
  }

  private static Requests row(Element row) {
    Element name = row.selectFirst(".ellipsed-name");
    return new Requests(
        name == null ? "" : name.text(), row.select("td:not(:first-child)").eachText());
  }

  private static Assertion demand(Element row) {
    Element text = row.selectFirst("td");
    return new Assertion(
        text == null ? "" : text.ownText(), row.select("td:last-child").text().equals("OK"));
  }

  private static String said(Document page, String label) {
    Element value =
        page.selectFirst(
            ".simulation-information-item span:containsOwn(" + label + ") + span:not(:empty)");
    return value == null ? "not told" : value.text();
  }

  /** How many of its assertions were kept, as {@code 2 of 2 assertions kept}. */
  public String summary() {
    long kept = assertions.stream().filter(Assertion::kept).count();
    return assertions.isEmpty()
        ? "No assertions in this run"
        : kept + " of " + assertions.size() + " assertions kept";
  }

  /**
   * Writes it as a page of ours; an older one is replaced in one step.
   *
   * @param cost what Gatling itself took; absent where it was not measured
   * @throws IOException where the folder is missing or full
   */
  public void write(Path file, Optional<GatlingCost> cost) throws IOException {
    String html = Page.filled("gatling", Map.of("run", this, "costs", cost.stream().toList()));
    ResultFile.replace(file, html.getBytes(StandardCharsets.UTF_8));
  }
}
