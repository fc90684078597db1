package dev.staithe.perf.report;

import dev.staithe.perf.report.Table.Entry;
import dev.staithe.perf.result.Measure;
import dev.staithe.perf.result.Results;
import dev.staithe.perf.result.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * What a contract costs by itself, as differences of what was measured with and without, and P as
 * the study of 2011 defines it: the share of the rate that encryption, or a contract, takes.
 */
final class ContractCosts {
  static final String STUDY = "contracts";
  private static final String WITHOUT = "staithe";
  private static final String WITH = "staithe-contract";
  private static final String PLAIN = "staithe-plain";
  private static final String HASH = "floor-sha256";

  private final Results results;

  private ContractCosts(Results results) {
    this.results = results;
  }

  static List<Table> of(Results results) {
    var costs = new ContractCosts(results);
    var tables = new ArrayList<Table>();
    if (costs.has("small") || costs.has("pull")) {
      tables.add(costs.sides());
    }
    if (costs.has("sizes")) {
      tables.add(costs.shares("sizes", "size"));
    }
    if (costs.has("affinity")) {
      tables.add(costs.shares("affinity", "affinity"));
    }
    return tables;
  }

  private boolean has(String experiment) {
    return results.samples().stream().anyMatch(s -> s.experiment().equals(experiment));
  }

  private Table sides() {
    var rows = new ArrayList<List<Entry>>();
    String note = "Medians.";
    if (has("small")) {
      rows.add(row("receiver, ms for a file of 1 KiB", "small", Measure.CPU_PER_REQUEST::of));
      rows.add(row("sender, ms for a file of 1 KiB", "small", Measure.SENDER_CPU::of));
    }
    if (has("pull")) {
      rows.add(row("receiver, s for a GiB", "pull", Measure.CPU_PER_GIB::of));
      rows.add(row("both, s for a GiB", "pull", Measure.CPU_OF_BOTH_PER_GIB::of));
      double hash = bothPerGib(HASH);
      note +=
          " Bare SHA-256 took %s CPU s for a GiB in the same rounds: what the contract adds is %s of it."
              .formatted(
                  Figures.number(hash),
                  Figures.percent((bothPerGib(WITH) - bothPerGib(WITHOUT)) / hash));
    }
    return new Table(
        "What a contract costs", List.of("CPU", "without", "with", "difference"), rows, note);
  }

  private double bothPerGib(String contestant) {
    return Cell.at(results, "pull", contestant, Map.of()).median(Measure.CPU_OF_BOTH_PER_GIB::of);
  }

  private List<Entry> row(String text, String experiment, ToDoubleFunction<Sample> figure) {
    double without = Cell.at(results, experiment, WITHOUT, Map.of()).median(figure);
    double with = Cell.at(results, experiment, WITH, Map.of()).median(figure);
    return List.of(
        Entry.text(text), Entry.figure(without), Entry.figure(with), Entry.figure(with - without));
  }

  private Table shares(String experiment, String axis) {
    List<String> values =
        results.samples().stream()
            .filter(s -> s.experiment().equals(experiment))
            .flatMap(s -> Optional.ofNullable(s.point().get(axis)).stream())
            .distinct()
            .sorted(
                (one, other) ->
                    one.matches("\\d{1,18}") && other.matches("\\d{1,18}")
                        ? Long.compare(Long.parseLong(one), Long.parseLong(other))
                        : one.compareTo(other))
            .toList();
    var rows = new ArrayList<List<Entry>>();
    for (String value : values) {
      double plain = rate(experiment, PLAIN, axis, value);
      double encrypted = rate(experiment, WITHOUT, axis, value);
      double contracted = rate(experiment, WITH, axis, value);
      rows.add(
          List.of(
              Entry.text(Figures.value(axis, value)),
              Entry.figure(plain),
              Entry.figure(encrypted),
              Entry.figure(contracted),
              Entry.figure(Figures.percent(1 - encrypted / plain)),
              Entry.figure(Figures.percent(1 - contracted / encrypted))));
    }
    return new Table(
        "P by " + axis,
        List.of(
            axis,
            "unencrypted, MB/s",
            "TLS, MB/s",
            "TLS and contract, MB/s",
            "P of encryption",
            "P of the contract"),
        rows,
        "P = 1 − rate with / rate without. The study of 2011 called the cost of hashing “probably"
            + " indiscernible” beside encryption. What changed since: processors encrypt by AES"
            + " instructions, so that a byte is dearer to hash than to encrypt; a contract's hash runs"
            + " beside the transfer on a thread of its own.");
  }

  private double rate(String experiment, String contestant, String axis, String value) {
    return Cell.at(results, experiment, contestant, Map.of(axis, value)).median(Measure.RATE::of);
  }
}
