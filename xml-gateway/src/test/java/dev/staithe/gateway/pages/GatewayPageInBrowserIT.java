package dev.staithe.gateway.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.clients.Browser;
import dev.staithe.wss.client.SoapCaller;
import dev.staithe.wss.client.SoapResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real Chromium, while messages come; it comes anew by itself. */
final class GatewayPageInBrowserIT {
  private static final String PLAIN = "tr[data-path='/plain'] ";
  private static final String TALK = "tr[data-path='/talk'] ";

  @TempDir private static Path folder;
  private static PageSite site;
  private static Browser browser;

  @BeforeAll
  static void start() {
    site = new PageSite(folder, Map.of());
    browser = Browser.in(folder.resolve("browser"));
  }

  @AfterAll
  static void stop() {
    browser.close();
    site.close();
  }

  private static void open() {
    browser.open(site.gateway().url() + "/");
    browser.awaitTitle("XML gateway");
  }

  private static void awaitText(String css, String part) {
    browser.await(
        css + " says " + part,
        () -> browser.texts(css).stream().anyMatch(text -> text.contains(part)));
  }

  @Test
  void callsAndRefusalsAppearByThemselves() throws Exception {
    open();
    assertThat(browser.texts(".path")).containsExactly("/plain", "/talk", "/gone", "/signed");
    assertThat(browser.texts(".policy"))
        .containsExactly("plain-policy.xml", "conversation", "none", "signed-policy.xml");

    try (SoapCaller caller = site.caller()) {
      for (int i = 0; i < 3; i++) {
        assertThat(caller.call(site.request())).isInstanceOf(SoapResponse.Message.class);
      }
      site.gateway().post("/talk", PageSite.ASK);

      // Three calls and the request for their context.
      awaitText(TALK + ".exchange", "answered 4 (");
      awaitText(TALK + ".exchange", "refused 1 (");
      awaitText("#refusals .reason", "no security");
      awaitText("#contexts", "1");
      assertThat(browser.text(TALK + ".median")).matches("[0-9.]+ m?s");
      assertThat(browser.text(TALK + ".slowest")).matches("[0-9.]+ m?s");
    }
    browser.assertNoScriptFailedAndNothingWasBlocked();
  }

  @Test
  void switchOfAPolicyAppearsAndSoDoesOneThatIsRefused() throws Exception {
    open();
    String before = browser.text(PLAIN + ".version");
    site.publish("transport-username");

    browser.await(
        "another version", () -> !browser.texts(PLAIN + ".version").equals(List.of(before)));
    site.publishText(
        "<p:Policy xmlns:p=\"http://www.w3.org/ns/ws-policy\"><x xmlns=\"urn:x\"/></p:Policy>");

    awaitText(PLAIN + ".refused", "The newest document is refused: plain-policy.xml: ");
    site.publish("none");
    browser.await(
        "the first version",
        () ->
            browser.texts(PLAIN + ".version").equals(List.of(before))
                && !browser.has(PLAIN + ".refused"));
    browser.assertNoScriptFailedAndNothingWasBlocked();
  }

  @Test
  void keptMessagesAppearWithTheirNumberAndTime() throws Exception {
    open();
    assertThat(browser.text("tr[data-path='/plain'] .not-kept")).isEqualTo("not kept as evidence");
    assertThat(site.sign()).isInstanceOf(SoapResponse.Message.class);

    awaitText("tr[data-path='/signed'] .kept", "kept as evidence: 1, the last at ");
    assertThat(browser.text("#evidence")).isEqualTo("1");
    assertThat(browser.text("#evidence-end")).contains("staithe evidence verify FOLDER");
    browser.assertNoScriptFailedAndNothingWasBlocked();
  }

  @Test
  void nothingLeavesThePageAndLinksLeadToTheDocuments() {
    browser.open(site.gateway().url() + "/?still");
    browser.awaitTitle("XML gateway");

    assertThat(
            browser.run(
                "const right = css => document.querySelector(css).getBoundingClientRect().right;"
                    + " return right('#endpoints') <= right('main')"
                    + " && right('#expiring') <= right('main')"))
        .isEqualTo(true);
    assertThat(
            browser.strings("return [...document.querySelectorAll('a.document')].map(a => a.href)"))
        .first()
        .isEqualTo(site.gateway().url() + "/plain?policy");
    assertThat(browser.run("return getComputedStyle(document.querySelector('main')).maxWidth"))
        .as("the style sheet was loaded")
        .isEqualTo("960px");
    browser.assertNoScriptFailedAndNothingWasBlocked();
  }
}
