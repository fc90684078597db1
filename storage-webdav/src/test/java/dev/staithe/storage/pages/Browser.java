package dev.staithe.storage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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
  private final Path downloads;

  Browser(Path folder) {
    if (!Files.isExecutable(CHROMIUM) || !Files.isExecutable(DRIVER)) {
      throw new AssertionError("chromium is missing: apt-get install -y chromium chromium-driver");
    }
    SELENIUM.setLevel(Level.SEVERE);
    try {
      this.downloads = Files.createDirectories(folder.resolve("downloads"));
      Path profile = Files.createDirectories(folder.resolve("profile"));
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
      options.setExperimentalOption(
          "prefs",
          Map.of(
              "download.default_directory",
              downloads.toString(),
              "download.prompt_for_download",
              false));
      options.setAcceptInsecureCerts(true); // the authority lives as long as the test
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

  Path downloads() {
    return downloads;
  }

  /** Opens an address in a tab that remembers nothing of the one before. */
  void open(String url) {
    driver.get("about:blank");
    driver.manage().logs().get("browser"); // reading empties it
    driver.get(url);
  }

  /** The element, once it is there and visible. */
  WebElement await(String css) {
    return await("visible: " + css, () -> first(css));
  }

  /** What the supplier gives, once it is neither null nor false. */
  <T> T await(String what, java.util.function.Supplier<T> supplier) {
    return new WebDriverWait(driver, Duration.ofSeconds(30), Duration.ofMillis(25))
        .ignoring(StaleElementReferenceException.class)
        .withMessage(what)
        .until(any -> supplier.get());
  }

  private WebElement first(String css) {
    return driver.findElements(By.cssSelector(css)).stream()
        .filter(WebElement::isDisplayed)
        .findFirst()
        .orElse(null);
  }

  void click(String css) {
    await("clicked: " + css, () -> clicked(first(css)));
  }

  private static boolean clicked(WebElement element) {
    if (element == null) {
      return false;
    }
    element.click();
    return true;
  }

  boolean has(String css) {
    return !driver.findElements(By.cssSelector(css)).isEmpty();
  }

  /** Pastes a token where the page asks for one, and waits for the listing. */
  void signIn(String token) {
    await("#token").sendKeys(token);
    click("form .main");
    await(".count");
  }

  /** The names of the listing, as they are shown. */
  List<String> names() {
    return strings(
        "return [...document.querySelectorAll('#entries tbody td.n a')].map(a => a.textContent)");
  }

  void awaitNames(String... names) {
    await("names " + List.of(names) + ", not " + names(), () -> names().equals(List.of(names)));
  }

  /** The row of that name. */
  WebElement row(String name) {
    return await(
        "row " + name,
        () ->
            driver.findElements(By.cssSelector("#entries tbody tr")).stream()
                .filter(r -> r.findElement(By.cssSelector("td.n a")).getText().equals(name))
                .findFirst()
                .orElse(null));
  }

  String text(String css) {
    return await(css).getText();
  }

  @SuppressWarnings("unchecked")
  List<String> strings(String script) {
    return (List<String>) run(script);
  }

  Object run(String script, Object... arguments) {
    return driver.executeScript(script, arguments);
  }

  /** What the console said of scripts, styles or content that a policy stopped. */
  void assertNoScriptFailedAndNothingWasBlocked() {
    assertThat(driver.manage().logs().get("browser").getAll())
        .extracting(LogEntry::getMessage)
        .noneMatch(m -> m.contains("Content Security Policy") || m.contains("Uncaught"));
  }

  @Override
  public void close() {
    driver.quit();
  }
}
