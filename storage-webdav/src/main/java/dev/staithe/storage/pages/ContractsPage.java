package dev.staithe.storage.pages;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Transfers under contract, for the people who run the server. Stateless. */
public final class ContractsPage {
  /**
   * What there is to be seen.
   *
   * @param origin by which partners know this host
   * @param properties that it states, by name
   * @param signed until when they are signed, and from when on they are signed anew
   * @param open contracts that nobody acknowledged, by partner
   * @param untold transfers whose sender is still to be told
   * @param refusals since the start, by what was wrong
   * @param failed messages since the start whose signature was not good
   * @param log of this host
   * @param partners whose logs are watched
   */
  public record View(
      String origin,
      Map<String, String> properties,
      String signed,
      List<Open> open,
      long untold,
      Map<String, Long> refusals,
      long failed,
      Log log,
      List<Partner> partners) {}

  /**
   * What one partner has not acknowledged.
   *
   * @param peer {@code host:port}, or a person's name
   * @param count of its contracts
   * @param oldest when the first of them began
   */
  public record Open(String peer, long count, String oldest) {}

  /**
   * The log of this host.
   *
   * @param name its address without the scheme
   * @param entries that it has
   * @param bytes that they take
   * @param root of its checkpoint, in Base64
   */
  public record Log(String name, long entries, long bytes, String root) {}

  /**
   * A partner's log.
   *
   * @param host as {@code b.example:8443}
   * @param entries when it was last as it should be
   * @param seen when that was
   * @param against why it is distrusted; empty: it is not
   */
  public record Partner(String host, long entries, String seen, String against) {}

  private ContractsPage() {}

  /** HTML in UTF-8. */
  public static byte[] html(View view) {
    return PageShell.page(
        "Contracts",
        page -> {
          page.raw("<main id=\"folder\">\n<h1>Contracts</h1>\n");
          open(page, view);
          partners(page, view.partners());
          refusals(page, view);
          log(page, view.log());
          host(page, view);
          page.raw("</main>\n");
        });
  }

  private static void open(Markup page, View view) throws IOException {
    page.raw("<h2>Not acknowledged</h2>\n");
    if (view.open().isEmpty()) {
      page.raw("<p class=\"note\">Everything that was sent is acknowledged.</p>\n");
    } else {
      table(page, "open", "Partner", "Open", "Oldest");
      for (Open each : view.open()) {
        row(page, each.peer(), "" + each.count(), each.oldest());
      }
      page.raw("</tbody>\n</table>\n");
    }
    page.raw("<p class=\"note\">Transfers whose sender this host still has to tell: ")
        .text("" + view.untold())
        .raw("</p>\n");
  }

  private static void partners(Markup page, List<Partner> partners) throws IOException {
    page.raw("<h2>Logs of partners</h2>\n");
    if (partners.isEmpty()) {
      page.raw("<p class=\"note\">None was looked at yet.</p>\n");
      return;
    }
    table(page, "partners", "Partner", "Entries", "Last as it should be", "Now");
    for (Partner each : partners) {
      boolean good = each.against().isEmpty();
      row(
          page,
          each.host(),
          "" + each.entries(),
          each.seen(),
          good ? "grows as it should" : "inconsistent: " + each.against());
    }
    page.raw("</tbody>\n</table>\n");
  }

  private static void refusals(Markup page, View view) throws IOException {
    page.raw("<h2>Refused since the start</h2>\n");
    table(page, "refusals", "What was wrong", "Requests");
    for (Map.Entry<String, Long> each : view.refusals().entrySet()) {
      row(page, each.getKey(), "" + each.getValue());
    }
    row(page, "messages whose signature is not good", "" + view.failed());
    page.raw("</tbody>\n</table>\n");
  }

  private static void log(Markup page, Log log) throws IOException {
    page.raw("<h2>Log</h2>\n");
    table(page, "log", "Log", "Entries", "Size", "Root of the checkpoint");
    row(page, log.name(), "" + log.entries(), Sizes.human(log.bytes()), log.root());
    page.raw("</tbody>\n</table>\n");
  }

  private static void host(Markup page, View view) throws IOException {
    page.raw("<h2>What this host says of itself</h2>\n");
    table(page, "host", "Property", "Value");
    row(page, "origin", view.origin());
    for (Map.Entry<String, String> each : view.properties().entrySet()) {
      row(page, each.getKey(), each.getValue());
    }
    row(page, "signed", view.signed());
    page.raw("</tbody>\n</table>\n");
  }

  private static void table(Markup page, String id, String... headings) throws IOException {
    page.raw("<table").attribute("id", id).raw(">\n<thead><tr>");
    for (String heading : headings) {
      page.raw("<th scope=\"col\">").text(heading).raw("</th>");
    }
    page.raw("</tr></thead>\n<tbody>\n");
  }

  private static void row(Markup page, String... cells) throws IOException {
    page.raw("<tr>");
    for (String cell : cells) {
      page.raw("<td>").name(cell).raw("</td>");
    }
    page.raw("</tr>\n");
  }
}
