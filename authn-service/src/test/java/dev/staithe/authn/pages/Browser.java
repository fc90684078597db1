package dev.staithe.authn.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.openqa.selenium.By;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;

/** A headless Chromium with a profile of its own. */
final class Browser implements AutoCloseable {
  private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
  private static final Path DRIVER = Path.of("/usr/bin/chromedriver");

  // It warns of every Chromium that is younger than itself. Held here, else the level is collected.
  private static final Logger SELENIUM = Logger.getLogger("org.openqa.selenium");

  private final ChromeDriver driver;

  /** With its profile in that folder. */
  Browser(Path folder, boolean scripts) {
    if (!Files.isExecutable(CHROMIUM) || !Files.isExecutable(DRIVER)) {
      throw new AssertionError("chromium is missing: apt-get install -y chromium chromium-driver");
    }
    SELENIUM.setLevel(Level.SEVERE);
    try {
      Path profile = Files.createDirectories(folder);
      ChromeOptions options = new ChromeOptions();
      options.setBinary(CHROMIUM.toString());
      options.addArguments(
          "--headless=new",
          "--no-sandbox",
          "--disable-gpu",
          "--disable-dev-shm-usage",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync",
          "--no-first-run",
          "--window-size=1200,900",
          "--user-data-dir=" + profile);
      if (!scripts) {
        options.setExperimentalOption(
            "prefs", java.util.Map.of("profile.managed_default_content_settings.javascript", 2));
      }
      LoggingPreferences console = new LoggingPreferences();
      console.enable("browser", Level.ALL);
      options.setCapability("goog:loggingPrefs", console);
      this.driver =
          new ChromeDriver(
              new ChromeDriverService.Builder()
                  .usingDriverExecutable(DRIVER.toFile())
                  .usingAnyFreePort()
                  .withSilent(true)
                  .build(),
              options);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  ChromeDriver driver() {
    return driver;
  }

  void open(String url) {
    driver.get(url);
  }

  String url() {
    return driver.getCurrentUrl();
  }

  /** The element, once it is there and visible. */
  WebElement await(String css) {
    return await(
        "visible: " + css,
        () ->
            driver.findElements(By.cssSelector(css)).stream()
                .filter(WebElement::isDisplayed)
                .findFirst()
                .orElse(null));
  }

  /** What the supplier gives, once it is neither null nor false. */
  <T> T await(String what, Supplier<T> supplier) {
    return new WebDriverWait(driver, Duration.ofSeconds(30), Duration.ofMillis(25))
        .ignoring(StaleElementReferenceException.class)
        .withMessage(what)
        .until(any -> supplier.get());
  }

  String text(String css) {
    return await(css).getText();
  }

  void click(String css) {
    await(css).click();
  }

  boolean has(String css) {
    return !driver.findElements(By.cssSelector(css)).isEmpty();
  }

  void awaitTitle(String title) {
    await("title " + title + ", not " + driver.getTitle(), () -> title.equals(driver.getTitle()));
  }

  List<String> texts(String css) {
    return driver.findElements(By.cssSelector(css)).stream().map(WebElement::getText).toList();
  }

  /** What the console said of what a policy stopped. */
  void assertNothingWasBlocked() {
    assertThat(driver.manage().logs().get("browser").getAll())
        .extracting(LogEntry::getMessage)
        .noneMatch(m -> m.contains("Content Security Policy") || m.contains("Uncaught"));
  }

  @Override
  public void close() {
    driver.quit();
  }
}
