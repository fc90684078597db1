package dev.staithe.perf.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.perf.result.Results;
import dev.staithe.perf.result.Sample;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ArticleTableTests {
  private final List<Sample> samples = new ArrayList<>();

  @Test
  void theArticlesFiguresStandBesideOurs() {
    sample("article", "staithe-x509", Map.of(), 500, 1);
    sample("article", "staithe-conversation", Map.of(), 4000, 1);
    sample("policies", "staithe-x509", Map.of(), 400, 1);
    sample("policies", "staithe-conversation", Map.of(), 2400, 1);

    String page = page("gateway");

    assertThat(page).contains("352", "798", "2.30", "0.27");
    assertThat(page).as("messages, not exchanges").contains("8 000").contains("4 800");
    assertThat(page).as("ratios of both ways").contains(">8.00<", ">6.00<");
  }

  @Test
  void theBreakEvenIsWhereTheLinesCross() {
    // 4 ms for a context and 0.2 ms for each call, beside 2 ms for each call.
    for (int calls : new int[] {1, 10, 100}) {
      var point = Map.of("calls", "" + calls);
      sample("sessions", "staithe-conversation", point, 100, (4 + 0.2 * calls) / 10);
      sample("sessions", "staithe-x509", point, 100, 2.0 * calls / 10);
    }

    assertThat(page("gateway"))
        .contains("worth it from 3 calls on")
        .contains("costs 2.10, 0.30 and 0.12 times");
  }

  @Test
  void aContextThatIsNeverWorthItIsSaidToBeSo() {
    for (int calls : new int[] {1, 10, 100}) {
      var point = Map.of("calls", "" + calls);
      sample("sessions", "staithe-conversation", point, 100, (4 + 3.0 * calls) / 10);
      sample("sessions", "staithe-x509", point, 100, 2.0 * calls / 10);
    }

    assertThat(page("gateway")).contains("never worth it");
  }

  @Test
  void otherStudiesHaveNoSuchTable() {
    sample("article", "staithe-x509", Map.of(), 500, 1);

    assertThat(page("storage")).doesNotContain("article-table", "Article:");
  }

  private void sample(
      String experiment, String contestant, Map<String, String> point, long requests, double cpu) {
    samples.add(
        new Sample(
            experiment,
            contestant,
            1,
            point,
            0,
            requests,
            0,
            1,
            cpu,
            0,
            0,
            null,
            null,
            null,
            0,
            Map.of()));
  }

  private String page(String study) {
    return Page.html(
        List.of(
            new Results(
                study,
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
                List.of())));
  }
}
