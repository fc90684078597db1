package dev.staithe.http;

import dev.staithe.tls.TlsProvider;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * A connection's bytes in clear: a socket, and TLS over it where there is an engine. Blocking, for
 * one virtual thread; only {@link #abort} and {@link #closeIfLate} may come from others.
 *
 * <p>Direct buffers all the way. One read takes what the kernel has, up to a whole buffer, and all
 * records in it are opened before the next; one write carries as many records as fit.
 */
public final class HttpSocket implements ByteSource, AutoCloseable {
  private static final int HEAP_PART = 64 * 1024;

  private record Deadline(long nanos, String reason) {}

  private final SocketChannel channel;
  private final String name;
  private final @Nullable TlsRecords tls;
  private final BufferPool pool;
  private final List<ByteBuffer> buffers;
  private final ByteBuffer plainIn;
  private final long opened = System.nanoTime();
  private final LongConsumer watched = this::closeIfLate;
  private volatile @Nullable Deadline deadline;
  private volatile @Nullable String aborted;
  private long callLimit;
  private String callReason = "";
  private boolean together;

  /** These are written by one thread, and read by others, which may be a little behind. */
  private volatile long waited;

  /** When the wait began that lasts, 0 where there is none. */
  private volatile long waitingSince;

  private volatile long received;

  private volatile long sent;
  private boolean closed;

  private HttpSocket(
      SocketChannel channel,
      String name,
      @Nullable SSLEngine engine,
      BufferPool pool,
      List<ByteBuffer> buffers) {
    this.channel = channel;
    this.name = name;
    this.pool = pool;
    this.buffers = buffers;
    this.plainIn = buffers.getFirst().clear().limit(0);
    this.tls =
        engine == null
            ? null
            : new TlsRecords(engine, this, plainIn, buffers.get(1), buffers.get(2));
  }

  /**
   * Makes a socket that is not connected yet.
   *
   * @param name of the other side, for messages
   * @param engine in client mode for TLS, null for none; the socket's from now on, and released
   *     where there is no socket
   * @param pool gives its buffers, {@link #buffersFor} so many
   * @param patience with a pool that has none
   * @throws HttpFailure where there is no buffer
   */
  public static HttpSocket open(
      String name, @Nullable SSLEngine engine, BufferPool pool, Duration patience)
      throws IOException {
    List<ByteBuffer> taken = List.of();
    boolean done = false;
    try {
      taken = pool.take(buffersFor(engine != null), patience);
      var socket = new HttpSocket(SocketChannel.open(), name, engine, pool, taken);
      Watchdog.add(socket.watched);
      done = true;
      return socket;
    } finally {
      if (!done) {
        pool.give(taken);
        if (engine != null) {
          TlsProvider.release(engine);
        }
      }
    }
  }

  /** Buffers that a socket needs. */
  public static int buffersFor(boolean tls) {
    return tls ? 3 : 1;
  }

  /** Connects; the deadline of the moment applies. */
  public void connect(InetSocketAddress address, Duration limit) throws IOException {
    try {
      channel.socket().connect(address, Math.toIntExact(limit.toMillis()));
      channel.socket().setTcpNoDelay(true);
    } catch (IOException e) {
      throw explained(e);
    }
  }

  /** Limits all that follows by one deadline, after which the socket is closed for that reason. */
  public void within(Duration limit, String reason) {
    callLimit = 0;
    deadline = new Deadline(System.nanoTime() + limit.toNanos(), reason);
  }

  /** Limits each single read and write from now on. */
  public void eachWithin(Duration limit, String reason) {
    deadline = null;
    callReason = reason;
    callLimit = limit.toNanos();
  }

  /** Has the limit of each read hold for all of them together, until it is told that no more. */
  @Override
  public void together(boolean calls) {
    together = calls;
    if (callLimit > 0) {
      deadline = null;
    }
  }

  /** Lets it rest without any limit. */
  public void rest() {
    callLimit = 0;
    deadline = null;
  }

  /**
   * Lets it rest so long, after which it is closed for that reason. What was counted is forgotten:
   * whoever takes it next begins anew.
   */
  public void rest(Duration limit, String reason) {
    within(limit, reason);
    waited = 0;
    received = 0;
    sent = 0;
  }

  /** Time since it was made. */
  public Duration age() {
    return Duration.ofNanos(System.nanoTime() - opened);
  }

  void closeIfLate(long now) {
    Deadline current = deadline;
    if (current != null && now - current.nanos() > 0) {
      abort(current.reason());
    }
  }

  /** Closes the channel under whoever is blocked in it; that one then fails with the reason. */
  public void abort(String reason) {
    if (aborted == null) {
      aborted = reason;
    }
    try {
      channel.close();
    } catch (IOException ignored) {
      // Nothing is lost: the connection is given up.
    }
  }

  /** Whether it was closed from this side, for lateness or by cancelling. */
  public boolean isAborted() {
    return aborted != null;
  }

  @Override
  public ByteBuffer input() {
    return plainIn;
  }

  /** Nanoseconds spent waiting for the other side so far; may be asked by any thread. */
  public long waited() {
    return waited;
  }

  /** The same with the wait that lasts; may be a little behind. */
  public long waitedUntilNow() {
    long before = waited;
    long since = waitingSince;
    return since == 0 ? before : before + System.nanoTime() - since;
  }

  /** Our end; null once it is closed. */
  public @Nullable InetSocketAddress local() {
    try {
      return (InetSocketAddress) channel.getLocalAddress();
    } catch (IOException e) {
      return null;
    }
  }

  /** The other end; null once it is closed. */
  public @Nullable InetSocketAddress remote() {
    try {
      return (InetSocketAddress) channel.getRemoteAddress();
    } catch (IOException e) {
      return null;
    }
  }

  /** Bytes that came in so far, TLS and all; may be asked by any thread. */
  public long received() {
    return received;
  }

  /** Bytes that went out so far, TLS and all; may be asked by any thread. */
  public long sent() {
    return sent;
  }

  /** Makes the TLS session. */
  public void handshake() throws IOException {
    if (tls == null) {
      return;
    }
    plainIn.compact();
    try {
      tls.handshake();
    } catch (IOException e) {
      throw explained(e);
    } finally {
      plainIn.flip();
    }
  }

  @Override
  public int fill() throws IOException {
    try {
      if (plainIn.remaining() == plainIn.capacity()) {
        throw new IllegalStateException("nothing of the input was consumed");
      }
      if (tls == null) {
        return receive(plainIn);
      }
      plainIn.compact();
      // Whoever trickles a record, or sends one after the other without data, is silent to us.
      boolean whole = !together;
      if (whole) {
        together(true);
      }
      try {
        int opened = tls.read();
        if (opened < 0 && !tls.isEnded()) {
          throw HttpFailure.broken(name + " closed the connection without TLS's closing alert");
        }
        return opened;
      } finally {
        plainIn.flip();
        if (whole) {
          together(false);
        }
      }
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /** Bytes that are there without waiting, added to {@link #input}; -1 at the end. */
  int fillNow() throws IOException {
    try {
      int n = receiveNow(tls == null ? plainIn : tls.input());
      if (tls == null) {
        return n;
      }
      plainIn.compact();
      try {
        int opened = tls.open();
        // The end that TLS tells of comes before that of the connection, and its bytes are no data.
        return opened > 0 ? opened : n < 0 || tls.isEnded() ? -1 : 0;
      } finally {
        plainIn.flip();
      }
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /** Of reading alone: what TLS answers to what came is written, in the time of any write. */
  private int receiveNow(ByteBuffer buffer) throws IOException {
    channel.configureBlocking(false);
    try {
      return receive(buffer);
    } finally {
      if (channel.isOpen()) {
        channel.configureBlocking(true);
      }
    }
  }

  /** Sends the buffer's remaining bytes; returns when the kernel has them. */
  void write(ByteBuffer plain) throws IOException {
    try {
      if (tls == null) {
        send(plain);
      } else {
        while (plain.hasRemaining()) {
          tls.write(plain);
        }
      }
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /** Reads from the network into a buffer in reading state, after what it holds. */
  int receive(ByteBuffer buffer) throws IOException {
    buffer.compact();
    long before = beginWait();
    try {
      int n = channel.read(buffer);
      received += Math.max(n, 0);
      return n;
    } finally {
      endWait(before);
      buffer.flip();
    }
  }

  void send(ByteBuffer bytes) throws IOException {
    int end = bytes.limit();
    while (bytes.position() < end) {
      // Of what is on the heap a channel copies all that remains, before each of its writes.
      bytes.limit(bytes.isDirect() ? end : Math.min(end, bytes.position() + HEAP_PART));
      long before = beginWait();
      try {
        sent += channel.write(bytes);
      } finally {
        endWait(before);
      }
    }
  }

  private long beginWait() {
    long now = System.nanoTime();
    waitingSince = now;
    if (callLimit > 0 && !(together && deadline != null)) {
      deadline = new Deadline(now + callLimit, callReason);
    }
    return now;
  }

  private void endWait(long before) {
    if (callLimit > 0 && !together) {
      deadline = null;
    }
    waitingSince = 0;
    waited += System.nanoTime() - before;
  }

  /** What really happened, where the failure is the consequence of an abort. */
  private IOException explained(IOException failure) {
    String reason = aborted;
    return reason == null ? failure : new HttpFailure(HttpFailure.Kind.GIVEN_UP, reason);
  }

  /** The same for an established connection, in words that are safe to show. */
  private HttpFailure broken(IOException failure) {
    if (explained(failure) instanceof HttpFailure known) {
      return known;
    }
    String text = String.valueOf(failure.getMessage());
    return HttpFailure.broken(
        "the connection with "
            + name
            + " broke"
            + (text.startsWith("Connection reset") || text.startsWith("Broken pipe")
                ? ": " + text
                : ""));
  }

  /** Closes the connection and gives its buffers back; only by the thread that uses it. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    deadline = null;
    Watchdog.remove(watched);
    try (channel) {
      if (tls != null && channel.isOpen() && aborted == null) {
        // If the kernel takes it at once: nobody waits for a full socket.
        channel.configureBlocking(false);
        channel.write(tls.goodbye());
      }
    } catch (IOException ignored) {
      // The other side may be gone, which is all the same now.
    } finally {
      if (tls != null) {
        tls.release();
      }
      pool.give(buffers);
    }
  }
}
