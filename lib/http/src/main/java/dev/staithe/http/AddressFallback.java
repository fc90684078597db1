package dev.staithe.http;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * Connects with a host by the first of its addresses that answers. What fails after that is of the
 * server there: that nobody listens at the host's other addresses would hide it.
 */
public final class AddressFallback {
  private AddressFallback() {}

  /** Makes a socket that is not connected, for one address. */
  public interface Sockets {
    HttpSocket open() throws IOException;
  }

  /**
   * A socket that is connected. Safe for use by many threads.
   *
   * @param limit for each address
   * @throws IOException why the last address was not reached
   */
  public static HttpSocket connect(
      InetAddress[] addresses, int port, Sockets sockets, Duration limit) throws IOException {
    IOException last = new ConnectException("the host has no address");
    for (InetAddress address : addresses) {
      HttpSocket socket = sockets.open();
      boolean done = false;
      try {
        socket.connect(new InetSocketAddress(address, port), limit);
        done = true;
        return socket;
      } catch (HttpFailure givenUp) {
        throw givenUp; // From this side: no other address is wanted.
      } catch (IOException next) {
        last = next;
      } finally {
        if (!done) {
          socket.close();
        }
      }
    }
    throw last;
  }
}
