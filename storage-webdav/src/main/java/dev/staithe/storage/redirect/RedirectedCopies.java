package dev.staithe.storage.redirect;

import dev.staithe.storage.authz.Right;
import dev.staithe.storage.exchange.Exchange;
import dev.staithe.storage.exchange.Query;
import dev.staithe.storage.files.FileEntry;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;

/**
 * Third-party copies go to a data node (307) where the client is known to follow with all that it
 * has sent, or says so by {@code ?redirect}. What it sends along for the other side it then gives
 * to the node itself: the ticket has none of it. Safe for many threads.
 *
 * @param fromSize of a file that is pushed, in bytes; nobody knows one yet that is pulled
 * @param clients products, one of which the field {@code User-Agent} names
 */
record RedirectedCopies(SendingOn nodes, long fromSize, List<String> clients) {
  private static final String WISH = "redirect";

  /**
   * Sends a copy on that was judged here and would now begin.
   *
   * @param pull whether it writes here
   * @return false where nothing was answered
   */
  boolean send(Exchange exchange, boolean pull) throws IOException {
    if (!SendingOn.allowed(exchange) || !follows(exchange) || namesLocks(exchange)) {
      return false;
    }
    Set<Right> rights = pull ? SendingOn.toWrite(exchange) : toRead(exchange);
    Optional<URI> node = rights.isEmpty() ? Optional.empty() : nodes.next();
    return node.isPresent() && nodes.send(exchange, node.get(), rights);
  }

  private Set<Right> toRead(Exchange exchange) throws IOException {
    Optional<FileEntry> file = exchange.area().store().find(exchange.path());
    return file.isPresent() && file.get().size() >= fromSize
        ? EnumSet.of(Right.STAT, Right.READ)
        : Set.of();
  }

  /** This server knows its locks best. */
  private static boolean namesLocks(Exchange exchange) {
    return exchange.request().getHeaders().contains("If");
  }

  /** A library's name comes behind that of the program which uses it. */
  private boolean follows(Exchange exchange) {
    String agent = exchange.request().getHeaders().get(HttpHeader.USER_AGENT);
    return Query.of(exchange.request()).has(WISH)
        || agent != null
            && Arrays.stream(agent.split(" "))
                .map(product -> product.split("/", 2)[0])
                .anyMatch(clients::contains);
  }
}
