package dev.staithe.storage.redirect;

import dev.staithe.storage.authz.Right;
import dev.staithe.storage.exchange.DavMethod;
import dev.staithe.storage.exchange.Exchange;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.locks.Locking;
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
 * begun to send its content. One in parts stays here, where its other parts come to as well, one
 * that names locks, which this server knows best, and one under contract, whose offer was taken
 * here.
 */
final class RedirectedMethod implements DavMethod {
  private final DavMethod here;
  private final SendingOn nodes;
  private final Locking locking;
  private final long fromSize;

  /**
   * Redirects what {@code here} would answer.
   *
   * @param fromSize of the file, in bytes
   */
  RedirectedMethod(DavMethod here, SendingOn nodes, Locking locking, long fromSize) {
    this.here = here;
    this.nodes = nodes;
    this.locking = locking;
    this.fromSize = fromSize;
  }

  @Override
  public void handle(Exchange exchange) throws IOException {
    Set<Right> rights =
        !SendingOn.allowed(exchange)
            ? Set.of()
            : switch (exchange.request().getMethod()) {
              case "GET" -> toRead(exchange);
              case "PUT" -> toWrite(exchange);
              default -> Set.of();
            };
    Optional<URI> node = rights.isEmpty() ? Optional.empty() : nodes.next();
    if (node.isPresent()
        && rights.contains(Right.CREATE)
        && !locking.permits(exchange, exchange.path(), !isThere(exchange))) {
      return; // The refusal is on its way.
    }
    if (node.isEmpty() || !nodes.send(exchange, node.get(), rights)) {
      here.handle(exchange);
    }
  }

  private Set<Right> toRead(Exchange exchange) throws IOException {
    if (!SendingOn.may(exchange, Right.READ) || exchange.path().collectionForm()) {
      return Set.of();
    }
    Optional<FileEntry> file = exchange.area().store().find(exchange.path());
    return file.isPresent() && !file.get().collection() && file.get().size() >= fromSize
        ? EnumSet.of(Right.STAT, Right.READ)
        : Set.of();
  }

  private Set<Right> toWrite(Exchange exchange) {
    HttpFields headers = exchange.request().getHeaders();
    return exchange.length() < fromSize
            || exchange.path().isRoot()
            || exchange.path().collectionForm()
            || !headers.contains(HttpHeader.EXPECT, "100-continue")
            || headers.contains(HttpHeader.CONTENT_RANGE)
            || headers.contains("If")
            || headers.contains("Contract")
            || headers.contains("Upload-Complete")
        ? Set.of()
        : SendingOn.toWrite(exchange);
  }

  private static boolean isThere(Exchange exchange) throws IOException {
    return exchange.area().store().find(exchange.path()).isPresent();
  }
}
