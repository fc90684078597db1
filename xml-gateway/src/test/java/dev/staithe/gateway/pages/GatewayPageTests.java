package dev.staithe.gateway.pages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import dev.staithe.wss.client.SoapCaller;
import dev.staithe.wss.client.SoapResponse;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page as it comes over the wire, after real traffic. */
final class GatewayPageTests {
  @TempDir private static Path folder;
  private static PageSite site;

  @BeforeAll
  static void start() {
    site = new PageSite(folder, Map.of());
  }

  @AfterAll
  static void stop() {
    site.close();
  }

  private static String text() {
    HttpResponse<String> page = site.gateway().get("/");
    assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
    return page.body().replaceAll("<[^>]*>", " ").replaceAll("\\s+", " ");
  }

  @Test
  void pageCountsWhatBecameOfExchangesAndWhatIsKept() throws Exception {
    try (SoapCaller caller = site.caller()) {
      SoapResponse heard = caller.call(site.request());
      assertThat(heard)
          .withFailMessage(() -> heard + "\n" + site.gateway().audit())
          .isInstanceOf(SoapResponse.Message.class);
      site.gateway().post("/gone", PageSite.ASK);
      site.gateway().post("/gone", PageSite.ASK);
      site.gateway().post("/talk", PageSite.ASK);

      String text = text();

      assertThat(text)
          .contains("/talk " + site.service().address() + " conversation")
          .containsPattern("answered 2 \\([0-9.]+/s\\) refused 1 \\([0-9.]+/s\\)")
          .containsPattern("back end 2 \\([0-9.]+/s\\) service behind: down 2")
          .containsPattern("[0-9.]+ (ms|s) [0-9.]+ (ms|s) /gone")
          .contains("no security /talk 1")
          .containsPattern("Live contexts [1-9][0-9]* 700")
          .containsPattern("must not come again [1-9][0-9]* 5000");
    }
  }

  @Test
  void pageSaysWhenCertificatesAndRevocationListsEnd() {
    assertThat(text())
        .contains("Certificate for TLS")
        .containsPattern("Certificate for messages CN=messages.example.org [^L]+ 2 days")
        .containsPattern(
            "Revocation list CN=Grid authority,O=Example,C=DE [0-9]+ \\w+ 20[0-9]+, .+ UTC 2[34] h");
  }

  @Test
  void documentThatIsRefusedIsShownWithItsReasonAndWithoutItsFolder() throws Exception {
    site.publishText("<broken");

    Eventually.holds("refusal is shown", () -> text().contains("The newest document is refused"));

    assertThat(text())
        .containsPattern("plain-policy.xml [0-9a-f]{16} since")
        .contains("refused: plain-policy.xml: ")
        .doesNotContain(folder.toString());
    site.publish("none");
    Eventually.holds("refusal is over", () -> !text().contains("The newest document is refused"));
  }

  @Test
  void pageSaysWhatIsKeptAndWhetherItsEndIsWhatWasWritten() throws Exception {
    assertThat(text()).contains("not kept as evidence");
    assertThat(site.sign()).isInstanceOf(SoapResponse.Message.class);
    assertThat(site.sign()).isInstanceOf(SoapResponse.Message.class);

    assertThat(text())
        .containsPattern("/signed .*kept as evidence: 2 , the last at [0-9]+ \\w+ 20[0-9]+, .+ UTC")
        .containsPattern(
            "Lines of evidence Its end is what was written;.* verified by staithe evidence"
                + " verify FOLDER .* 2 ");

    Path log = site.evidence().resolve("evidence.log");
    byte[] before = Files.readAllBytes(log);
    Files.write(log, new String(before, UTF_8).replace("urn:t:do", "urn:t:no").getBytes(UTF_8));
    assertThat(text()).contains("Lines of evidence the end of the log is not what was written");
    Files.write(log, before);
    assertThat(text()).contains("Its end is what was written");
    Path messages;
    try (var files = Files.list(site.evidence())) {
      messages = files.filter(each -> each.toString().endsWith(".bin")).findFirst().orElseThrow();
    }
    byte[] kept = Files.readAllBytes(messages);
    byte[] changed = kept.clone();
    changed[kept.length - 1] ^= 1;
    Files.write(messages, changed);
    assertThat(text()).contains("the last message was changed");
    Files.write(messages, kept);
  }

  @Test
  void policyUnderWhichNothingCanBeKeptIsShownWhereItIsWanted() throws Exception {
    site.publishSigned("none");

    Eventually.holds("problem is shown", () -> text().contains("nothing is kept"));

    site.publishSigned("x509");
    Eventually.holds("problem is over", () -> !text().contains("nothing is kept"));
  }

  @Test
  void pageRunsNoScriptIsNotKeptAndHasNoSecrets() {
    HttpResponse<String> page = site.gateway().get("/");

    assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
        .startsWith("default-src 'none';")
        .doesNotContain("script");
    assertThat(page.headers().firstValue("Cache-Control")).hasValue("no-store");
    assertThat(page.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
    assertThat(page.body())
        .doesNotContain("<script", "style=", PageSite.PASSWORD, folder.toString());
  }

  @Test
  void pageStandsStillWhereItIsAskedTo() {
    assertThat(site.gateway().get("/").body()).contains("http-equiv=\"refresh\"");
    assertThat(site.gateway().get("/?still").body()).doesNotContain("http-equiv=\"refresh\"");
  }

  @Test
  void whoMayNotReadMetricsDoesNotSeeThePage(@TempDir Path other) {
    try (var closed = new PageSite(other, Map.of("staithe.metrics.allow-from", "192.0.2.0/24"))) {
      for (String path : new String[] {"/", "/?still", "//", "/;x", "/.", "/%2e/", "/index.html"}) {
        HttpResponse<String> page = closed.gateway().get(path);

        assertThat(page.statusCode()).as(path).isBetween(400, 499);
        assertThat(page.body()).as(path).doesNotContain("/talk", "Endpoints");
        Trials.held();
      }
      assertThat(closed.gateway().get("/").statusCode()).isEqualTo(403);
      assertThat(closed.gateway().get("/talk?policy").statusCode()).isEqualTo(200);
    }
  }
}
