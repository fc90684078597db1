package dev.staithe.storage.dav;

import dev.staithe.storage.exchange.Exchange;
import dev.staithe.storage.exchange.XmlOut;
import dev.staithe.storage.locks.LockTable;
import java.io.IOException;
import java.time.Duration;

/** The {@code activelock} element (RFC 4918 section 14.1). */
final class LockXml {
  private LockXml() {}

  static void activeLock(XmlOut out, Exchange exchange, LockTable.Lock lock, Duration left)
      throws IOException {
    out.markup("<D:activelock><D:locktype><D:write/></D:locktype><D:lockscope>")
        .markup(lock.exclusive() ? "<D:exclusive/>" : "<D:shared/>")
        .markup("</D:lockscope><D:depth>")
        .markup(lock.deep() ? "infinity" : "0")
        .markup("</D:depth>")
        .stored(lock.owner())
        .markup("<D:timeout>Second-")
        .markup(Long.toString(Math.max(1, left.toSeconds())))
        .markup("</D:timeout>");
    // A token is a credential of sorts: it is shown to its holder only.
    if (lock.holder().equals(exchange.caller().label())) {
      out.markup("<D:locktoken><D:href>").markup(lock.token()).markup("</D:href></D:locktoken>");
    }
    out.markup("<D:lockroot><D:href>")
        .text(exchange.href(lock.deep() ? lock.root().asCollection(true) : lock.root()))
        .markup("</D:href></D:lockroot></D:activelock>");
  }
}
