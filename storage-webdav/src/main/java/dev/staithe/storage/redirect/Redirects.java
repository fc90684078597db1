package dev.staithe.storage.redirect;

import dev.staithe.storage.authz.ContractNeed;
import dev.staithe.storage.authz.Identification;
import dev.staithe.storage.authz.TicketCaller;
import dev.staithe.storage.dav.DavHandler;
import dev.staithe.storage.exchange.DavMethod;
import dev.staithe.storage.exchange.Exchange;
import dev.staithe.storage.exchange.Query;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.locks.Locking;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a node does about redirects: hands out tickets as a head, takes them, both, or neither. */
public final class Redirects implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Redirects.class);

  /** Neither. */
  public static final Redirects NONE = new Redirects(null, null, 0, List.of(), Map.of());

  /** The parameter that holds a ticket. */
  static final String TICKET = "ticket";

  private final @Nullable Tickets tickets;
  private final @Nullable SendingOn nodes;
  private final long fromSize;
  private final List<String> copyClients;
  private final Map<String, ContractNeed> needs;

  private Redirects(
      @Nullable Tickets tickets,
      @Nullable SendingOn nodes,
      long fromSize,
      List<String> copyClients,
      Map<String, ContractNeed> needs) {
    this.tickets = tickets;
    this.nodes = nodes;
    this.fromSize = fromSize;
    this.copyClients = copyClients;
    this.needs = needs;
  }

  /**
   * Takes tickets, and hands them out where there are nodes.
   *
   * @param key that all nodes share, 32 bytes or more
   * @param nodes each {@code https://host:port}; none: this is no head
   * @param fromSize of files that are worth a redirect, in bytes
   * @param copyClients products that follow a redirect of COPY
   * @param needs of areas here whose files move under contract only, by their names
   * @param period between two questions to a node whether it is well
   * @param tls to ask the nodes
   * @throws IllegalArgumentException where the key is too short
   */
  public static Redirects of(
      byte[] key,
      List<URI> nodes,
      long fromSize,
      List<String> copyClients,
      Map<String, ContractNeed> needs,
      Duration period,
      SSLContext tls,
      Clock clock) {
    Tickets tickets = new Tickets(key, clock);
    SendingOn sending =
        nodes.isEmpty()
            ? null
            : new SendingOn(tickets, new RedirectNodes(nodes, tls, period), Map.copyOf(needs));
    return new Redirects(tickets, sending, fromSize, List.copyOf(copyClients), Map.copyOf(needs));
  }

  /** Whether this server sends clients on. */
  public boolean head() {
    return nodes != null;
  }

  /** Puts redirects before the method. */
  public DavMethod before(DavMethod method, Locking locking) {
    return nodes == null ? method : new RedirectedMethod(method, nodes, locking, fromSize);
  }

  /**
   * Takes a ticket of an area whose files move under contract only, as the head has it, only where
   * that holds here too: else the ticket would be the way out without one.
   */
  public DavMethod guarded(DavMethod method) {
    return tickets == null ? method : exchange -> guard(exchange, method);
  }

  private void guard(Exchange exchange, DavMethod method) throws IOException {
    String area = exchange.area().name();
    if (exchange.caller() instanceof TicketCaller ticket
        && !ticket.signer().isEmpty()
        && exchange.request().getMethod().equals("PUT")
        && exchange.header("Contract") == null) {
      exchange.refuse(403, "the ticket is for a file that comes by contract");
    } else if (exchange.caller() instanceof TicketCaller ticket
        && !needs.getOrDefault(area, ContractNeed.NONE).covers(ticket.need())) {
      boolean attested = ticket.need() == ContractNeed.ATTESTED && needs.containsKey(area);
      log.warn(
          "area {} requires {} at the head, and does not here: nothing moves",
          area,
          attested ? "attested hosts" : "contracts");
      exchange.refuse(
          403,
          attested
              ? "files of this area go to attested hosts only, and this node knows none"
              : "files of this area move by contract only, and this node has none");
    } else {
      method.handle(exchange);
    }
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

  /**
   * Sends an offer of a file on whose PUT would be taken here.
   *
   * @param size that is offered, in bytes
   * @param signer {@code host:port} that offers, as it says
   * @return false where nothing was answered
   */
  public boolean sendOffer(Exchange exchange, Locking locking, long size, String signer)
      throws IOException {
    return nodes != null
        && new RedirectedOffers(nodes, locking, fromSize).send(exchange, size, signer);
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
