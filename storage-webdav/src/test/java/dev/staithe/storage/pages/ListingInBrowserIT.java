package dev.staithe.storage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.RunningStorage;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.clients.Browser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;

/** The listing page in a real Chromium, on a real storage element. */
final class ListingInBrowserIT {
  @TempDir static Path folder;

  private static RunningStorage storage;
  private static Browser browser;
  private static ShownListing listing;

  private String name;
  private Path data;
  private Path open;

  @BeforeAll
  static void start() {
    storage = RunningStorage.shared();
    browser = Browser.in(folder);
    listing = new ShownListing(browser);
  }

  @AfterAll
  static void stop() {
    browser.close();
  }

  /** Each test has folders of its own in both areas. */
  @BeforeEach
  void folders(TestInfo test) throws IOException {
    name = test.getTestMethod().orElseThrow().getName();
    data = Files.createDirectories(storage.data().resolve(name));
    open = Files.createDirectories(storage.open().resolve(name));
  }

  private String dataUrl() {
    return storage.url("/data/" + name + "/");
  }

  private String openUrl() {
    return storage.url("/open/" + name + "/");
  }

  @Test
  void folderThatAnyoneMayReadIsShownSortedWithSizesAndDates() throws IOException {
    Files.createDirectory(open.resolve("run 10"));
    Files.createDirectory(open.resolve("run 9"));
    Files.write(open.resolve("file10.dat"), new byte[1536]);
    Files.write(open.resolve("file9.dat"), new byte[7]);

    browser.open(openUrl());

    listing.awaitNames("run 9", "run 10", "file9.dat", "file10.dat");
    WebElement size = listing.row("file10.dat").findElement(By.cssSelector("td.s"));
    assertThat(size.getText()).isEqualTo("1.5 KiB");
    assertThat(size.getAttribute("title")).isEqualTo("1,536 bytes");
    assertThat(listing.row("file10.dat").findElement(By.cssSelector("time")).getText())
        .matches("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d");
    assertThat(browser.text(".count")).isEqualTo("4 entries, 1.5 KiB");
    assertThat(browser.text(".crumbs")).contains("open").contains(name);
    browser.assertNoScriptFailedAndNothingWasBlocked();
  }

  @Test
  void listingIsSortedAndFilteredOnRequest() throws IOException {
    Files.write(open.resolve("small"), new byte[1]);
    Files.write(open.resolve("big"), new byte[9000]);
    Files.write(open.resolve("middle"), new byte[500]);
    browser.open(openUrl());
    listing.awaitNames("big", "middle", "small");

    browser.click("th.s button");
    listing.awaitNames("big", "middle", "small");
    assertThat(browser.await("th.s").getAttribute("aria-sort")).isEqualTo("descending");
    browser.click("th.s button");
    listing.awaitNames("small", "middle", "big");

    browser.await("input[type=search]").sendKeys("M");
    listing.awaitNames("small", "middle");
  }

  @Test
  void folderThatNeedsATokenIsShownAfterSignInAndTheTokenIsKeptNowhere() throws IOException {
    Files.createDirectory(data.resolve("inner"));
    Files.writeString(data.resolve("inner/deep.txt"), "x");
    browser.open(dataUrl());
    assertThat(browser.text("main h1")).isEqualTo("A token is needed here");

    listing.signIn(storage.token());

    listing.awaitNames("inner");
    assertThat(browser.text("#session")).contains("tester");
    assertThat(browser.run("return document.cookie")).isEqualTo("");
    assertThat(browser.run("return localStorage.length + sessionStorage.length")).isEqualTo(0L);
    assertThat(browser.run("return document.documentElement.outerHTML.includes('eyJ')"))
        .isEqualTo(false);
    assertThat(browser.strings("return Object.keys(window).filter(k => /tok/i.test(k))")).isEmpty();

    browser.driver().findElement(By.linkText("inner")).click();
    listing.awaitNames("deep.txt");
    assertThat(browser.driver().getCurrentUrl()).isEqualTo(dataUrl() + "inner/");
    browser.driver().navigate().back();
    listing.awaitNames("inner");

    browser.driver().navigate().refresh();
    assertThat(browser.text("main h1")).isEqualTo("A token is needed here");
  }

  @Test
  void tokenThatIsNotGoodIsRefusedInWords() {
    browser.open(dataUrl());
    browser.await("#token").sendKeys("not.a.token");
    browser.click("form .main");
    assertThat(browser.text("form .problem")).contains("did not accept the token");

    browser.await("#token").clear();
    browser.await("#token").sendKeys(storage.token("storage.read:/elsewhere"));
    browser.click("form .main");
    browser.await(
        "told that the token does not reach",
        () -> browser.text("form .problem").contains("does not allow"));
  }

  @Test
  void tokenThatMayOnlyReadIsOfferedNothingElse() throws IOException {
    Files.writeString(data.resolve("kept.txt"), "x");
    browser.open(dataUrl());

    listing.signIn(storage.token("storage.read:/"));

    listing.awaitNames("kept.txt");
    assertThat(browser.has("#chooser")).isFalse();
    assertThat(browser.has("button.delete")).isFalse();
  }

  @Test
  void chosenFilesAreUploadedWithProgressAndAppearWithTheirChecksum() throws IOException {
    byte[] content = new byte[20 << 20];
    new Random(7).nextBytes(content);
    Path local = Files.write(folder.resolve("Messung 1 – ü.bin"), content);
    browser.open(dataUrl());
    listing.signIn(storage.token());

    browser.run("document.getElementById('chooser').hidden = false");
    browser.await("#chooser").sendKeys(local.toString());

    listing.awaitNames("Messung 1 – ü.bin");
    assertThat(browser.text("#uploads li")).contains("20.0 MiB uploaded");
    assertThat(Files.readAllBytes(data.resolve("Messung 1 – ü.bin"))).isEqualTo(content);
    assertThat(browser.text("td.c")).startsWith("adler32:");
    browser.assertNoScriptFailedAndNothingWasBlocked();
  }

  @Test
  void droppedFilesAreUploaded() throws IOException {
    browser.open(dataUrl());
    listing.signIn(storage.token());

    drop("one.txt", "first");
    listing.awaitNames("one.txt");

    assertThat(data.resolve("one.txt")).hasContent("first");
  }

  @Test
  void uploadOntoAnExistingNameReplacesItOnlyWhenToldTo() throws IOException {
    Files.writeString(data.resolve("one.txt"), "old");
    browser.open(dataUrl());
    listing.signIn(storage.token());

    drop("one.txt", "new");
    assertThat(browser.text("#uploads .problem")).contains("there already");
    assertThat(data.resolve("one.txt")).hasContent("old");

    browser.click("#uploads button"); // the first one: Replace
    Eventually.holds("replaced", () -> content(data.resolve("one.txt")).equals("new"));
  }

  @Test
  void uploadWithoutTheRightIsToldInWords() {
    browser.open(dataUrl());
    listing.signIn(storage.token("storage.read:/ storage.create:/" + name));
    // The right ends at another folder: the page still thinks that it may.
    browser.run("document.getElementById('folder').dataset.href = '/data/'");

    drop("one.txt", "first");

    assertThat(browser.text("#uploads .problem")).contains("does not allow");
    assertThat(storage.data().resolve("one.txt")).doesNotExist();
  }

  @Test
  void folderIsMadeAndDeletedAfterAskingOnly() throws IOException {
    Files.writeString(data.resolve("kept.txt"), "x");
    browser.open(dataUrl());
    listing.signIn(storage.token());

    browser.driver().findElement(By.xpath("//button[.='New folder']")).click();
    assertThat(browser.await("dialog").getAccessibleName()).isEqualTo("New folder");
    browser.await("#folder-name").sendKeys("a & b <i>");
    browser.click("dialog .main");
    listing.awaitNames("a & b <i>", "kept.txt");
    assertThat(data.resolve("a & b <i>")).isDirectory();

    listing.row("a & b <i>").findElement(By.cssSelector("button.delete")).click();
    assertThat(browser.text("dialog h2")).isEqualTo("Delete a & b <i>?");
    browser.click("dialog button[type=button]"); // Cancel
    assertThat(data.resolve("a & b <i>")).isDirectory();

    listing.row("a & b <i>").findElement(By.cssSelector("button.delete")).click();
    browser.click("dialog .danger");
    listing.awaitNames("kept.txt");
    assertThat(data.resolve("a & b <i>")).doesNotExist();
  }

  @Test
  void fileThatNeedsATokenIsSavedWhole() throws IOException {
    byte[] content = new byte[3 << 20];
    new Random(11).nextBytes(content);
    Files.write(data.resolve("result 1.root"), content);
    browser.open(dataUrl());
    listing.signIn(storage.token());

    browser.driver().findElement(By.linkText("result 1.root")).click();

    Path saved = browser.downloads().resolve("result 1.root");
    Eventually.holds("saved", () -> Files.exists(saved) && Arrays.equals(bytes(saved), content));
  }

  @Test
  void nameThatIsMarkupOrTurnsTheTextAroundIsShownAndRunsNothing() throws IOException {
    List<String> names =
        List.of(
            "<img src=x onerror=window.hacked=1>",
            "\"><script>window.hacked=1<\\script>",
            "' onmouseover='window.hacked=1",
            "report\u202Efdp.exe");
    for (String hostile : names) {
      Files.writeString(data.resolve(hostile), "x");
      Trials.held();
    }
    Files.createDirectory(data.resolve("<b>bold"));
    browser.open(dataUrl());
    listing.signIn(storage.token());

    assertThat(listing.names())
        .containsExactlyInAnyOrder(
            "<b>bold", names.get(0), names.get(1), names.get(2), "reportU+202Efdp.exe");
    for (WebElement delete :
        browser.driver().findElements(By.cssSelector("#entries button.delete"))) {
      delete.click();
      browser.click("dialog button[type=button]");
    }
    browser.driver().findElement(By.linkText("<b>bold")).click();
    browser.await(".empty");

    assertThat(browser.run("return window.hacked === undefined")).isEqualTo(true);
    assertThat(browser.has("main img, main script, main b")).isFalse();
    browser.assertNoScriptFailedAndNothingWasBlocked();
  }

  @Test
  void storedPageWhenOpenedThenItsScriptDoesNotRun() throws IOException {
    Files.writeString(
        open.resolve("evil.html"),
        "<!DOCTYPE html><title>evil</title><script>document.title = 'ran'</script>"
            + "<img src=x onerror=\"document.title = 'ran'\"><svg onload=\"document.title='ran'\">");

    browser.open(openUrl() + "evil.html");

    assertThat(browser.driver().getTitle()).isNotEqualTo("ran");
  }

  /** Its buttons would do by the token what whoever stored it wants. */
  @Test
  void storedPageIsNotShownInPlaceOfAFolderAfterSignIn() throws IOException {
    Files.writeString(
        data.resolve("evil.html"),
        "<!DOCTYPE html><title>evil</title><main id=\"folder\" data-transfers=\"true\">"
            + "<table id=\"transfers\"><tbody><tr data-cancel=\"/data/"
            + name
            + "/\"><td class=\"n\"><bdi>a copy</bdi></td><td></td></tr></tbody></table></main>");
    browser.open(dataUrl() + "evil.html");
    browser.await("#token").sendKeys(storage.token());

    browser.click("form .main");

    assertThat(browser.text("form .problem")).contains("no listing");
    assertThat(browser.has("#transfers")).isFalse();
  }

  /** Who goes by the keyboard is in the folder then, and not at the beginning of the page again. */
  @Test
  void linkThatSkipsToTheFolderLeadsThereAndLoadsNothingAnew() throws IOException {
    Files.writeString(data.resolve("kept.txt"), "x");
    browser.open(dataUrl());
    listing.signIn(storage.token());
    listing.awaitNames("kept.txt");
    browser.run("window.before = document.getElementById('folder')");

    browser.run("document.querySelector('a.skip').click()");
    browser.await("at the folder", () -> "#folder".equals(browser.run("return location.hash")));
    // What the page would load anew came before the answer to this.
    browser.run("return fetch('/open/').then((answer) => answer.text()).then(() => true)");

    browser.await(
        "in the folder", () -> browser.run("return document.activeElement === window.before"));
    browser.assertNoScriptFailedAndNothingWasBlocked();
  }

  @Test
  void hugeFolderIsCountedWholeAndScrolledInPieces() throws IOException {
    for (int i = 0; i < 5000; i++) {
      Files.createFile(open.resolve("file-" + i));
    }
    browser.open(openUrl());

    assertThat(browser.text(".count")).isEqualTo("5,000 entries, 0 B");
    assertThat(listing.names()).hasSizeLessThan(2500).startsWith("file-0", "file-1", "file-2");
    browser.await(
        "the last entry comes by scrolling",
        () -> {
          browser.run("scrollTo(0, document.body.scrollHeight)");
          return listing.names().contains("file-4999");
        });
  }

  @Test
  void areasAreListedAtTheRoot() {
    browser.open(storage.url("/"));

    listing.awaitNames("data", "open");
  }

  /** Drops a file on the page the way a file manager does. */
  private static void drop(String fileName, String content) {
    browser.run(
        """
        const carried = new DataTransfer();
        carried.items.add(new File([arguments[1]], arguments[0]));
        for (const type of ['dragover', 'drop']) {
          document.getElementById('folder').dispatchEvent(
            new DragEvent(type, { dataTransfer: carried, bubbles: true, cancelable: true }));
        }
        """,
        fileName,
        content);
  }

  private static String content(Path file) {
    return new String(bytes(file), java.nio.charset.StandardCharsets.UTF_8);
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
