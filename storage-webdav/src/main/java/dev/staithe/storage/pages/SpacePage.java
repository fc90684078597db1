package dev.staithe.storage.pages;

import java.io.IOException;
import java.util.List;

/** What the files of each area take, for the people who run the server. Stateless. */
public final class SpacePage {
  /**
   * One area.
   *
   * @param name of the area
   * @param used bytes that its files take
   * @param total bytes that they may take, by its quota or the file system
   * @param files how many there are
   * @param soft bytes from which on operators are warned, -1 where there is no such quota
   */
  public record Row(String name, long used, long total, long files, long soft) {
    boolean isAboveSoft() {
      return soft >= 0 && used > soft;
    }
  }

  private SpacePage() {}

  /** HTML in UTF-8. */
  public static byte[] html(List<Row> rows) {
    return PageShell.page(
        "Space",
        page -> {
          page.raw(
              """
              <main id="folder">
              <h1>Space</h1>
              <table id="space">
              <thead><tr><th scope="col" class="n">Area</th><th scope="col" class="s">Used</th>\
              <th scope="col" class="s">Total</th><th scope="col" class="s">Files</th>\
              <th scope="col" class="s">Soft quota</th></tr></thead>
              <tbody>
              """);
          for (Row row : rows) {
            page.raw("<tr><td class=\"n\">").name(row.name()).raw("</td>");
            size(page, row.used());
            size(page, row.total());
            page.raw("<td class=\"s\">").text("" + row.files()).raw("</td>");
            if (row.soft() < 0) {
              page.raw("<td class=\"s\">none</td>");
            } else {
              page.raw("<td class=\"s\"")
                  .attribute("title", Sizes.exact(row.soft()))
                  .raw(">")
                  .text(Sizes.human(row.soft()) + (row.isAboveSoft() ? ", exceeded" : ""))
                  .raw("</td>");
            }
            page.raw("</tr>\n");
          }
          page.raw("</tbody>\n</table>\n</main>\n");
        });
  }

  private static void size(Markup page, long bytes) throws IOException {
    page.raw("<td class=\"s\"")
        .attribute("title", Sizes.exact(bytes))
        .raw(">")
        .text(Sizes.human(bytes))
        .raw("</td>");
  }
}
