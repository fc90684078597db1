package dev.staithe.perf.report;

import dev.staithe.perf.report.Table.Entry;
import dev.staithe.perf.result.Measure;
import dev.staithe.perf.result.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The table of the article that the gateway is made after, beside what was measured here, and from
 * how many calls on a context is worth it. Nothing where no gateway was measured.
 */
final class ArticleTable {
  private static final String STUDY = "gateway";
  private static final String X509 = "staithe-x509";
  private static final String CONVERSATION = "staithe-conversation";
  private static final String TRANSPORT = "staithe-transport";
  private static final String SESSIONS = "sessions";

  /** As in the article, then honest. */
  private static final List<String> EXPERIMENTS = List.of("article", "policies");

  private final Results results;

  private ArticleTable(Results results) {
    this.results = results;
  }

  static List<Table> of(Results results) {
    return results.study().equals(STUDY) && !results.samples().isEmpty()
        ? List.of(new ArticleTable(results).table())
        : List.of();
  }

  private Table table() {
    return new Table(
        "The article's table beside ours",
        List.of(
            "Policy",
            "Article: messages/s of a node",
            "As in the article: messages/s",
            "… /server CPU s",
            "Honest: messages/s",
            "… /server CPU s"),
        List.of(
            policy("none", "staithe-none", Double.NaN),
            policy("TLS only", TRANSPORT, Double.NaN),
            policy("X.509", X509, 352),
            policy("SecureConversation", CONVERSATION, 798),
            ratio("SecureConversation / X.509", 2.3, X509),
            ratio("SecureConversation / TLS only", 0.27, TRANSPORT)),
        "A request and its answer are two messages here and in the article, which measured prepared"
            + " messages that were sent again and again: its gateway cannot have refused replays, and"
            + " its clients did no cryptography. “As in the article” does the same; “honest” sends no"
            + " message twice and refuses replays. The machines are far apart: compare the"
            + " ratios. Ours had one core of this machine.");
  }

  /**
   * @param article messages in a second of a whole node; not a number where it gives ratios only
   */
  private List<Entry> policy(String text, String contestant, double article) {
    var row = new ArrayList<>(List.of(Entry.text(text), Entry.figure(article)));
    for (String experiment : EXPERIMENTS) {
      row.add(Entry.figure(messagesPerSecond(experiment, contestant)));
      row.add(Entry.figure(messagesPerCpu(experiment, contestant)));
    }
    return row;
  }

  private List<Entry> ratio(String text, double article, String below) {
    var row = new ArrayList<>(List.of(Entry.text(text), Entry.figure(Figures.ratio(article))));
    for (String each : EXPERIMENTS) {
      row.add(Entry.figure(messagesPerSecond(each, CONVERSATION) / messagesPerSecond(each, below)));
      row.add(Entry.figure(messagesPerCpu(each, CONVERSATION) / messagesPerCpu(each, below)));
    }
    return row;
  }

  private double messagesPerSecond(String experiment, String contestant) {
    return Cell.at(results, experiment, contestant, Map.of())
        .median(s -> 2 * s.requests() / s.seconds());
  }

  private double messagesPerCpu(String experiment, String contestant) {
    return Cell.at(results, experiment, contestant, Map.of()).median(Measure.MESSAGES_PER_CPU::of);
  }

  /** CPU milliseconds of a session of so many calls. */
  private double session(String contestant, int calls) {
    return Cell.at(results, SESSIONS, contestant, Map.of("calls", "" + calls))
        .median(Measure.CPU_PER_REQUEST::of);
  }

  /** From how many calls on; empty where it was not measured, or of another service. */
  static String breakEven(Results results) {
    return results.study().equals(STUDY) ? new ArticleTable(results).breakEven() : "";
  }

  /** Both are lines over the number of calls, given by their ends. */
  private String breakEven() {
    double call = (session(CONVERSATION, 100) - session(CONVERSATION, 1)) / 99;
    double context = session(CONVERSATION, 1) - call;
    double signed = session(X509, 100) / 100;
    if (Double.isNaN(call) || Double.isNaN(signed)) {
      return "";
    }
    return signed <= call
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
            share(100));
  }

  private String share(int calls) {
    return Figures.ratio(session(CONVERSATION, calls) / session(X509, calls));
  }
}
