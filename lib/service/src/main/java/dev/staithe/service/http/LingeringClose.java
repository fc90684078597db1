package dev.staithe.service.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.IO;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes connections in stages (RFC 9112 §9.6): says that nothing more comes, then reads and drops
 * what the client still sends until it closes too. Closed at once with bytes unread, the kernel
 * would answer with a reset, and that takes the answer away from a client that is still sending: of
 * a refusal it would learn nothing.
 *
 * <p>A client that never stops is cut off; where too many linger already, so is the next. Safe for
 * many threads.
 */
final class LingeringClose extends AbstractLifeCycle {
  private static final Logger log = LoggerFactory.getLogger(LingeringClose.class);
  private static final int TICK_MILLIS = 100;

  /**
   * Where it ends.
   *
   * @param bytes dropped of one connection
   * @param time of one connection
   * @param connections at once
   */
  record Limits(long bytes, Duration time, int connections) {
    /**
     * What a client sends in the time by 1 Gbit/s. One that sends files of this size without having
     * asked whether it may (Rucio) reads of a refusal, not of a network that failed, and does not
     * try again.
     */
    static final Limits STANDARD = new Limits(1L << 30, Duration.ofSeconds(10), 512);
  }

  private final Limits limits;
  private final ByteBuffer dropped = ByteBuffer.allocateDirect(64 * 1024);
  private @Nullable Selector selector;

  LingeringClose(Limits limits) {
    this.limits = limits;
  }

  /** What is known of a connection that lingers; for the one thread alone. */
  private static final class Rest {
    final long since = System.nanoTime();
    long bytes;
  }

  /** A connector that closes its connections so. */
  static ServerConnector connector(
      Server server, ByteBufferPool buffers, Limits limits, ConnectionFactory... factories) {
    LingeringClose lingering = new LingeringClose(limits);
    ServerConnector connector =
        new PatientConnector(server, buffers, factories) {
          @Override
          protected SocketChannelEndPoint newEndPoint(
              SocketChannel channel, ManagedSelector jetty, SelectionKey key) {
            SocketChannelEndPoint end =
                lingering.new Lingering(channel, jetty, key, getScheduler());
            end.setIdleTimeout(getIdleTimeout());
            return end;
          }
        };
    connector.addBean(lingering);
    return connector;
  }

  /** Lets the next close of that connection be one at once: its client has had its time. */
  static void giveUp(EndPoint end) {
    if (innermost(end) instanceof Lingering lingering) {
      lingering.givenUp = true;
    }
  }

  /**
   * Whether that connection waits for bytes of its client. False while those that have come wait
   * for us: a selected key is asked for again only after they were read.
   */
  static boolean awaitsClient(EndPoint end) {
    EndPoint innermost = innermost(end);
    return !(innermost instanceof Lingering lingering) || lingering.awaitsClient();
  }

  private static EndPoint innermost(EndPoint end) {
    EndPoint innermost = end;
    while (innermost instanceof EndPoint.Wrapper wrapper) {
      innermost = wrapper.unwrap();
    }
    return innermost;
  }

  /** The end of a connection here. */
  final class Lingering extends SocketChannelEndPoint {
    private final SelectionKey key;
    private volatile boolean byKernel;
    private volatile boolean givenUp;
    private volatile boolean clientEnded;
    private volatile boolean lingers;

    Lingering(SocketChannel channel, ManagedSelector jetty, SelectionKey key, Scheduler scheduler) {
      super(channel, jetty, key, scheduler);
      this.key = key;
    }

    private boolean awaitsClient() {
      try {
        return (key.interestOps() & SelectionKey.OP_READ) != 0;
      } catch (CancelledKeyException closed) {
        return false;
      }
    }

    @Override
    public int fill(ByteBuffer buffer) throws IOException {
      int filled = super.fill(buffer);
      if (filled < 0) {
        clientEnded = true;
      }
      return filled;
    }

    /** The channel, to which the kernel may send files from now on. */
    SocketChannel forKernel() {
      byKernel = true;
      return getChannel();
    }

    @Override
    public boolean flush(ByteBuffer... buffers) throws IOException {
      if (byKernel && KernelSending.skip(buffers)) {
        notIdle();
      }
      return super.flush(buffers);
    }

    /** The channel alone does not say: for Jetty, one that lingers is closed. */
    @Override
    public boolean isOpen() {
      return !lingers && super.isOpen();
    }

    @Override
    public void doClose() {
      if (!clientEnded && !givenUp && take(getChannel())) {
        lingers = true;
        key.cancel();
      } else {
        super.doClose();
      }
    }
  }

  /** False where the caller has to close it. */
  private synchronized boolean take(SocketChannel channel) {
    Selector open = selector;
    if (open == null || open.keys().size() >= limits.connections()) {
      return false;
    }
    try {
      channel.shutdownOutput();
      channel.register(open, SelectionKey.OP_READ, new Rest());
    } catch (IOException e) {
      return false; // The client was faster.
    }
    open.wakeup();
    return true;
  }

  @Override
  protected void doStart() throws Exception {
    Selector open = Selector.open();
    synchronized (this) {
      selector = open;
    }
    Thread.ofPlatform().daemon().name("http-lingering").start(() -> run(open));
    super.doStart();
  }

  @Override
  protected void doStop() throws Exception {
    end();
    super.doStop();
  }

  private synchronized void end() {
    if (selector != null) {
      closeAll(selector);
      IO.close(selector);
      selector = null;
    }
  }

  private void run(Selector open) {
    try {
      while (true) {
        try {
          look(open);
        } catch (ClosedSelectorException e) {
          throw e;
        } catch (RuntimeException | Error e) {
          // For want of memory, too: those that linger would never be looked at again.
          closeAll(open);
          log.warn("connections that lingered are closed", e);
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS));
        }
      }
    } catch (ClosedSelectorException e) {
      log.debug("stopped");
    } catch (IOException e) {
      log.warn("connections are closed at once from now on", e);
      end();
    }
  }

  /** Drops what has come, and closes those whose time is over. */
  private void look(Selector open) throws IOException {
    open.select(this::drop, open.keys().isEmpty() ? 0 : TICK_MILLIS);
    long now = System.nanoTime();
    for (SelectionKey key : open.keys()) {
      Rest rest = (Rest) key.attachment();
      if (now - rest.since > limits.time().toNanos()) {
        IO.close(key.channel());
      }
    }
  }

  private static void closeAll(Selector open) {
    new ArrayList<>(open.keys()).forEach(key -> IO.close(key.channel()));
  }

  private void drop(SelectionKey key) {
    SocketChannel channel = (SocketChannel) key.channel();
    Rest rest = (Rest) key.attachment();
    try {
      int read = channel.read(dropped.clear());
      rest.bytes += read;
      if (read < 0 || rest.bytes > limits.bytes()) {
        channel.close();
      }
    } catch (IOException e) {
      IO.close(channel);
    }
  }
}
