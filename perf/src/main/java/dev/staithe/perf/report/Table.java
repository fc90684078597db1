package dev.staithe.perf.report;

import dev.staithe.perf.fit.Interval;
import dev.staithe.perf.fit.ScalabilityFit;
import java.util.ArrayList;
import java.util.List;

/**
 * A table whose columns depend on what was measured.
 *
 * @param title empty where there is none
 * @param note below it; empty where there is none
 */
record Table(String title, List<String> headings, List<List<Entry>> rows, String note) {

  /**
   * What a place in it holds.
   *
   * @param css the class of the cell
   * @param small below the text; empty where there is nothing
   * @param span how many columns wide
   */
  record Entry(String css, String text, String small, int span) {
    static Entry text(String text) {
      return new Entry("", text, "", 1);
    }

    static Entry contestant(String name) {
      return new Entry("contestant", name, "", 1);
    }

    static Entry figure(String text) {
      return new Entry("n", text, "", 1);
    }

    static Entry figure(double value) {
      return figure(Figures.number(value));
    }

    static Entry figure(double value, Interval interval) {
      String range = Figures.range(interval.low(), interval.high());
      return new Entry("n", Figures.number(value), range, 1);
    }

    static Entry reason(String text, int span) {
      return new Entry("reason", text, "", span);
    }
  }

  /** The parameters of the universal scalability law and its peak, five columns wide. */
  static List<Entry> scalability(ScalabilityFit.Fitted fit) {
    var entries = new ArrayList<Entry>();
    entries.add(Entry.figure(fit.curve().lambda(), fit.lambda()));
    entries.add(Entry.figure(fit.curve().sigma(), fit.sigma()));
    entries.add(Entry.figure(fit.curve().kappa(), fit.kappa()));
    if (fit.peak().isPresent()) {
      entries.add(Entry.figure(fit.curve().peakClients(), fit.peakClients()));
      entries.add(Entry.figure(fit.curve().peakThroughput(), fit.peakThroughput()));
    } else {
      entries.add(Entry.reason("no peak within range", 2));
    }
    return entries;
  }
}
