package dev.staithe.testkit.clients;

import dev.staithe.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.By;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;

/**
 * A headless Chromium with a profile of its own, which believes every server certificate: the
 * authority of a test lives as long as the test. For one thread. A module that uses it names
 * selenium-java as a dependency of its tests.
 */
public final class Browser implements AutoCloseable {
  // In one step each: a page that comes anew by itself may take an element away between two.
  private static final String SHOWN =
      ".filter(it => it.checkVisibility({visibilityProperty: true}))";
  private static final String TEXT =
      ".map(it => it.checkVisibility() ? it.innerText.replaceAll('\\u00a0', ' ').trim() : '')";

  private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
  private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
  private static final Duration POLL = Duration.ofMillis(25);

  // It warns of every Chromium that is younger than itself. Held here, else the level is collected.
  private static final Logger SELENIUM = Logger.getLogger("org.openqa.selenium");

  private final ChromeDriver driver;
  private final Path downloads;

  private Browser(Path folder, boolean scripts) {
    if (!Files.isExecutable(CHROMIUM) || !Files.isExecutable(DRIVER)) {
      throw new AssertionError("chromium is missing: apt-get install -y chromium chromium-driver");
    }
    SELENIUM.setLevel(Level.SEVERE);
    try {
      this.downloads = Files.createDirectories(folder.resolve("downloads"));
      Path profile = Files.createDirectories(folder.resolve("profile"));
      this.driver =
          new ChromeDriver(
              new ChromeDriverService.Builder()
                  .usingDriverExecutable(DRIVER.toFile())
                  .usingAnyFreePort()
                  .withSilent(true)
                  .withTimeout(Eventually.LONGEST)
                  .build(),
              options(profile, downloads, scripts));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One whose profile and downloads are in that folder, which is made if need be. */
  public static Browser in(Path folder) {
    return new Browser(folder, true);
  }

  /** The same, but it runs no script of any page. */
  public static Browser withoutScripts(Path folder) {
    return new Browser(folder, false);
  }

  private static ChromeOptions options(Path profile, Path downloads, boolean scripts) {
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
    Map<String, Object> preferences = new HashMap<>();
    preferences.put("download.default_directory", downloads.toString());
    preferences.put("download.prompt_for_download", false);
    if (!scripts) {
      preferences.put("profile.managed_default_content_settings.javascript", 2);
    }
    options.setExperimentalOption("prefs", preferences);
    options.setAcceptInsecureCerts(true);
    LoggingPreferences console = new LoggingPreferences();
    console.enable("browser", Level.ALL);
    options.setCapability("goog:loggingPrefs", console);
    return options;
  }

  /** What drives it, for whatever has no method here. */
  public ChromeDriver driver() {
    return driver;
  }

  /** Where it puts what a page lets it download. */
  public Path downloads() {
    return downloads;
  }

  /** Opens an address in a tab that remembers nothing of the one before; cookies stay. */
  public void open(String url) {
    driver.get("about:blank");
    driver.manage().logs().get("browser"); // reading empties it
    driver.get(url);
  }

  /** The address that it shows. */
  public @Nullable String url() {
    return driver.getCurrentUrl();
  }

  /** The element, once it is there and visible. */
  public WebElement await(String css) {
    return await("visible: " + css, () -> first(css));
  }

  /** What the supplier gives, once it is neither null nor false. */
  public <T> T await(String what, Supplier<? extends @Nullable T> supplier) {
    return new WebDriverWait(driver, Eventually.LONGEST, POLL)
        .ignoring(StaleElementReferenceException.class)
        .withMessage(what)
        .until(any -> supplier.get());
  }

  /** Waits until the page has that title. */
  public void awaitTitle(String title) {
    await("title " + title + ", not " + driver.getTitle(), () -> title.equals(driver.getTitle()));
  }

  private @Nullable WebElement first(String css) {
    return driver.findElements(By.cssSelector(css)).stream()
        .filter(WebElement::isDisplayed)
        .findFirst()
        .orElse(null);
  }

  /** Clicks at the element, once it is there and visible. */
  public void click(String css) {
    await("clicked: " + css, () -> clicked(first(css)));
  }

  private static boolean clicked(@Nullable WebElement element) {
    if (element == null) {
      return false;
    }
    element.click();
    return true;
  }

  /** Whether the page has such an element now, visible or not. */
  public boolean has(String css) {
    return !driver.findElements(By.cssSelector(css)).isEmpty();
  }

  /** The text of the element, once it is there and visible. */
  public String text(String css) {
    return await(
        "visible: " + css,
        () ->
            strings("return [...document.querySelectorAll(arguments[0])]" + SHOWN + TEXT, css)
                .stream()
                .findFirst()
                .orElse(null));
  }

  /** The texts of all such elements that are there now. */
  public List<String> texts(String css) {
    return strings("return [...document.querySelectorAll(arguments[0])]" + TEXT, css);
  }

  /** What a script of the test returns. */
  public @Nullable Object run(String script, Object... arguments) {
    return driver.executeScript(script, arguments);
  }

  /** The list of strings that a script of the test returns. */
  public List<String> strings(String script, Object... arguments) {
    if (run(script, arguments) instanceof List<?> list) {
      return list.stream().map(String::valueOf).toList();
    }
    throw new AssertionError("not a list: " + script);
  }

  /**
   * Looks through what the console said since {@link #open}.
   *
   * @throws AssertionError where a script failed or a policy stopped a script, a style or content
   */
  public void assertNoScriptFailedAndNothingWasBlocked() {
    for (LogEntry entry : driver.manage().logs().get("browser").getAll()) {
      String message = entry.getMessage();
      if (message.contains("Content Security Policy") || message.contains("Uncaught")) {
        throw new AssertionError(message);
      }
    }
  }

  @Override
  public void close() {
    driver.quit();
  }
}
