package dev.staithe.storage.redirect;

import dev.staithe.storage.authz.Admission;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.authz.TicketCaller;
import dev.staithe.storage.dav.DavMethod;
import dev.staithe.storage.dav.Exchange;
import dev.staithe.storage.dav.Locking;
import dev.staithe.storage.dav.Query;
import dev.staithe.storage.files.FileEntry;
import java.io.IOException;
import java.net.URI;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;

/**
 * GET and PUT of large files go to a data node (307, RFC 9110 section 15.4.8) where the caller may
 * and a node is there; all else is left to the method itself, refusals too.
 *
 * <p>An upload is redirected only where the client waits for {@code 100 Continue}: another has
 * begun to send its content. One in parts stays here, where its other parts come to as well, and
 * one that names locks, which this server knows best.
 */
final class RedirectedMethod implements DavMethod {
  private final DavMethod here;
  private final Tickets tickets;
  private final RedirectNodes nodes;
  private final Locking locking;
  private final long fromSize;

  /**
   * Redirects what {@code here} would answer.
   *
   * @param fromSize of the file, in bytes
   */
  RedirectedMethod(
      DavMethod here, Tickets tickets, RedirectNodes nodes, Locking locking, long fromSize) {
    this.here = here;
    this.tickets = tickets;
    this.nodes = nodes;
    this.locking = locking;
    this.fromSize = fromSize;
  }

  @Override
  public void handle(Exchange exchange) throws IOException {
    boolean mayGo =
        !(exchange.caller() instanceof TicketCaller)
            && !Query.of(exchange.request()).has(Query.NO_REDIRECT);
    Set<Right> rights =
        !mayGo
            ? Set.of()
            : switch (exchange.request().getMethod()) {
              case "GET" -> toRead(exchange);
              case "PUT" -> toWrite(exchange);
              default -> Set.of();
            };
    Optional<URI> node = rights.isEmpty() ? Optional.empty() : nodes.next();
    if (node.isEmpty()) {
      here.handle(exchange);
    } else if (!rights.contains(Right.CREATE)
        || locking.permits(exchange, exchange.path(), !isThere(exchange))) {
      send(exchange, node.get(), rights);
    }
  }

  private void send(Exchange exchange, URI node, Set<Right> rights) throws IOException {
    String path = exchange.href(exchange.path());
    String ticket =
        tickets.make(exchange.request().getMethod(), path, rights, exchange.caller().label());
    HttpFields.Mutable headers = exchange.response().getHeaders();
    headers.put(HttpHeader.LOCATION, node + path + "?" + Redirects.TICKET + "=" + ticket);
    headers.put(HttpHeader.CACHE_CONTROL, "no-store");
    exchange.reply(307);
  }

  private Set<Right> toRead(Exchange exchange) throws IOException {
    if (!may(exchange, Right.READ) || exchange.path().collectionForm()) {
      return Set.of();
    }
    Optional<FileEntry> file = exchange.area().store().find(exchange.path());
    return file.isPresent() && !file.get().collection() && file.get().size() >= fromSize
        ? EnumSet.of(Right.STAT, Right.READ)
        : Set.of();
  }

  private Set<Right> toWrite(Exchange exchange) {
    HttpFields headers = exchange.request().getHeaders();
    if (exchange.length() < fromSize
        || exchange.path().isRoot()
        || exchange.path().collectionForm()
        || !headers.contains(HttpHeader.EXPECT, "100-continue")
        || headers.contains(HttpHeader.CONTENT_RANGE)
        || headers.contains("If")
        || headers.contains("Upload-Complete")) {
      return Set.of();
    }
    if (may(exchange, Right.MODIFY)) {
      return EnumSet.of(Right.STAT, Right.CREATE, Right.MODIFY);
    }
    return may(exchange, Right.CREATE) ? EnumSet.of(Right.STAT, Right.CREATE) : Set.of();
  }

  private static boolean may(Exchange exchange, Right right) {
    return exchange.admission(exchange.path(), right) instanceof Admission.Allowed;
  }

  private static boolean isThere(Exchange exchange) throws IOException {
    return exchange.area().store().find(exchange.path()).isPresent();
  }
}
