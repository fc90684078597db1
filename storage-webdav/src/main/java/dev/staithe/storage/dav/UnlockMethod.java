package dev.staithe.storage.dav;

import dev.staithe.storage.exchange.DavMethod;
import dev.staithe.storage.exchange.Exchange;
import dev.staithe.storage.locks.LockTable.Lock;
import dev.staithe.storage.locks.Locking;
import java.io.IOException;
import java.util.Optional;

/** UNLOCK (RFC 4918 section 9.11). */
public final class UnlockMethod implements DavMethod {
  private final Locking locking;

  /** Ends the locks kept there. */
  public UnlockMethod(Locking locking) {
    this.locking = locking;
  }

  @Override
  public void handle(Exchange exchange) throws IOException {
    if (!exchange.admitted(exchange.admissionToOwnLock(exchange.path()))) {
      return;
    }
    String header = exchange.header("Lock-Token");
    if (header == null || !header.trim().matches("<[^<>]+>")) {
      exchange.refuse(400, "the Lock-Token header is missing or has no <token>");
      return;
    }
    String token = header.trim().substring(1, header.trim().length() - 1);
    locking.table(exchange).look();
    Optional<Lock> lock =
        locking.covering(exchange, exchange.path()).stream()
            .filter(l -> l.token().equals(token))
            .findFirst();
    if (lock.isEmpty()) {
      exchange.refuse(409, "the path has no lock with that token");
      return;
    }
    if (!lock.get().holder().equals(exchange.caller().label())) {
      exchange.refuse(403, "the lock is another's");
      return;
    }
    locking.table(exchange).release(token);
    exchange.reply(204);
  }
}
