package dev.staithe.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of the loopback address for servers that must be told theirs before they begin to listen.
 * None is of the range from which the system takes those of outgoing connections and of servers
 * that ask for any: while a server starts, nobody gets its port by chance.
 */
public final class FreePort {
  private static final int FIRST = 10_240;
  private static final int END = 32_768; // Linux's net.ipv4.ip_local_port_range begins there

  private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

  private FreePort() {}

  /** One at which nobody listens, and which this has not given before. */
  public static int next() {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, END);
      if (isFree(port) && GIVEN.add(port)) {
        return port;
      }
    }
  }

  private static boolean isFree(int port) {
    try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return true;
    } catch (IOException taken) {
      return false;
    }
  }
}
