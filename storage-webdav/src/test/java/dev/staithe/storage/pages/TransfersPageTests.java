package dev.staithe.storage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TransfersPageTests {
  private static String page(TransfersPage.Row... rows) {
    return new String(TransfersPage.html(List.of(rows)), StandardCharsets.UTF_8);
  }

  @Test
  void whatOthersHaveNamedBecomesNoMarkup() {
    String evil = "\"><script>x</script>'";
    String page = page(new TransfersPage.Row(evil, evil, evil, true, evil, 1, 2, 3, evil));

    assertThat(page).doesNotContain("<script>").contains("&lt;script&gt;").contains("50% of 2 B");
  }

  @Test
  void copyThatMayNotBeCancelledHasNoAddressForThat() {
    assertThat(page(new TransfersPage.Row("", "ended", "/a", false, "https://x/a", 1, -1, 0, "")))
        .contains("data-cancel=\"\"")
        .contains("to <bdi>https://x/a</bdi>");
    assertThat(page()).contains("No third-party copy that you may see.");
  }
}
