package dev.staithe.gateway.backend;

import dev.staithe.service.NetworkBlock;
import java.io.IOException;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * The memory that all bodies of requests and answers take together. Where there is none nobody
 * waits for it: the request is refused, and may come again. One client has half of it at most, and
 * a quarter is left for short messages, so that a few clients with long ones stop nobody else.
 * Thread-safe.
 */
public final class Bodies {
  /** Bytes of what counts as short. */
  static final int SHORT = 64 << 10;

  /** There is no room; carries nothing. */
  public static final class Full extends IOException {
    public static final String LINE = "no room for another body";
    private static final long serialVersionUID = 1;

    Full() {
      super(LINE);
    }
  }

  private final long most;
  // Both guarded by this.
  private final Map<NetworkBlock, Long> taken = new HashMap<>();
  private long used;

  /**
   * Nothing is taken yet.
   *
   * @param most bytes of all bodies, positive
   */
  public Bodies(long most) {
    if (most < 1) {
      throw new IllegalArgumentException("some room is needed for bodies");
    }
    this.most = most;
  }

  /** Bytes of all bodies, the most. */
  public long most() {
    return most;
  }

  /** Bytes of the longest request for which one client has room, beside a short answer. */
  public long longest() {
    return most / 2 - BodyBuffer.FIRST;
  }

  /** Bytes that are taken now. */
  public synchronized long used() {
    return used;
  }

  /**
   * Begins an exchange with a client, which has nothing yet.
   *
   * @param client its address; of IPv6 the first 64 bits count, of which one client may have all
   *     addresses (RFC 6177)
   */
  public Share share(InetAddress client) {
    NetworkBlock address = NetworkBlock.of(client);
    return new Share(address.six() ? address.around(64) : address);
  }

  private synchronized boolean take(NetworkBlock client, long held, long more) {
    long all = held + more > SHORT ? most - most / 4 : most;
    long own = taken.getOrDefault(client, 0L) + more;
    if (used + more > all || own > most / 2) {
      return false;
    }
    taken.put(client, own);
    used += more;
    return true;
  }

  private synchronized void give(NetworkBlock client, long held) {
    taken.computeIfPresent(client, (name, own) -> own == held ? null : Long.valueOf(own - held));
    used -= held;
  }

  /**
   * What one exchange has taken. For one thread; given back when it is closed, which any thread may
   * do, again too.
   */
  public final class Share implements AutoCloseable {
    private final NetworkBlock client;
    private long held;

    /** Of what is held: nothing is in it yet. */
    private long reserved;

    private Share(NetworkBlock client) {
      this.client = client;
    }

    /**
     * Takes what a short answer needs, before it is asked for: a client that fills its half with
     * requests would lose answers of what a service has done by then.
     *
     * @throws Full where there is not so much; nothing is taken then
     */
    public void reserve() throws Full {
      take(BodyBuffer.FIRST);
      reserved = BodyBuffer.FIRST;
    }

    /**
     * Takes more, of what is reserved first.
     *
     * @throws Full where there is not so much; nothing is taken then
     */
    public void take(long more) throws Full {
      long kept = Math.min(more, reserved);
      long further = more - kept;
      if (further > 0 && !Bodies.this.take(client, held, further)) {
        throw new Full();
      }
      reserved -= kept;
      held += further;
    }

    @Override
    public void close() {
      synchronized (Bodies.this) {
        if (held > 0) {
          give(client, held);
          held = 0;
          reserved = 0;
        }
      }
    }
  }
}
