package dev.staithe.storage.contracts;

import dev.staithe.storage.exchange.Exchange;
import java.io.IOException;

/** Where else a file that is offered had better go: to a data node. Safe for many threads. */
@FunctionalInterface
public interface OfferElsewhere {
  /**
   * Sends an offer on by who may write there. Its signature was not looked at: it is for this host,
   * and whoever is sent on makes another.
   *
   * @param size that is offered, in bytes
   * @param signer {@code host:port} that offers, a partner, as it says
   * @return false where nothing was answered
   */
  boolean send(Exchange exchange, long size, String signer) throws IOException;
}
