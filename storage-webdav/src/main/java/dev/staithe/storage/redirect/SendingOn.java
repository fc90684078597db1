package dev.staithe.storage.redirect;

import dev.staithe.storage.authz.Admission;
import dev.staithe.storage.authz.ContractNeed;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.authz.TicketCaller;
import dev.staithe.storage.exchange.Exchange;
import dev.staithe.storage.exchange.Query;
import java.io.IOException;
import java.net.URI;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;

/**
 * Sends a request on to a data node by a ticket (307). Safe for many threads.
 *
 * @param needs of areas whose files move under contract only, by their names
 */
record SendingOn(Tickets tickets, RedirectNodes nodes, Map<String, ContractNeed> needs) {
  /** Whether a request may go at all: not one that was sent here, nor one that wants to stay. */
  static boolean allowed(Exchange exchange) {
    return !(exchange.caller() instanceof TicketCaller)
        && !Query.of(exchange.request()).has(Query.NO_REDIRECT);
  }

  static boolean may(Exchange exchange, Right right) {
    return exchange.admission(exchange.path(), right) instanceof Admission.Allowed;
  }

  /** What the caller may who makes or replaces a file; empty: neither. */
  static Set<Right> toWrite(Exchange exchange) {
    if (may(exchange, Right.MODIFY)) {
      return EnumSet.of(Right.STAT, Right.CREATE, Right.MODIFY);
    }
    return may(exchange, Right.CREATE) ? EnumSet.of(Right.STAT, Right.CREATE) : Set.of();
  }

  /** The node whose turn it is; none where none is well. */
  Optional<URI> next() {
    return nodes.next();
  }

  /**
   * Answers by a ticket for the same method at the same path of that node.
   *
   * @return false where nothing was answered: the ticket would be longer than a node takes
   */
  boolean send(Exchange exchange, URI node, Set<Right> rights) throws IOException {
    return send(exchange, node, rights, "");
  }

  /**
   * The same.
   *
   * @param signer who offers a file, and alone may by the ticket; empty: this is no offer
   */
  boolean send(Exchange exchange, URI node, Set<Right> rights, String signer) throws IOException {
    String path = exchange.href(exchange.path());
    String ticket =
        tickets.make(
            exchange.request().getMethod(),
            path,
            rights,
            needs.getOrDefault(exchange.area().name(), ContractNeed.NONE),
            signer,
            exchange.caller());
    if (!Tickets.takes(ticket)) {
      return false;
    }
    HttpFields.Mutable headers = exchange.response().getHeaders();
    headers.put(HttpHeader.LOCATION, node + path + "?" + Redirects.TICKET + "=" + ticket);
    headers.put(HttpHeader.CACHE_CONTROL, "no-store");
    exchange.reply(307);
    return true;
  }
}
