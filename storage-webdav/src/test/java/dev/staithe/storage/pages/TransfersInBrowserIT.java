package dev.staithe.storage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.HeldSource;
import dev.staithe.storage.RunningStorage;
import dev.staithe.testkit.clients.Browser;
import dev.staithe.testkit.clients.Curl;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of third-party copies in a real Chromium. */
final class TransfersInBrowserIT {
  private static final int SIZE = 4 << 20;

  @TempDir static Path folder;

  private static RunningStorage storage;
  private static HeldSource source;
  private static Browser browser;

  @BeforeAll
  static void start() {
    storage = RunningStorage.shared();
    source = new HeldSource(storage.authority(), SIZE, true);
    browser = Browser.in(folder);
  }

  @AfterAll
  static void stop() {
    browser.close();
    source.close();
  }

  private static CompletableFuture<String> pull(String name) {
    Curl copy =
        storage
            .curl("/data/" + name)
            .token(storage.token())
            .method("COPY")
            .header("Credential", "none")
            .header("Source", source.url("/" + name));
    return CompletableFuture.supplyAsync(
        () -> copy.run().text(), Executors.newVirtualThreadPerTaskExecutor());
  }

  private static boolean row(String... words) {
    return browser.texts("#transfers tbody tr").stream()
        .anyMatch(row -> List.of(words).stream().allMatch(row::contains));
  }

  @Test
  void copyIsShownAfterSignInRenewsItselfAndIsCancelled() throws Exception {
    CompletableFuture<String> copy = pull("browsed");
    browser.open(storage.url("/.staithe/transfers"));
    assertThat(browser.text("main h1")).isEqualTo("A token is needed here");
    browser.await("#token").sendKeys(storage.token());
    browser.click("form .main");

    browser.await("the copy in its middle", () -> row("browsed", "50% of 4.0 MiB", "running"));
    browser.await("what it waits for", () -> row("browsed", "mostly peer", "retransmits"));
    browser.click("#transfers tr[data-cancel^='/'] td.x button");
    browser.click("dialog button.danger");

    browser.await("that it has ended", () -> row("browsed", "aborted", "cancelled by"));
    assertThat(copy.get()).contains("aborted: cancelled by ");
    assertThat(browser.text("#status")).contains("Cancelled ").contains("browsed");
    assertThat(browser.has("#transfers tr[data-cancel^='/']")).isFalse();
    assertThat(browser.run("return document.cookie")).isEqualTo("");
    browser.assertNoScriptFailedAndNothingWasBlocked();
  }
}
