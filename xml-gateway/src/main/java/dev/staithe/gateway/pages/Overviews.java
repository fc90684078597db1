package dev.staithe.gateway.pages;

import dev.staithe.gateway.evidence.Evidence;
import dev.staithe.gateway.pages.EndpointFigures.Kind;
import dev.staithe.gateway.pages.Overview.End;
import dev.staithe.gateway.pages.Overview.EvidenceLine;
import dev.staithe.gateway.pages.Overview.Figure;
import dev.staithe.gateway.pages.Overview.Row;
import dev.staithe.gateway.pages.Overview.Stock;
import dev.staithe.gateway.publish.Published;
import dev.staithe.wss.policy.Binding;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Puts the page together. Nothing on it is a secret, nor names a file by its folder. Thread-safe.
 */
final class Overviews {

  private static final String NOTHING = "–";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("d MMM yyyy, HH:mm:ss 'UTC'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private final PageView shown;
  private final MeterReadings readings;
  private final Clock clock;

  Overviews(PageView shown, MeterReadings readings, Clock clock) {
    this.shown = shown;
    this.readings = readings;
    this.clock = clock;
  }

  Overview now() {
    Figures figures = readings.figures();
    Instant now = clock.instant();
    Evidence evidence = shown.evidence();
    return new Overview(
        shown.name(),
        TIME.format(now),
        String.format(Locale.ROOT, "the last %.0f s", Math.max(1, figures.seconds())),
        shown.lines().stream().map(line -> row(line, figures)).toList(),
        figures(figures, figures.counted(Kind.REFUSALS)),
        new Stock(
            number(shown.contexts().live()),
            number(shown.contextsMost()),
            shown.contexts().trouble()),
        new Stock(
            number(shown.replays().size()),
            shown.replaysMost() == null ? null : number(shown.replaysMost()),
            shown.replays().trouble()),
        evidence == null ? null : new Stock(number(evidence.lines()), null, evidence.trouble()),
        shown.expiring().get().stream()
            .sorted(
                Comparator.comparing(
                    ExpiringItem::until, Comparator.nullsFirst(Comparator.naturalOrder())))
            .map(each -> end(each, now))
            .toList());
  }

  private Row row(PageView.Line line, Figures figures) {
    String path = line.endpoint().settings().path();
    Published published = line.policy().current();
    Instant since = line.policy().since();
    return new Row(
        path,
        address(line.endpoint().backEndAddress()),
        published.name(),
        published.policy().version(),
        TIME.format(since),
        since.toString(),
        refused(line, published),
        line.engine(),
        figures(figures, figures.of(Kind.ENGINES, path).stream()),
        figures(figures, figures.of(Kind.EXCHANGES, path).stream()),
        figures(figures, figures.of(Kind.BACK_END_ERRORS, path).stream()),
        time(figures.within(0.5, path)),
        time(figures.within(0.99, path)),
        kept(line, path, published));
  }

  private @Nullable EvidenceLine kept(PageView.Line line, String path, Published published) {
    Evidence evidence = shown.evidence();
    if (!line.evidence() || evidence == null) {
      return null;
    }
    Evidence.Tally kept = evidence.kept(path);
    Instant last = kept.last();
    return new EvidenceLine(
        number(kept.messages()) + (kept.counted() ? "" : " and those of former runs"),
        last == null ? null : TIME.format(last),
        last == null ? null : last.toString(),
        published.policy().binding() instanceof Binding.Asymmetric
            ? null
            : "The policy in force has no signature by a certificate: nothing is kept.");
  }

  /** A file is named without its folder, as everywhere where others may read. */
  private static @Nullable String refused(PageView.Line line, Published published) {
    String error = line.policy().lastError();
    return error == null ? null : error.replace(line.policy().source().policy(), published.name());
  }

  /** Queries may hold keys. */
  private static String address(URI backEnd) {
    return backEnd.getScheme() + "://" + backEnd.getRawAuthority() + backEnd.getRawPath();
  }

  private static List<Figure> figures(Figures figures, Stream<EndpointFigures> counted) {
    return counted
        .map(
            each ->
                new Figure(
                    each.endpoint(),
                    each.word().replace('_', ' '),
                    number(Math.round(figures.total(each))),
                    rate(figures.perSecond(each))))
        .toList();
  }

  static String rate(double perSecond) {
    if (perSecond == 0) {
      return "0/s";
    }
    return perSecond >= 10
        ? String.format(Locale.ROOT, "%.0f/s", perSecond)
        : String.format(Locale.ROOT, "%.2f/s", perSecond);
  }

  static String time(OptionalDouble seconds) {
    if (seconds.isEmpty()) {
      return NOTHING;
    }
    double millis = seconds.getAsDouble() * 1000;
    return millis >= 1000
        ? String.format(Locale.ROOT, "%.1f s", millis / 1000)
        : String.format(Locale.ROOT, millis >= 10 ? "%.0f ms" : "%.1f ms", millis);
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%d", value);
  }

  private static End end(ExpiringItem expiring, Instant now) {
    Instant until = expiring.until();
    String newer = expiring.stale() ? "; newer files cannot be used, the log says why" : "";
    if (until == null) {
      return new End(
          expiring.name(), expiring.subject(), null, null, "none that is good" + newer, true);
    }
    Duration left = Duration.between(now, until);
    boolean over = left.isNegative();
    return new End(
        expiring.name(),
        expiring.subject(),
        TIME.format(until),
        until.toString(),
        (over ? "over" : left(left)) + newer,
        over || expiring.stale() || expiring.soon(left));
  }

  private static String left(Duration left) {
    return left.toDays() >= 2
        ? left.toDays() + " days"
        : left.toHours() >= 2 ? left.toHours() + " h" : left.toMinutes() + " min";
  }
}
