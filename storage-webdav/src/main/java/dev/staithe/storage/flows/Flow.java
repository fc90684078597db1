package dev.staithe.storage.flows;

import java.net.InetSocketAddress;
import java.util.function.LongSupplier;

/**
 * A TCP connection while it carries a file.
 *
 * @param tag what it is for
 * @param local our end
 * @param remote the other end
 * @param outgoing whether the file goes out of here: the source of a flow is who sends the data
 * @param received bytes that came in so far; asked from several threads
 * @param sent bytes that went out so far; asked from several threads
 */
public record Flow(
    SciTag tag,
    InetSocketAddress local,
    InetSocketAddress remote,
    boolean outgoing,
    LongSupplier received,
    LongSupplier sent) {
  InetSocketAddress source() {
    return outgoing ? local : remote;
  }

  InetSocketAddress destination() {
    return outgoing ? remote : local;
  }
}
