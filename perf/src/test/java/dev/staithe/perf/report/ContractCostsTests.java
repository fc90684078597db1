package dev.staithe.perf.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.perf.result.Results;
import dev.staithe.perf.result.Sample;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ContractCostsTests {
  private static final long GIB = 1L << 30;

  private final List<Sample> samples = new ArrayList<>();

  @Test
  void whatAContractCostsEachSideIsTheDifference() {
    sample("small", "staithe", Map.of(), 0, 1000, 1, 1.5, 0.5);
    sample("small", "staithe-contract", Map.of(), 0, 1000, 1, 2.25, 1.125);

    assertThat(rows("What a contract costs"))
        .contains("receiver, ms for a file of 1 KiB 1.50 2.25 0.750")
        .contains("sender, ms for a file of 1 KiB 0.500 1.13 0.625");
  }

  @Test
  void whatTheBytesCostIsToldInBareHashes() {
    sample("pull", "staithe", Map.of("size", "" + GIB), GIB, 1, 1, 0.7, 0.3);
    sample("pull", "staithe-contract", Map.of("size", "" + GIB), GIB, 1, 1, 1.5, 0.32);
    sample("pull", "floor-sha256", Map.of("size", "" + GIB), GIB, 1, 1, 0.8, 0);

    assertThat(rows("What a contract costs")).contains("both, s for a GiB 1.00 1.82 0.820");
    assertThat(tables().getFirst().note())
        .contains("Bare SHA-256 took 0.800 CPU s")
        .contains("adds is 102 %");
  }

  @Test
  void theShareOfTheRateIsToldBySizeAndByAffinity() {
    for (var each :
        Map.of("staithe-plain", 1.0, "staithe", 1.25, "staithe-contract", 2.5).entrySet()) {
      sample("sizes", each.getKey(), Map.of("size", "1024"), GIB, 1, each.getValue(), 1, 1);
      sample("affinity", each.getKey(), Map.of("affinity", "free"), GIB, 1, each.getValue(), 1, 1);
    }

    assertThat(rows("P by size")).singleElement().asString().endsWith("20 % 50 %");
    assertThat(rows("P by affinity")).singleElement().asString().startsWith("free ");
  }

  private List<String> rows(String title) {
    return tables().stream()
        .filter(table -> table.title().equals(title))
        .flatMap(table -> table.rows().stream())
        .map(row -> String.join(" ", row.stream().map(Table.Entry::text).toList()))
        .toList();
  }

  private void sample(
      String experiment,
      String contestant,
      Map<String, String> point,
      long bytes,
      long requests,
      double seconds,
      double receiver,
      double sender) {
    samples.add(
        new Sample(
            experiment,
            contestant,
            1,
            point,
            bytes,
            requests,
            0,
            seconds,
            receiver,
            0,
            0,
            null,
            null,
            null,
            sender,
            Map.of()));
  }

  private List<Table> tables() {
    return ContractCosts.of(
        new Results(
            ContractCosts.STUDY,
            "short",
            Instant.EPOCH,
            1,
            true,
            Map.of(),
            List.of(),
            List.of(),
            List.of(),
            samples,
            List.of(),
            List.of(),
            List.of(),
            List.of()));
  }
}
