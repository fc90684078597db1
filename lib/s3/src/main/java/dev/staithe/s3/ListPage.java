package dev.staithe.s3;

import java.time.Instant;
import java.util.List;

/**
 * A part of a listing, in the order of the keys' bytes.
 *
 * @param entries objects
 * @param prefixes of objects that lie behind a further slash, with that slash
 * @param next what the listing goes on from; empty at its end
 */
public record ListPage(List<Entry> entries, List<String> prefixes, String next) {
  /**
   * An object of a listing.
   *
   * @param key whole
   * @param size bytes
   * @param modified when it was stored, to the precision of the engine
   * @param etag with its quotes
   */
  public record Entry(String key, long size, Instant modified, String etag) {
    Entry named(String name) {
      return new Entry(name, size, modified, etag);
    }
  }

  /** Takes copies. */
  public ListPage {
    entries = List.copyOf(entries);
    prefixes = List.copyOf(prefixes);
  }
}
