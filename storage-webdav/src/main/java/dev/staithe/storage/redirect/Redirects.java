package dev.staithe.storage.redirect;

import dev.staithe.storage.authz.Identification;
import dev.staithe.storage.dav.DavHandler;
import dev.staithe.storage.dav.DavMethod;
import dev.staithe.storage.dav.Exchange;
import dev.staithe.storage.dav.Locking;
import dev.staithe.storage.dav.Query;
import dev.staithe.storage.files.StoragePath;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** What a node does about redirects: hands out tickets as a head, takes them, both, or neither. */
public final class Redirects implements AutoCloseable {
  /** Neither. */
  public static final Redirects NONE = new Redirects(null, null, 0, List.of());

  /** The parameter that holds a ticket. */
  static final String TICKET = "ticket";

  private final @Nullable Tickets tickets;
  private final @Nullable SendingOn nodes;
  private final long fromSize;
  private final List<String> copyClients;

  private Redirects(
      @Nullable Tickets tickets,
      @Nullable SendingOn nodes,
      long fromSize,
      List<String> copyClients) {
    this.tickets = tickets;
    this.nodes = nodes;
    this.fromSize = fromSize;
    this.copyClients = copyClients;
  }

  /**
   * Takes tickets, and hands them out where there are nodes.
   *
   * @param key that all nodes share, 32 bytes or more
   * @param nodes each {@code https://host:port}; none: this is no head
   * @param fromSize of files that are worth a redirect, in bytes
   * @param copyClients products that follow a redirect of COPY
   * @param period between two questions to a node whether it is well
   * @param tls to ask the nodes
   * @throws IllegalArgumentException where the key is too short
   */
  public static Redirects of(
      byte[] key,
      List<URI> nodes,
      long fromSize,
      List<String> copyClients,
      Duration period,
      SSLContext tls,
      Clock clock) {
    Tickets tickets = new Tickets(key, clock);
    SendingOn sending =
        nodes.isEmpty() ? null : new SendingOn(tickets, new RedirectNodes(nodes, tls, period));
    return new Redirects(tickets, sending, fromSize, List.copyOf(copyClients));
  }

  /** Puts redirects before the method. */
  public DavMethod before(DavMethod method, Locking locking) {
    return nodes == null ? method : new RedirectedMethod(method, nodes, locking, fromSize);
  }

  /**
   * Sends a third-party copy on that was judged here and would now begin.
   *
   * @param pull whether it writes here
   * @return false where nothing was answered
   */
  public boolean sendCopy(Exchange exchange, boolean pull) throws IOException {
    return nodes != null && new RedirectedCopies(nodes, fromSize, copyClients).send(exchange, pull);
  }

  /** Lets tickets in; everybody else goes to {@code tokens}. */
  public DavHandler.Door before(DavHandler.Door tokens) {
    Tickets taken = tickets;
    return taken == null
        ? tokens
        : (request, path) ->
            path == null || !Query.of(request).has(TICKET)
                ? tokens.identify(request, path)
                : identify(taken, request, path);
  }

  private static Identification identify(Tickets tickets, Request request, StoragePath path) {
    List<String> presented = Query.of(request).all(TICKET);
    return presented.size() == 1
        ? tickets.take(
            presented.getFirst(), request.getMethod(), request.getHttpURI().getPath(), path)
        : new Identification.Refused("there is not one ticket");
  }

  /** Asks the nodes no more. */
  @Override
  public void close() {
    if (nodes != null) {
      nodes.nodes().close();
    }
  }
}
