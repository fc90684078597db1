package dev.staithe.testkit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.testkit.rules.DocumentedSettings;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DocumentedSettingsCatchTests {
  @TempDir Path folder;

  @Retention(RetentionPolicy.RUNTIME)
  @interface Unless {
    String[] said();
  }

  record Inner(@Unless(said = "8") int howMany, String name) {}

  record Outer(@Unless(said = "2m") Duration patience, List<Inner> inners, Inner more) {}

  private static final String GOOD =
      """
      server.port: 1
      site:
        # A remark about patience: it is long.
        patience: 120s
        inners:
          - how-many: 8
            name: a
          - how-many: 9
            name: b
        # more:
        #   how-many: 8
        #   name: c
      """;

  private DocumentedSettings settings(String page) throws IOException {
    return new DocumentedSettings(
        "site",
        Outer.class,
        Files.writeString(folder.resolve("page.yml"), page),
        List.of("how-many|name"),
        List.of("more"),
        element -> {
          Unless value = element.getAnnotation(Unless.class);
          return value == null ? null : value.said();
        });
  }

  @Test
  void pageThatIsRightPasses() throws IOException {
    DocumentedSettings good = settings(GOOD);

    assertThatCode(good::assertEverySettingIsExplainedAndNoneThatDoesNotExist)
        .doesNotThrowAnyException();
    assertThatCode(() -> good.assertDefaultsAreTheRealOnes("site.inners.how-many"))
        .doesNotThrowAnyException();
  }

  @Test
  void settingThatIsNotExplainedAndOneThatDoesNotExistAreCaught() throws IOException {
    DocumentedSettings wrong = settings(GOOD.replace("patience: 120s", "weight: 120s"));

    assertThatThrownBy(wrong::assertEverySettingIsExplainedAndNoneThatDoesNotExist)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("site.patience")
        .hasMessageContaining("site.weight");
  }

  @Test
  void defaultThatIsAnotherIsCaught() throws IOException {
    DocumentedSettings wrong = settings(GOOD.replace("120s", "121s"));

    assertThatThrownBy(() -> wrong.assertDefaultsAreTheRealOnes("site.inners.how-many"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("site.patience");
    assertThatThrownBy(() -> settings(GOOD).assertDefaultsAreTheRealOnes())
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("site.inners.how-many");
  }

  @Test
  void exampleThatIsNoSettingIsCaught() throws IOException {
    DocumentedSettings good = settings(GOOD);

    assertThatThrownBy(() -> good.assertDefaultsAreTheRealOnes("site.gone"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("site.gone");
  }
}
