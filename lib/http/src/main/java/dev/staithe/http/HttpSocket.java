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
import javax.net.ssl.SSLEngineResult;
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
  private final @Nullable SSLEngine engine;
  private final BufferPool pool;
  private final List<ByteBuffer> buffers;
  private final ByteBuffer plainIn;
  private final ByteBuffer networkIn;
  private final ByteBuffer networkOut;
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
  private boolean ended;
  private boolean closed;

  private HttpSocket(
      SocketChannel channel,
      String name,
      @Nullable SSLEngine engine,
      BufferPool pool,
      List<ByteBuffer> buffers) {
    this.channel = channel;
    this.name = name;
    this.engine = engine;
    this.pool = pool;
    this.buffers = buffers;
    this.plainIn = buffers.getFirst().clear().limit(0);
    this.networkIn = (engine == null ? plainIn : buffers.get(1)).clear().limit(0);
    this.networkOut = engine == null ? plainIn : buffers.get(2);
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
    if (engine == null) {
      return;
    }
    plainIn.compact();
    try {
      engine.beginHandshake();
      while (true) {
        switch (engine.getHandshakeStatus()) {
          case NEED_TASK -> runTasks(engine);
          case NEED_WRAP -> wrap(engine, ByteBuffer.allocate(0));
          case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
            if (unwrap(engine) == 0 && !ended && stillUnwrapping(engine)) {
              receive(networkIn);
            }
            if (ended && stillUnwrapping(engine)) {
              throw new IOException("the connection was closed during the TLS handshake");
            }
          }
          default -> {
            return;
          }
        }
      }
    } catch (IOException e) {
      throw explained(e);
    } finally {
      plainIn.flip();
    }
  }

  private static boolean stillUnwrapping(SSLEngine tls) {
    return switch (tls.getHandshakeStatus()) {
      case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> true;
      default -> false;
    };
  }

  @Override
  public int fill() throws IOException {
    try {
      if (plainIn.remaining() == plainIn.capacity()) {
        throw new IllegalStateException("nothing of the input was consumed");
      }
      if (engine == null) {
        return receive(plainIn);
      }
      plainIn.compact();
      // Whoever trickles a record, or sends one after the other without data, is silent to us.
      boolean whole = !together;
      if (whole) {
        together(true);
      }
      try {
        while (true) {
          // An engine may hold what it could not hand out: ask it before the network.
          int opened = unwrap(engine);
          if (opened > 0 || ended) {
            return opened > 0 ? opened : -1;
          }
          if (receive(networkIn) < 0 && !engine.isInboundDone()) {
            throw HttpFailure.broken(name + " closed the connection without TLS's closing alert");
          }
        }
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
      int n = receiveNow(networkIn);
      if (engine == null) {
        return n;
      }
      plainIn.compact();
      try {
        int opened = unwrap(engine);
        // The end that TLS tells of comes before that of the connection, and its bytes are no data.
        return opened > 0 ? opened : n < 0 || ended ? -1 : 0;
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
      if (engine == null) {
        send(plain);
      } else {
        while (plain.hasRemaining()) {
          wrap(engine, plain);
        }
      }
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /** Reads from the network into a buffer in reading state, after what it holds. */
  private int receive(ByteBuffer buffer) throws IOException {
    buffer.compact();
    long before = beginWait();
    try {
      int n = channel.read(buffer);
      ended |= n < 0;
      received += Math.max(n, 0);
      return n;
    } finally {
      endWait(before);
      buffer.flip();
    }
  }

  private void send(ByteBuffer bytes) throws IOException {
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

  /** Opens all records received so far into the input, which is in writing state. */
  private int unwrap(SSLEngine tls) throws IOException {
    int total = 0;
    while (true) {
      SSLEngineResult result = tls.unwrap(networkIn, plainIn);
      total += result.bytesProduced();
      switch (result.getStatus()) {
        case CLOSED -> {
          ended = true;
          return total;
        }
        case BUFFER_OVERFLOW -> {
          if (total == 0 && plainIn.position() == 0) {
            throw new IllegalStateException("a TLS record is larger than the buffer");
          }
          return total;
        }
        case BUFFER_UNDERFLOW -> {
          return total;
        }
        case OK -> {}
      }
      switch (result.getHandshakeStatus()) {
        case NEED_TASK -> runTasks(tls);
        case NEED_WRAP -> wrap(tls, ByteBuffer.allocate(0));
        case FINISHED -> {}
        default -> {
          if (result.bytesConsumed() == 0 && result.bytesProduced() == 0) {
            return total;
          }
        }
      }
    }
  }

  /** Seals as many records as fit into one buffer and sends them. */
  private void wrap(SSLEngine tls, ByteBuffer plain) throws IOException {
    networkOut.clear();
    while (true) {
      SSLEngineResult result = tls.wrap(plain, networkOut);
      if (result.getStatus() == SSLEngineResult.Status.CLOSED && result.bytesProduced() == 0) {
        if (networkOut.position() > 0) {
          break;
        }
        throw new IOException("the TLS session was closed by the other side");
      }
      if (result.getStatus() == SSLEngineResult.Status.BUFFER_OVERFLOW) {
        if (networkOut.position() == 0) {
          throw new IllegalStateException("a TLS record is larger than the buffer");
        }
        break;
      }
      if (!plain.hasRemaining()) {
        break;
      }
    }
    networkOut.flip();
    send(networkOut);
  }

  private static void runTasks(SSLEngine tls) {
    for (Runnable task = tls.getDelegatedTask(); task != null; task = tls.getDelegatedTask()) {
      task.run();
    }
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
      if (engine != null && channel.isOpen() && aborted == null) {
        sayGoodbye(engine);
      }
    } catch (IOException ignored) {
      // The other side may be gone, which is all the same now.
    } finally {
      if (engine != null) {
        TlsProvider.release(engine);
      }
      pool.give(buffers);
    }
  }

  /** Sends TLS's closing alert if the kernel takes it at once; nobody waits for a full socket. */
  private void sayGoodbye(SSLEngine tls) throws IOException {
    channel.configureBlocking(false);
    tls.closeOutbound();
    networkOut.clear();
    tls.wrap(ByteBuffer.allocate(0), networkOut);
    networkOut.flip();
    channel.write(networkOut);
  }
}
