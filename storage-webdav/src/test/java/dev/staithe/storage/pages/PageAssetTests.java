package dev.staithe.storage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PageAssetTests {
  @ParameterizedTest
  @EnumSource
  void assetIsFoundByItsNameAndCannotBeChangedByTheReader(PageAsset asset) {
    String name = asset.url().substring(PageAsset.FOLDER.length()).replaceAll("\\?.*", "");

    assertThat(PageAsset.find(name)).contains(asset);
    assertThat(asset.content().isReadOnly()).isTrue();
    assertThat(asset.content().hasRemaining()).isTrue();
    assertThat(asset.etag()).matches("\"[0-9a-f]{32}\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "../listing.js", "Listing.js", "PageAsset.class", "listing.js?x"})
  void whatIsNotAnAssetIsNotFound(String name) {
    assertThat(PageAsset.find(name)).isEmpty();
  }

  @Test
  void scriptKeepsTheTokenInMemoryOnlyAndMakesNoMarkup() {
    String script = StandardCharsets.UTF_8.decode(PageAsset.SCRIPT.content()).toString();

    assertThat(script)
        .doesNotContain("localStorage")
        .doesNotContain("sessionStorage")
        .doesNotContain("indexedDB")
        .doesNotContain("document.cookie")
        .doesNotContain("innerHTML")
        .doesNotContain("outerHTML")
        .doesNotContain("insertAdjacentHTML")
        .doesNotContain("document.write")
        .doesNotContain("eval(");
  }

  @Test
  void pagesLoadNothingFromElsewhere() {
    for (PageAsset asset : PageAsset.values()) {
      String content = StandardCharsets.UTF_8.decode(asset.content()).toString();
      assertThat(content.replace("http://www.w3.org/2000/svg", ""))
          .doesNotContain("http:")
          .doesNotContain("https:")
          .doesNotContain("@import");
    }
  }
}
