package dev.staithe.storage.redirect;

import dev.staithe.storage.authz.Right;
import dev.staithe.storage.exchange.Exchange;
import dev.staithe.storage.locks.Locking;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.Set;

/**
 * Offers of large files under contract go to a data node (307): a contract is with the host that
 * gets the bytes, so that offer and PUT both are made there. Safe for many threads.
 *
 * @param fromSize of the file, in bytes
 */
record RedirectedOffers(SendingOn nodes, Locking locking, long fromSize) {
  /**
   * Sends an offer on whose PUT would be taken here.
   *
   * @param size that is offered, in bytes
   * @param signer {@code host:port} that offers, as it says
   * @return false where nothing was answered
   */
  boolean send(Exchange exchange, long size, String signer) throws IOException {
    if (!SendingOn.allowed(exchange)
        || size < fromSize
        || exchange.path().isRoot()
        || exchange.path().collectionForm()
        || exchange.request().getHeaders().contains("If")) {
      return false;
    }
    Set<Right> rights = SendingOn.toWrite(exchange.judgedAs("PUT"));
    Optional<URI> node = rights.isEmpty() ? Optional.empty() : nodes.next();
    if (node.isEmpty()) {
      return false;
    }
    boolean isThere = exchange.area().store().find(exchange.path()).isPresent();
    return !locking.permits(exchange, exchange.path(), !isThere)
        || nodes.send(exchange, node.get(), rights, signer);
  }
}
