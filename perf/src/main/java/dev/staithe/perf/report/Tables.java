package dev.staithe.perf.report;

/** What all tables of the page share. */
final class Tables {
  private Tables() {}

  /** The row of headings. */
  static void head(Markup page, String... headings) {
    page.open("thead").open("tr");
    for (String heading : headings) {
      page.element("th", heading, "scope", "col");
    }
    page.close().close();
  }
}
