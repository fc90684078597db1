package dev.staithe.storage.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.storage.pages.ListingPage.Crumb;
import dev.staithe.storage.pages.ListingPage.Entry;
import dev.staithe.storage.pages.ListingPage.Options;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ListingPageTests {
  private static final Instant NOON = Instant.parse("2026-03-01T12:34:56.789Z");
  private static final List<Crumb> CRUMBS =
      List.of(
          new Crumb("/", "/"), new Crumb("data", "/data/"), new Crumb("run 7", "/data/run%207/"));

  private final StringBuilder written = new StringBuilder();
  private int writes;
  private int largest;

  @Test
  void fileIsShownWithHumanAndExactSizeDateAndChecksum() throws IOException {
    ListingPage page = ListingPage.begin(this::take, CRUMBS, Options.READ_ONLY);
    page.entry(
        new Entry("a.root", "/data/run%207/a.root", false, 1_572_864, NOON, "adler32:0a1b2c3d"));
    page.end();

    assertThat(written)
        .contains("<a href=\"/data/run%207/a.root\"><bdi>a.root</bdi></a>")
        .contains("title=\"1,572,864 bytes\">1.5 MiB<")
        .contains("<time datetime=\"2026-03-01T12:34:56.789Z\">2026-03-01 12:34</time>")
        .contains("<code title=\"adler32:0a1b2c3d\">adler32:0a1b2c3d</code>");
  }

  @Test
  void longChecksumIsShortenedAndWholeInTheTitle() throws IOException {
    ListingPage page = ListingPage.begin(this::take, CRUMBS, Options.READ_ONLY);
    String checksum = "sha-256:" + "0123456789abcdef".repeat(4);
    page.entry(new Entry("a", "/data/run%207/a", false, 1, NOON, checksum));
    page.end();

    assertThat(written).contains("<code title=\"" + checksum + "\">sha-256:01234567…</code>");
  }

  @Test
  void folderHasNoSizeAndNoChecksum() throws IOException {
    ListingPage page = ListingPage.begin(this::take, CRUMBS, Options.READ_ONLY);
    page.entry(new Entry("sub", "/data/run%207/sub/", true, 4096, NOON, null));
    page.end();

    page = ListingPage.begin(this::take, CRUMBS, Options.READ_ONLY);
    page.entry(new Entry("area", "/area/", true, 0, null, null));
    page.end();

    assertThat(written)
        .contains("<tr class=\"folder\" data-size=\"-1\" data-time=\"0\"")
        .contains("<td class=\"s\">–</td>")
        .doesNotContain("<code")
        .doesNotContain("4096");
  }

  @Test
  void crumbsLeadFromTheRootToHere() throws IOException {
    ListingPage.begin(this::take, CRUMBS, Options.READ_ONLY).end();

    assertThat(written)
        .contains("<title>run 7</title>")
        .contains("<li><a href=\"/data/\"><bdi>data</bdi></a></li>")
        .contains("<a aria-current=\"page\" href=\"/data/run%207/\"><bdi>run 7</bdi></a>");
  }

  @Test
  void whatTheReaderMayDoIsToldToTheScript() throws IOException {
    ListingPage.begin(this::take, CRUMBS, new Options(true, false, 5_000_000)).end();

    assertThat(written)
        .contains("data-create=\"true\" data-modify=\"false\"")
        .contains("title=\"5,000,000 bytes\">4.8 MiB free<");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<img src=x onerror=alert(1)>",
        "\"><script>alert(1)</script>",
        "' onmouseover='alert(1)",
        "</title></a></table><svg/onload=alert(1)>",
        "&lt;b&gt;",
        "-->",
        "javascript:alert(1)"
      })
  void nameThatIsMarkupIsShownAsText(String name) throws IOException {
    ListingPage page =
        ListingPage.begin(this::take, List.of(new Crumb(name, name)), Options.READ_ONLY);
    page.entry(new Entry(name, name, false, 1, NOON, name));
    page.entry(new Entry(name, name, true, 1, NOON, null));
    page.broken(name);

    // With every piece of our own markup taken away, no delimiter of markup is left.
    String own = written.toString();
    assertThat(own)
        .doesNotContain("<img")
        .doesNotContain("<script>")
        .doesNotContain("<svg")
        .doesNotContain("onmouseover='")
        .doesNotContain("-->")
        .doesNotContain("<b>");
    assertThat(own.split("<script", -1)).hasSize(2);
    assertThat(own).contains("<bdi>" + escaped(name) + "</bdi>");
    assertThat(own).contains("href=\"" + escaped(name) + "\"");
    assertThat(own).contains("<title>" + escaped(name) + "</title>");
  }

  @Test
  void nameThatTurnsTheReadingDirectionAroundIsSeenThrough() throws IOException {
    ListingPage page = ListingPage.begin(this::take, CRUMBS, Options.READ_ONLY);
    page.entry(new Entry("report\u202Efdp.exe", "/x", false, 1, NOON, null));
    page.entry(new Entry("two\nlines\u0000\u2028\u200b", "/y", false, 1, NOON, null));
    page.end();

    assertThat(written)
        .contains("<bdi>report<i class=\"odd\">U+202E</i>fdp.exe</bdi>")
        .contains(
            "<bdi>two<i class=\"odd\">U+000A</i>lines<i class=\"odd\">U+0000</i>"
                + "<i class=\"odd\">U+2028</i><i class=\"odd\">U+200B</i></bdi>")
        .doesNotContain("\u202E")
        .doesNotContain("\u0000");
  }

  @Test
  void nameInOtherScriptsStaysAsItIs() throws IOException {
    ListingPage page = ListingPage.begin(this::take, CRUMBS, Options.READ_ONLY);
    page.entry(new Entry("日本語 – übung 🛳 שלום", "/z", false, 1, NOON, null));
    page.end();

    assertThat(written).contains("<bdi>日本語 – übung 🛳 שלום</bdi>");
  }

  @Test
  void halfASurrogatePairDoesNotBreakTheEncoding() throws IOException {
    ListingPage page = ListingPage.begin(this::take, CRUMBS, Options.READ_ONLY);
    page.entry(new Entry("half\uD83D", "/h", false, 1, NOON, null));
    page.end();

    assertThat(written).contains("half<i class=\"odd\">U+D83D</i>");
  }

  @Test
  void headIsSentBeforeTheFirstEntryIsRead() throws IOException {
    ListingPage.begin(this::take, CRUMBS, Options.READ_ONLY);

    assertThat(written).contains("<tbody>");
  }

  @Test
  void hugeFolderIsNeverHeldInMemory() throws IOException {
    ListingPage page = ListingPage.begin(this::count, CRUMBS, Options.READ_ONLY);
    for (int i = 0; i < 100_000; i++) {
      page.entry(new Entry("file-" + i, "/data/file-" + i, false, i, NOON, "adler32:00000001"));
    }
    page.end();

    assertThat(writes).isGreaterThan(500);
    assertThat(largest).isLessThan(40_000);
  }

  @Test
  void folderThatCouldNotBeReadToItsEndSaysSo() throws IOException {
    ListingPage page = ListingPage.begin(this::take, CRUMBS, Options.READ_ONLY);
    page.broken("the disk does not answer");

    assertThat(written)
        .contains("This listing is not complete: the disk does not answer")
        .endsWith("</html>\n");
  }

  @Test
  void readerWhoWentAwayStopsTheListing() {
    assertThatThrownBy(
            () ->
                ListingPage.begin(
                    bytes -> {
                      throw new IOException("gone");
                    },
                    CRUMBS,
                    Options.READ_ONLY))
        .isInstanceOf(IOException.class)
        .hasMessage("gone");
  }

  @Test
  void nothingRunsButTheScriptThatIsLoaded() throws IOException {
    ListingPage.begin(this::take, CRUMBS, new Options(true, true, 1)).end();

    assertThat(written)
        .doesNotContain(" style=")
        .doesNotContain("<style")
        .doesNotContainPattern(" on[a-z]+=")
        .doesNotContain("http:")
        .doesNotContain("https:")
        .contains("<script defer src=\"/.staithe/static/listing.js?");
  }

  private void take(ByteBuffer bytes) {
    written.append(StandardCharsets.UTF_8.decode(bytes));
  }

  private void count(ByteBuffer bytes) {
    writes++;
    largest = Math.max(largest, bytes.remaining());
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
