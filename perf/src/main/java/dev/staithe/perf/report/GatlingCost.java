package dev.staithe.perf.report;

import dev.staithe.perf.result.Distribution;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * What Gatling says of a server, beside what it says of one that answers the same requests at once
 * with canned bytes, and beside what the lean client says of the first.
 *
 * @param scenario as {@code download}
 * @param date when it was run, as Gatling says it
 * @param machine its processor
 * @param busy what others took of all cores meanwhile, 0 to 1: above 0.05 these are no figures
 * @param server the run against the server
 * @param canned the run against canned bytes
 * @param rows percentiles of the measured phase
 */
public record GatlingCost(
    String scenario,
    String date,
    String machine,
    double busy,
    Run server,
    Run canned,
    List<Row> rows) {
  /** The file's name in the folder of Gatling's report. */
  public static final String FILE = "canned.json";

  private static final String PERCENTILE = " pct";

  /** Of a server that takes no time at all Gatling says a millisecond, or none. */
  private static final double CLOCK_MS = 1;

  /** A run of Gatling as a whole, its start included. */
  public record Run(double cpuSeconds, double seconds, long requests) {
    /** CPU milliseconds of Gatling for each request. */
    public double cpuMillis() {
      return 1e3 * cpuSeconds / Math.max(1, requests);
    }
  }

  /**
   * A percentile of a kind of request, milliseconds.
   *
   * @param lean what the lean client says; absent where it cannot make such requests
   */
  public record Row(
      String requests, String figure, double server, double canned, @Nullable Double lean) {
    /** Whose the figure is, in a few words. */
    public String verdict() {
      if (server <= CLOCK_MS) {
        return "below Gatling's clock";
      }
      double own = canned / server;
      return own >= 0.75 ? "Gatling's own" : own <= 0.25 ? "the server's" : "of both";
    }
  }

  /**
   * Reads the reports of both runs.
   *
   * @param lean of nanoseconds, by the name of the kind of request
   */
  public static GatlingCost of(
      String scenario,
      String machine,
      double busy,
      Measured server,
      Measured canned,
      Map<String, Distribution> lean) {
    return new GatlingCost(
        scenario,
        server.report().date(),
        machine,
        busy,
        server.run(),
        canned.run(),
        rows(server.report(), canned.report(), lean));
  }

  /** What is known of a run. */
  public record Measured(GatlingReport report, double cpuSeconds, double seconds) {
    Run run() {
      String all = report.requests().getFirst().name();
      return new Run(cpuSeconds, seconds, (long) report.figure(all, report.headings().getFirst()));
    }
  }

  private static List<Row> rows(
      GatlingReport server, GatlingReport canned, Map<String, Distribution> lean) {
    var rows = new ArrayList<Row>();
    for (GatlingReport.Requests kind : server.measured()) {
      for (String heading : server.headings()) {
        double figure = server.figure(kind.name(), heading);
        double own = canned.figure(kind.name(), heading);
        if (heading.endsWith(PERCENTILE) && !Double.isNaN(figure) && !Double.isNaN(own)) {
          rows.add(
              new Row(
                  kind.name(),
                  heading.replace(PERCENTILE, ""),
                  figure,
                  own,
                  lean(lean.get(kind.name()), heading)));
        }
      }
    }
    return rows;
  }

  private static @Nullable Double lean(@Nullable Distribution lean, String heading) {
    String percent = heading.replaceFirst("(st|nd|rd|th)" + PERCENTILE, "");
    Long nanos =
        lean == null || !percent.matches("[0-9.]+")
            ? null
            : lean.quantiles().get(Double.valueOf(percent));
    return nanos == null ? null : nanos / 1e6;
  }

  private static String ms(double value) {
    return String.format(Locale.ROOT, value < 10 ? "%.1f ms" : "%.0f ms", value);
  }

  /** A few lines for the terminal. */
  public String text() {
    return rows.stream()
        .map(
            row ->
                String.format(
                    Locale.ROOT,
                    "  %-9s %6s  %8s  canned %8s%s  %s",
                    row.requests(),
                    row.figure(),
                    ms(row.server()),
                    ms(row.canned()),
                    row.lean() == null ? "" : "  lean client " + ms(row.lean()),
                    row.verdict()))
        .collect(
            Collectors.joining(
                "\n",
                String.format(
                    Locale.ROOT,
                    "Gatling took %.2f ms of CPU for each request, its start included; of the same"
                        + " requests answered with canned bytes %.2f.%s%n",
                    server.cpuMillis(),
                    canned.cpuMillis(),
                    quiet() ? "" : " Others were at work: these are no figures."),
                ""));
  }

  /** Whether nobody else was at work. */
  public boolean quiet() {
    return busy <= 0.05;
  }

  /** Writes it as JSON; an older one is replaced in one step. */
  public void write(Path file) throws IOException {
    ResultFile.replace(
        file, JsonMapper.shared().writeValueAsString(this).getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Reads what was written.
   *
   * @return absent where there is no such file
   * @throws IOException in one line, where it is another's
   */
  public static Optional<GatlingCost> read(Path file) throws IOException {
    try {
      return Optional.of(JsonMapper.shared().readValue(Files.readString(file), GatlingCost.class));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (JacksonException e) {
      throw new IOException(file + " is not what perf/run gatling has written", e);
    }
  }
}
