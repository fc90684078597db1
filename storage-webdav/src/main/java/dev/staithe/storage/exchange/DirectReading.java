package dev.staithe.storage.exchange;

import dev.staithe.storage.files.OpenFile;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;

/**
 * Sends those who read large files on to where the bytes lie (307, RFC 9110 section 15.4.8), after
 * all that is checked and described here. Only clients that are known to follow, and to leave their
 * token behind, or that say so by {@code ?redirect}.
 *
 * @param from size of a file that is worth it, in bytes
 * @param clients names of products, of which one is the first in the field {@code User-Agent}
 */
public record DirectReading(long from, List<String> clients) {
  /** How long an address is good for the beginning of an answer. */
  static final Duration LIFE = Duration.ofMinutes(5);

  private static final String WISH = "redirect";

  /** Takes a copy. */
  public DirectReading {
    clients = List.copyOf(clients);
  }

  /**
   * Answers a GET whose conditions hold, where the client may be sent on.
   *
   * @return false where nothing was answered
   */
  public boolean answer(Exchange exchange, OpenFile file, ByteRanges ranges) throws IOException {
    boolean several = ranges instanceof ByteRanges.Parts parts && parts.parts().size() > 1;
    if (several || file.entry().size() < from || !follows(exchange)) {
      return false;
    }
    HttpFields.Mutable headers = exchange.response().getHeaders();
    HttpField type = headers.getField(HttpHeader.CONTENT_TYPE);
    Optional<String> address = file.address(LIFE, type == null ? "" : type.getValue());
    if (address.isEmpty()) {
      return false;
    }
    headers.remove(HttpHeader.CONTENT_TYPE);
    headers.remove(HttpHeader.ACCEPT_RANGES);
    headers.put(HttpHeader.LOCATION, address.get());
    headers.put(HttpHeader.CACHE_CONTROL, "no-store");
    // The address is a right to read: whoever is asked next must not be told it.
    headers.put("Referrer-Policy", "no-referrer");
    exchange.reply(307);
    return true;
  }

  private boolean follows(Exchange exchange) {
    Query query = Query.of(exchange.request());
    if (query.has(Query.NO_REDIRECT)) {
      return false;
    }
    String agent = exchange.request().getHeaders().get(HttpHeader.USER_AGENT);
    return query.has(WISH) || agent != null && clients.contains(product(agent));
  }

  /** The name of the first one: what is before its version, or before the next. */
  private static String product(String agent) {
    int end = 0;
    while (end < agent.length() && agent.charAt(end) != '/' && agent.charAt(end) != ' ') {
      end++;
    }
    return agent.substring(0, end);
  }
}
