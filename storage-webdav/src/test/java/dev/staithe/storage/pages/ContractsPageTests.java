package dev.staithe.storage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ContractsPageTests {
  private static String page(ContractsPage.View view) {
    return new String(ContractsPage.html(view), StandardCharsets.UTF_8);
  }

  @Test
  void nothingThatSomebodyElseChoseIsMarkup() {
    String evil = "<script>alert(1)</script>\"' onload=x";
    String page =
        page(
            new ContractsPage.View(
                evil,
                Map.of(evil, evil),
                evil,
                List.of(new ContractsPage.Open(evil, 1, evil)),
                0,
                Map.of(evil, 1L),
                0,
                new ContractsPage.Log(evil, 1, 66, evil),
                List.of(new ContractsPage.Partner(evil, 1, evil, evil))));

    assertThat(page).doesNotContain("<script>alert").doesNotContain("\"' onload");
    assertThat(page).contains("&lt;script&gt;alert(1)&lt;/script&gt;");
  }

  @Test
  void whereAllIsWellThePageSaysSo() {
    String page =
        page(
            new ContractsPage.View(
                "https://p.example:8443",
                Map.of("jurisdiction", "DE"),
                "until then",
                List.of(),
                0,
                Map.of(),
                0,
                new ContractsPage.Log("p.example:8443/.staithe/log", 3, 198, "root"),
                List.of(new ContractsPage.Partner("a.example:8443", 5, "now", ""))));

    assertThat(page)
        .contains("Everything that was sent is acknowledged", "grows as it should")
        .doesNotContain("inconsistent");
  }
}
