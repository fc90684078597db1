package dev.staithe.storage.remote;

import dev.staithe.http.HostLookUp;
import dev.staithe.http.HttpFailure;
import dev.staithe.service.Networks;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Decides which addresses a copy may connect to, so that a client cannot make this server talk to
 * machines that only the server reaches (server-side request forgery). It is asked right before
 * each connection, redirects included, and hands out the very addresses to connect to, so that a
 * name which resolves differently a moment later gains nothing. Safe for use by many threads.
 */
public final class RemoteGuard {
  /**
   * What is not the public internet (RFC 6890 and its registries), and the IPv6 forms that carry an
   * IPv4 address inside: compatible, translated, NAT64, 6to4, Teredo.
   */
  private static final Networks SPECIAL =
      Networks.parse(
          List.of(
              "0.0.0.0/8",
              "10.0.0.0/8",
              "100.64.0.0/10",
              "127.0.0.0/8",
              "169.254.0.0/16",
              "172.16.0.0/12",
              "192.0.0.0/24",
              "192.0.2.0/24",
              "192.88.99.0/24",
              "192.168.0.0/16",
              "198.18.0.0/15",
              "198.51.100.0/24",
              "203.0.113.0/24",
              "224.0.0.0/4",
              "240.0.0.0/4",
              "::/96",
              "::ffff:0:0:0/96",
              "64:ff9b::/96",
              "64:ff9b:1::/48",
              "100::/64",
              "100:0:0:1::/64",
              "2001::/32",
              "2001:2::/48",
              "2001:10::/28",
              "2001:db8::/32",
              "2002::/16",
              "3fff::/20",
              "5f00::/16",
              "fc00::/7",
              "fe80::/10",
              "fec0::/10",
              "ff00::/8"));

  /** A name may have thousands, none of which answers; each would get its time. */
  private static final int MOST_ADDRESSES = 16;

  /** The system gives up long before. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final Networks allowed;
  private final IntPredicate ownPort;
  private final HostLookUp.Resolver resolver;

  /**
   * Makes a guard.
   *
   * @param allowed special networks that may be reached nevertheless
   * @param ownPort whether this server listens on that port
   */
  public RemoteGuard(Networks allowed, IntPredicate ownPort, HostLookUp.Resolver resolver) {
    this.allowed = allowed;
    this.ownPort = ownPort;
    this.resolver = resolver;
  }

  /**
   * The addresses of the URL's host that may be connected to, in the resolver's order, the first of
   * them where they are many.
   *
   * @throws RemoteFailure where the name has no address, or none that is allowed
   */
  List<InetSocketAddress> permitted(RemoteUrl url) throws RemoteFailure {
    InetAddress[] found = addresses(url.host());
    List<InetSocketAddress> permitted = new ArrayList<>();
    boolean own = false;
    for (InetAddress address : found) {
      if (ownPort.test(url.port()) && isOwn(address)) {
        own = true;
      } else if (permitted.size() < MOST_ADDRESSES
          && (!SPECIAL.contains(address) || allowed.contains(address))) {
        permitted.add(new InetSocketAddress(address, url.port()));
      }
    }
    if (!permitted.isEmpty()) {
      return permitted;
    }
    throw new RemoteFailure(
        own
            ? url.hostPort()
                + " is this server itself: name it as the request does, or by one of staithe.hosts"
            : "copies with " + url.hostPort() + " are not allowed: its address is private or local",
        own ? 400 : 403);
  }

  private InetAddress[] addresses(String host) throws RemoteFailure {
    try {
      return HostLookUp.find(resolver, host, PATIENCE);
    } catch (UnknownHostException unknown) {
      throw new RemoteFailure("the host " + host + " is unknown", 400);
    } catch (HttpFailure late) {
      throw RemoteFailure.late("" + late.getMessage());
    }
  }

  private static boolean isOwn(InetAddress address) {
    try {
      return address.isLoopbackAddress()
          || address.isAnyLocalAddress()
          || NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException unknown) {
      return false;
    }
  }
}
