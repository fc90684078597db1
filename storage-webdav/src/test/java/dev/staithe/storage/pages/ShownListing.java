package dev.staithe.storage.pages;

import dev.staithe.testkit.clients.Browser;
import java.util.List;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;

/** The listing as a browser shows it. */
record ShownListing(Browser browser) {
  /** Pastes a token where the page asks for one, and waits for the listing. */
  void signIn(String token) {
    browser.await("#token").sendKeys(token);
    browser.click("form .main");
    browser.await(".count");
  }

  /** The names of the listing, as they are shown. */
  List<String> names() {
    return browser.strings(
        "return [...document.querySelectorAll('#entries tbody td.n a')].map(a => a.textContent)");
  }

  void awaitNames(String... names) {
    browser.await(
        "names " + List.of(names) + ", not " + names(), () -> names().equals(List.of(names)));
  }

  /** The row of that name. */
  WebElement row(String name) {
    return browser.await(
        "row " + name,
        () ->
            browser.driver().findElements(By.cssSelector("#entries tbody tr")).stream()
                .filter(r -> r.findElement(By.cssSelector("td.n a")).getText().equals(name))
                .findFirst()
                .orElse(null));
  }
}
