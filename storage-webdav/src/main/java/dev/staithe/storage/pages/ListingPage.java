package dev.staithe.storage.pages;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The page that shows a folder to a browser, written while the folder is read: it holds some
 * kilobytes, whatever the number of entries. Order of calls: {@link #begin}, {@link #entry} for
 * each member in any order (the browser sorts), then {@link #end} or {@link #broken}.
 *
 * <p>Send it as {@code text/html;charset=utf-8} with a policy that allows scripts, styles, images
 * and connections of the same origin only; {@link PageAsset} has what it loads. For one thread.
 */
public final class ListingPage {
  private static final DateTimeFormatter MINUTES =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Markup page;

  /** Where the page goes. */
  @FunctionalInterface
  public interface Sink {
    /** Takes all of {@code bytes}, which the caller does not use again. */
    void write(ByteBuffer bytes) throws IOException;
  }

  /**
   * A step of the way from the root to this folder.
   *
   * @param name decoded, as a person reads it; untrusted
   * @param href path of a URL, percent-encoded
   */
  public record Crumb(String name, String href) {}

  /**
   * A member of the folder.
   *
   * @param name decoded; untrusted
   * @param href path of a URL, percent-encoded, ending in a slash for a folder
   * @param collection whether it is a folder
   * @param size bytes, or -1 where it is not told; ignored for a folder
   * @param modified last modification, or null where none is known
   * @param checksum {@code algorithm:value}, or null where none is kept
   */
  public record Entry(
      String name,
      String href,
      boolean collection,
      long size,
      @Nullable Instant modified,
      @Nullable String checksum) {}

  /**
   * What the reader may do here, so that only what can succeed is offered.
   *
   * @param create whether new files and folders may be made in this folder
   * @param modify whether entries may be replaced and deleted
   * @param freeBytes room left, or -1 where it is not told
   * @param usedBytes what the files of the whole area take, or -1 where it is not told
   */
  public record Options(boolean create, boolean modify, long freeBytes, long usedBytes) {
    /** Nothing but reading. */
    public static final Options READ_ONLY = new Options(false, false, -1);

    /** Without what is used. */
    public Options(boolean create, boolean modify, long freeBytes) {
      this(create, modify, freeBytes, -1);
    }
  }

  private ListingPage(Sink sink) {
    this.page = new Markup(sink);
  }

  /**
   * Writes all that comes before the entries, and hands it over at once so that the reader sees the
   * page before the folder has been read.
   *
   * @param crumbs from the root to this folder, which is the last; not empty
   */
  public static ListingPage begin(Sink sink, List<Crumb> crumbs, Options options)
      throws IOException {
    ListingPage listing = new ListingPage(sink);
    listing.head(crumbs, options);
    return listing;
  }

  private void head(List<Crumb> crumbs, Options options) throws IOException {
    PageShell.begin(page, crumbs.getLast().name());
    page.raw("<main id=\"folder\"")
        .attribute("data-href", crumbs.getLast().href())
        .attribute("data-create", Boolean.toString(options.create()))
        .attribute("data-modify", Boolean.toString(options.modify()))
        .raw(">\n<nav aria-label=\"Path\" class=\"crumbs\"><ol>");
    for (int i = 0; i < crumbs.size(); i++) {
      Crumb crumb = crumbs.get(i);
      boolean here = i == crumbs.size() - 1;
      page.raw(here ? "<li><a aria-current=\"page\"" : "<li><a")
          .attribute("href", crumb.href())
          .raw(">")
          .name(crumb.name())
          .raw("</a></li>");
    }
    page.raw("</ol></nav>\n");
    if (options.freeBytes() >= 0) {
      page.raw("<p class=\"space\"")
          .attribute("title", Sizes.exact(options.freeBytes()))
          .raw(">")
          .text(
              (options.usedBytes() < 0 ? "" : Sizes.human(options.usedBytes()) + " used, ")
                  + Sizes.human(options.freeBytes())
                  + " free")
          .raw("</p>\n");
    }
    page.raw(
        """
        <div id="tools" class="tools"></div>
        <table id="entries">
        <thead><tr>\
        <th scope="col" class="n" data-sort="name" aria-sort="none">Name</th>\
        <th scope="col" class="s" data-sort="size" aria-sort="none">Size</th>\
        <th scope="col" class="d" data-sort="time" aria-sort="none">Modified (UTC)</th>\
        <th scope="col" class="c">Checksum</th>\
        <th scope="col" class="a"><span class="unseen">Actions</span></th>\
        </tr></thead>
        <tbody>
        """);
    page.flush();
  }

  /** Writes one member. */
  public void entry(Entry entry) throws IOException {
    page.raw(entry.collection() ? "<tr class=\"folder\"" : "<tr class=\"file\"")
        .attribute("data-size", Long.toString(entry.collection() ? -1 : Math.max(0, entry.size())))
        .attribute(
            "data-time",
            entry.modified() == null ? "0" : Long.toString(entry.modified().toEpochMilli()))
        .raw("><td class=\"n\"><a")
        .attribute("href", entry.href())
        .raw(">")
        .name(entry.name())
        .raw("</a></td>");
    if (entry.collection() || entry.size() < 0) {
      page.raw("<td class=\"s\">–</td>");
    } else {
      page.raw("<td class=\"s\"")
          .attribute("title", Sizes.exact(entry.size()))
          .raw(">")
          .text(Sizes.human(entry.size()))
          .raw("</td>");
    }
    page.raw("<td class=\"d\">");
    if (entry.modified() != null) {
      page.raw("<time")
          .attribute("datetime", entry.modified().toString())
          .raw(">")
          .text(MINUTES.format(entry.modified()))
          .raw("</time>");
    }
    page.raw("</td><td class=\"c\">");
    if (entry.checksum() != null) {
      page.raw("<code")
          .attribute("title", entry.checksum())
          .raw(">")
          .text(shortened(entry.checksum()))
          .raw("</code>");
    }
    page.raw("</td><td class=\"a\"></td></tr>\n");
  }

  /** Ends the page of a folder that was read to its end. */
  public void end() throws IOException {
    end("");
  }

  /**
   * Ends the page of a folder that could not be read to its end, and says so.
   *
   * @param reason one line that is safe to show
   */
  public void broken(String reason) throws IOException {
    end(reason);
  }

  private void end(String reason) throws IOException {
    page.raw("</tbody>\n</table>\n");
    if (!reason.isEmpty()) {
      page.raw("<p class=\"problem\" role=\"alert\">This listing is not complete: ")
          .text(reason)
          .raw("</p>\n");
    }
    page.raw("</main>\n");
    PageShell.end(page);
    page.flush();
  }

  /** Adler-32 whole, longer values by their first characters; the title has all of it. */
  private static String shortened(String checksum) {
    int colon = checksum.indexOf(':');
    int shown = colon + 1 + 8;
    return shown < checksum.length() ? checksum.substring(0, shown) + "…" : checksum;
  }
}
