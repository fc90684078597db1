package dev.staithe.service.http;

import dev.staithe.service.Networks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.IO;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one address from holding all connections: one beyond its share is closed as it comes,
 * before a byte of it is read. Of IPv6 the first 64 bits count, of which one client may have all
 * addresses (RFC 6177). Trusted proxies, behind which many clients are, have no share. Thread-safe.
 */
public final class AddressShare implements SelectorManager.AcceptListener, Connection.Listener {
  private static final Logger log = LoggerFactory.getLogger(AddressShare.class);
  private static final int NETWORK_BYTES = 8;

  private final int share;
  private final Networks trustedProxies;
  private final ConnectionCounts counts;
  private final Map<SelectableChannel, InetAddress> held = new HashMap<>();
  private final Map<InetAddress, AddressCount> byAddress = new HashMap<>();

  /** What one address has. */
  private static final class AddressCount {
    private int connections;
    private boolean told;
  }

  /** Allows each address so many at once. */
  AddressShare(int share, Networks trustedProxies, ConnectionCounts counts) {
    this.share = share;
    this.trustedProxies = trustedProxies;
    this.counts = counts;
  }

  /**
   * Keeps the clients of a connector so that is beside the service's own, and is not counted.
   *
   * @param share of one address at once, positive
   */
  public static void of(ServerConnector connector, int share, Networks trustedProxies) {
    connector.addBean(new AddressShare(share, trustedProxies, new ConnectionCounts()));
  }

  @Override
  public void onAccepting(SelectableChannel channel) {
    InetAddress address = counted(channel);
    if (address != null && !take(channel, address)) {
      counts.refused();
      IO.close(channel);
    }
  }

  private @Nullable InetAddress counted(SelectableChannel channel) {
    try {
      return channel instanceof SocketChannel socket
              && socket.getRemoteAddress() instanceof InetSocketAddress remote
              && !trustedProxies.contains(remote.getAddress())
          ? network(remote.getAddress())
          : null;
    } catch (IOException gone) {
      return null;
    }
  }

  private static InetAddress network(InetAddress address) throws UnknownHostException {
    byte[] bytes = address.getAddress();
    if (bytes.length > NETWORK_BYTES) {
      Arrays.fill(bytes, NETWORK_BYTES, bytes.length, (byte) 0);
    }
    return InetAddress.getByAddress(bytes);
  }

  private synchronized boolean take(SelectableChannel channel, InetAddress address) {
    AddressCount own = byAddress.computeIfAbsent(address, none -> new AddressCount());
    if (own.connections >= share) {
      if (!own.told) {
        own.told = true;
        log.warn(
            "{} has {} connections open, its share (limits.connections-per-address): further ones"
                + " are closed",
            address.getHostAddress(),
            share);
      }
      return false;
    }
    own.connections++;
    held.put(channel, address);
    return true;
  }

  private synchronized void give(@Nullable Object channel) {
    InetAddress address = held.remove(channel);
    if (address != null) {
      byAddress.computeIfPresent(address, (same, own) -> --own.connections > 0 ? own : null);
    }
  }

  @Override
  public void onAcceptFailed(SelectableChannel channel, Throwable cause) {
    give(channel);
  }

  /** Told of each layer of a connection; the lowest is the last. */
  @Override
  public void onClosed(Connection connection) {
    if (connection.getEndPoint() instanceof SocketChannelEndPoint lowest) {
      give(lowest.getTransport());
    }
  }
}
