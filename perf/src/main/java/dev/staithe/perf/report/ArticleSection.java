package dev.staithe.perf.report;

import dev.staithe.perf.study.Results;
import dev.staithe.perf.study.Sample;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The table of the article that the gateway is made after, beside what was measured here, and from
 * how many calls on a context is worth it. Nothing where no gateway was measured.
 */
final class ArticleSection {
  private static final String STUDY = "gateway";
  private static final String X509 = "staithe-x509";
  private static final String CONVERSATION = "staithe-conversation";
  private static final String TRANSPORT = "staithe-transport";
  private static final String SESSIONS = "sessions";

  /** Messages in a second of a whole node; where the article gives ratios only, not a number. */
  private static final Map<String, Double> ARTICLE = Map.of(X509, 352.0, CONVERSATION, 798.0);

  private static final double ARTICLE_BY_X509 = 2.3;
  private static final double ARTICLE_BY_TRANSPORT = 0.27;

  /** A policy as the table names it. */
  private record Row(String text, String contestant) {}

  private static final List<Row> ROWS =
      List.of(
          new Row("none", "staithe-none"),
          new Row("TLS only", TRANSPORT),
          new Row("X.509", X509),
          new Row("SecureConversation", CONVERSATION));

  /** How it was measured: an experiment. */
  private record Way(String text, String experiment) {}

  private static final List<Way> WAYS =
      List.of(new Way("as in the article", "article"), new Way("honest", "policies"));

  private final Results results;

  ArticleSection(Results results) {
    this.results = results;
  }

  void write(Markup page) {
    if (!results.study().equals(STUDY) || results.samples().isEmpty()) {
      return;
    }
    page.open("section", "id", "article-table").element("h2", "The article's table beside ours");
    page.open("div", "class", "wide").open("table");
    Tables.head(
        page,
        "Policy",
        "Article: messages/s of a node",
        "As in the article: messages/s",
        "… /server CPU s",
        "Honest: messages/s",
        "… /server CPU s");
    page.open("tbody");
    for (Row row : ROWS) {
      page.open("tr").element("td", row.text());
      page.element(
          "td", Figures.number(ARTICLE.getOrDefault(row.contestant(), Double.NaN)), "class", "n");
      for (Way way : WAYS) {
        figure(page, messagesPerSecond(way, row.contestant()));
        figure(page, messagesPerCpu(way, row.contestant()));
      }
      page.close();
    }
    ratio(page, "SecureConversation / X.509", ARTICLE_BY_X509, X509);
    ratio(page, "SecureConversation / TLS only", ARTICLE_BY_TRANSPORT, TRANSPORT);
    page.close().close().close();
    page.element(
        "p",
        "A request and its answer are two messages here and in the article, which measured prepared"
            + " messages that were sent again and again: its gateway cannot have refused replays, and"
            + " its clients did no cryptography. “As in the article” does the same; “honest” sends no"
            + " message twice and refuses replays. The machines are far apart: compare the"
            + " ratios. Ours had one core of this machine.",
        "class",
        "note");
    breakEven(page);
    page.close();
  }

  private static void figure(Markup page, double value) {
    page.element("td", Figures.number(value), "class", "n");
  }

  private void ratio(Markup page, String text, double article, String below) {
    page.open("tr").element("td", text);
    page.element("td", Figures.ratio(article), "class", "n");
    for (Way way : WAYS) {
      figure(page, messagesPerSecond(way, CONVERSATION) / messagesPerSecond(way, below));
      figure(page, messagesPerCpu(way, CONVERSATION) / messagesPerCpu(way, below));
    }
    page.close();
  }

  private double messagesPerSecond(Way way, String contestant) {
    return median(way.experiment(), contestant, Map.of(), s -> 2 * s.requests() / s.seconds());
  }

  private double messagesPerCpu(Way way, String contestant) {
    return median(way.experiment(), contestant, Map.of(), s -> 2 * s.requests() / s.serverCpu());
  }

  private double median(
      String experiment,
      String contestant,
      Map<String, String> point,
      ToDoubleFunction<Sample> figure) {
    var samples =
        results.samples().stream()
            .filter(
                s ->
                    s.experiment().equals(experiment)
                        && s.contestant().equals(contestant)
                        && s.point().equals(point))
            .toList();
    return new Cell(contestant, point, samples, Map.of()).median(figure);
  }

  /** CPU milliseconds of a session of so many calls. */
  private double session(String contestant, int calls) {
    return median(
        SESSIONS, contestant, Map.of("calls", "" + calls), s -> s.serverCpu() * 1e3 / s.requests());
  }

  /** Both are lines over the number of calls, given by their ends. */
  private void breakEven(Markup page) {
    double call = (session(CONVERSATION, 100) - session(CONVERSATION, 1)) / 99;
    double context = session(CONVERSATION, 1) - call;
    double signed = session(X509, 100) / 100;
    if (Double.isNaN(call) || Double.isNaN(signed)) {
      return;
    }
    page.element("h3", "Break-even");
    page.element(
        "p",
        signed <= call
            ? "A context is never worth it: a call under one is dearer than one by X.509."
            : String.format(
                Locale.ROOT,
                "A context costs %s ms of the gateway's CPU, a call under it %s ms, a call by X.509"
                    + " %s ms: a context is worth it from %.0f calls on. A session of 1, 10 and 100"
                    + " calls costs %s, %s and %s times what the same calls cost by X.509.",
                Figures.number(context),
                Figures.number(call),
                Figures.number(signed),
                Math.max(1, Math.ceil(context / (signed - call))),
                share(1),
                share(10),
                share(100)));
  }

  private String share(int calls) {
    return Figures.ratio(session(CONVERSATION, calls) / session(X509, calls));
  }
}
