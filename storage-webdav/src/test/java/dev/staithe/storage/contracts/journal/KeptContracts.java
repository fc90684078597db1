package dev.staithe.storage.contracts.journal;

import dev.staithe.contracts.record.Statement;
import dev.staithe.contracts.record.StatementFolder;
import dev.staithe.storage.state.Journal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** What a server keeps of its contracts, in its folder: database, journal and statements. */
public final class KeptContracts {
  private static final Instant EVER = Instant.ofEpochMilli(Long.MAX_VALUE);

  private KeptContracts() {}

  /** A contract, as far as tests ask. */
  public record Row(
      String id, String side, String state, String path, byte[] own, byte[] partner) {}

  /** Of a server that runs in this virtual machine: H2 lets itself in. The oldest first. */
  public static List<Row> live(Path state) {
    return rows(state, "");
  }

  /** Of a server that was killed, or has ended. */
  public static List<Row> left(Path state) {
    return rows(state, ";ACCESS_MODE_DATA=r");
  }

  private static List<Row> rows(Path state, String options) {
    List<ContractStep> steps = steps(state.resolve("journal"));
    ContractTable table =
        new ContractTable(
            new DriverManagerDataSource(
                "jdbc:h2:file:" + state.resolve("contracts").toAbsolutePath() + options,
                "staithe",
                ""));
    Map<String, ContractRow> rows = new HashMap<>();
    table
        .search(new ContractStore.Search("", "", Instant.EPOCH, EVER, 1_000_000))
        .forEach(row -> rows.put(row.side() + row.id(), row));
    for (ContractStep step : steps) {
      switch (step) {
        case ContractStep.Begun(ContractRow row) -> rows.put(row.side() + row.id(), row);
        case ContractStep.Changed changed ->
            rows.computeIfPresent(
                changed.side() + changed.id(), (key, before) -> before.with(changed));
      }
    }
    return rows.values().stream()
        .sorted(Comparator.comparing(ContractRow::opened))
        .map(
            row ->
                new Row(
                    row.id(),
                    row.side().name().toLowerCase(Locale.ROOT),
                    row.state().name().toLowerCase(Locale.ROOT),
                    row.path(),
                    row.own(),
                    row.partner()))
        .toList();
  }

  /** Before the database is read, which has all that is forgotten here. */
  private static List<ContractStep> steps(Path folder) {
    while (true) {
      List<ContractStep> steps = new ArrayList<>();
      try {
        Journal.read(folder, record -> steps.add(ContractStep.decoded(record)));
        return steps;
      } catch (NoSuchFileException goneMeanwhile) {
        // Once more.
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** The statements in its files, each once. */
  public static List<byte[]> statements(Path state) {
    List<byte[]> all = new ArrayList<>();
    Path folder = state.resolve("statements");
    try {
      if (Files.isDirectory(folder)) {
        try (Stream<Path> files = Files.walk(folder)) {
          for (Path file :
              files.filter(each -> each.toString().endsWith(StatementFolder.MANY)).toList()) {
            for (Statement each : StatementFolder.read(file)) {
              byte[] encoded = each.encode();
              if (all.stream().noneMatch(other -> Arrays.equals(other, encoded))) {
                all.add(encoded);
              }
            }
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all;
  }
}
