package dev.staithe.storage.pages;

import java.io.IOException;
import java.util.List;

/** Third-party copies for people: a row for each, which the page's script renews. Stateless. */
public final class TransfersPage {
  /**
   * One copy.
   *
   * @param href where it is told of and cancelled; empty where the reader may not cancel it
   * @param state or how it ended
   * @param path of the file here
   * @param pull whether the file comes
   * @param remote the other end
   * @param bytes moved
   * @param size of the file, -1 where nobody knows
   * @param rate bytes a second
   * @param why what it waits for, or why it failed
   */
  public record Row(
      String href,
      String state,
      String path,
      boolean pull,
      String remote,
      long bytes,
      long size,
      long rate,
      String why) {}

  private TransfersPage() {}

  /** HTML in UTF-8. */
  public static byte[] html(List<Row> rows) {
    return PageShell.page(
        "Transfers",
        page -> {
          page.raw("<main id=\"folder\" data-transfers=\"true\">\n<h1>Transfers</h1>\n");
          if (rows.isEmpty()) {
            page.raw("<p class=\"note\">No third-party copy that you may see.</p>\n");
          } else {
            table(page, rows);
          }
          page.raw("</main>\n");
        });
  }

  private static void table(Markup page, List<Row> rows) throws IOException {
    page.raw(
        """
        <table id="transfers">
        <thead><tr><th scope="col" class="n">File</th><th scope="col" class="s">Moved</th>\
        <th scope="col" class="s">Rate</th><th scope="col" class="d">State</th>\
        <th scope="col">Why</th><th scope="col" class="x"><span class="unseen">Cancel</span></th>\
        </tr></thead>
        <tbody>
        """);
    for (Row row : rows) {
      page.raw("<tr")
          .attribute("data-cancel", row.href())
          .raw("><td class=\"n\">")
          .name(row.path())
          .raw("<br><small>")
          .text(row.pull() ? "from " : "to ")
          .name(row.remote())
          .raw("</small></td><td class=\"s\"")
          .attribute("title", Sizes.exact(row.bytes()))
          .raw(">")
          .text(moved(row))
          .raw("</td><td class=\"s\">")
          .text(Sizes.human(row.rate()) + "/s")
          .raw("</td><td class=\"d\">")
          .text(row.state())
          .raw("</td><td>")
          .text(row.why())
          .raw("</td><td class=\"x\"></td></tr>\n");
    }
    page.raw("</tbody>\n</table>\n");
  }

  private static String moved(Row row) {
    return row.size() > 0
        ? (long) (row.bytes() * 100.0 / row.size()) + "% of " + Sizes.human(row.size())
        : Sizes.human(row.bytes());
  }
}
