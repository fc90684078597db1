package dev.staithe.storage.pages;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;

/** What all pages have around their main part. */
final class PageShell {
  private PageShell() {}

  /** Writes the main part of a page. */
  interface Main {
    void write(Markup page) throws IOException;
  }

  /** A whole page, HTML in UTF-8. */
  static byte[] page(String title, Main main) {
    var out = new ByteArrayOutputStream();
    try (var channel = Channels.newChannel(out)) {
      Markup page = new Markup(channel::write);
      begin(page, title);
      main.write(page);
      end(page);
      page.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** Writes the head and opens the body. */
  static void begin(Markup page, String title) throws IOException {
    page.raw(
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="robots" content="noindex">
            <title>""")
        .text(title)
        .raw("</title>\n<link rel=\"icon\"")
        .attribute("href", PageAsset.ICON.url())
        .raw(">\n<link rel=\"stylesheet\"")
        .attribute("href", PageAsset.STYLE.url())
        .raw(">\n<script defer")
        .attribute("src", PageAsset.SCRIPT.url())
        .raw(
            """
            ></script>
            </head>
            <body>
            <header class="top">
            <a class="skip" href="#folder">Skip to the folder</a>
            <p class="brand">Staithe</p>
            <div id="session"></div>
            </header>
            <p id="status" role="status" aria-live="polite" hidden></p>
            <noscript><p class="problem">Without JavaScript this page shows what can be read \
            without a token; use curl for the rest.</p></noscript>
            """);
  }

  /** Closes the body. */
  static void end(Markup page) throws IOException {
    page.raw("<ul id=\"uploads\" aria-label=\"Uploads\"></ul>\n</body>\n</html>\n");
  }
}
