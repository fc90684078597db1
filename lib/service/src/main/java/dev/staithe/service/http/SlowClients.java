package dev.staithe.service.http;

import dev.staithe.service.Settings;
import dev.staithe.service.properties.LimitsProperties;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.http2.HTTP2Channel;
import org.eclipse.jetty.http2.HTTP2Connection;
import org.eclipse.jetty.http2.HTTP2Stream;
import org.eclipse.jetty.io.AbstractEndPoint;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;
import org.eclipse.jetty.util.thread.ThreadPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.unit.DataSize;

/**
 * Ends what a client draws out although it never falls silent, so that no idle timeout sees it: a
 * request head (on a new connection with the TLS handshake), content that is sent, content that is
 * fetched.
 *
 * <p>Looks at the byte counters that Jetty keeps of every connection, {@value #TICK_MILLIS} ms
 * apart; over HTTP/2 at which streams wait, too. Over HTTP/1.1 a read or write costs nothing more.
 * Only time in which this server waits for the client counts against it. Safe for many threads.
 */
public final class SlowClients extends Handler.Wrapper implements Connection.Listener {
  static final int TICK_MILLIS = 250;
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS);

  /** One write is counted when it begins, and ends much later: none is longer than this. */
  private static final long SENT_AHEAD = 512 * 1024;

  private static final Logger log = LoggerFactory.getLogger(SlowClients.class);

  private final LimitsProperties limits;
  private final Scheduler scheduler;
  private final ConnectionCounts counts;
  private final Map<Connection, Pace> paces = new ConcurrentHashMap<>();
  private Scheduler.@Nullable Task next;

  /** Observes the connections that it is told of, on that scheduler's thread. */
  SlowClients(LimitsProperties limits, Scheduler scheduler, ConnectionCounts counts) {
    this.limits = limits;
    this.scheduler = scheduler;
    this.counts = counts;
  }

  /**
   * Ends the slow clients of a connector that is beside the service's own, and counts none.
   *
   * @param limits of which the time for a head and the rates count
   * @return what stands in front of that handler
   */
  public static Handler of(ServerConnector connector, LimitsProperties limits, Handler handler) {
    var slow = new SlowClients(limits, connector.getScheduler(), new ConnectionCounts());
    slow.setHandler(handler);
    connector.addEventListener(slow);
    return slow;
  }

  /**
   * What is known of a connection. The allowances are those of a bucket that holds a window's worth
   * of the least rate: bytes fill it, waiting empties it.
   */
  private static final class Pace {
    /** Requests that are not over: one at most, but over HTTP/2. */
    private final AtomicInteger serving = new AtomicInteger();

    private final AtomicInteger requests = new AtomicInteger();

    /** Streams of HTTP/2 whose content is waited for; their connection always reads. */
    private final Set<String> awaiting = ConcurrentHashMap.newKeySet();

    /** Those whose answer waits to be taken, be it that the client opens no window for it. */
    private final Set<String> answering = ConcurrentHashMap.newKeySet();

    private final boolean multiplexed;

    /** Bytes that had come when the last request was over. */
    private volatile long headFrom;

    // For the observing thread alone.
    private boolean headBegun = true;
    private long headNanos;
    private long looked = System.nanoTime();
    private int observed;
    private long received;
    private long sent;
    private double mayReceive;
    private double maySend;
    private boolean counted;

    Pace(boolean multiplexed) {
      this.multiplexed = multiplexed;
    }

    void begin() {
      requests.incrementAndGet();
      serving.incrementAndGet();
    }

    void end(long bytesIn) {
      headFrom = bytesIn;
      serving.decrementAndGet();
    }
  }

  /** One request of several on a connection: says when it waits for content of its own. */
  private static final class Multiplexed extends Request.Wrapper {
    private final Pace pace;
    private final String id;

    Multiplexed(Request request, Pace pace, String id) {
      super(request);
      this.pace = pace;
      this.id = id;
    }

    @Override
    public void demand(Runnable available) {
      pace.awaiting.add(id);
      super.demand(
          () -> {
            pace.awaiting.remove(id);
            available.run();
          });
    }
  }

  /** Its answer: says when content of it waits to be taken. */
  private static final class MultiplexedAnswer extends Response.Wrapper {
    private final Pace pace;
    private final String id;

    MultiplexedAnswer(Request request, Response response, Pace pace, String id) {
      super(request, response);
      this.pace = pace;
      this.id = id;
    }

    @Override
    public void write(boolean last, @Nullable ByteBuffer content, Callback callback) {
      pace.answering.add(id);
      super.write(
          last,
          content,
          new Callback.Nested(callback) {
            @Override
            public void succeeded() {
              pace.answering.remove(id);
              super.succeeded();
            }

            @Override
            public void failed(Throwable failure) {
              pace.answering.remove(id);
              super.failed(failure);
            }
          });
    }
  }

  @Override
  protected void doStart() throws Exception {
    super.doStart();
    tickLater();
  }

  @Override
  protected void doStop() throws Exception {
    synchronized (this) {
      if (next != null) {
        next.cancel();
      }
    }
    super.doStop();
  }

  private synchronized void tickLater() {
    next = scheduler.schedule(this::tick, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  @Override
  public void onOpened(Connection connection) {
    if (!(connection instanceof SslConnection)) {
      paces.put(connection, new Pace(connection instanceof HTTP2Connection));
    }
  }

  @Override
  public void onClosed(Connection connection) {
    paces.remove(connection);
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    Connection connection = request.getConnectionMetaData().getConnection();
    Pace pace = paces.get(connection);
    if (pace == null) {
      return super.handle(request, response, callback);
    }
    pace.begin();
    Request.addCompletionListener(request, failure -> pace.end(connection.getBytesIn()));
    if (!pace.multiplexed) {
      return super.handle(request, response, callback);
    }
    String id = request.getId();
    Request.addCompletionListener(
        request,
        failure -> {
          pace.awaiting.remove(id);
          pace.answering.remove(id);
        });
    var own = new Multiplexed(request, pace, id);
    return super.handle(own, new MultiplexedAnswer(own, response, pace, id), callback);
  }

  private void tick() {
    try {
      long now = System.nanoTime();
      paces.forEach(
          (connection, pace) -> {
            try {
              observe(connection, pace, now);
            } catch (RuntimeException | Error e) {
              log.warn("a connection cannot be observed", e);
            }
          });
    } finally {
      // Whatever was thrown, for want of memory too: nobody else would look again.
      if (isRunning()) {
        tickLater();
      }
    }
  }

  private void observe(Connection connection, Pace pace, long now) {
    // A look that comes late was late for our own reasons.
    long sinceLast = Math.min(now - pace.looked, 2 * TICK_NANOS);
    pace.looked = now;
    if (pace.serving.get() > 0) {
      pace.headBegun = false;
      observeContent(connection, pace);
    } else {
      observeHead(connection, pace, sinceLast);
    }
  }

  private void observeHead(Connection connection, Pace pace, long sinceLast) {
    int requests = pace.requests.get();
    if (pace.multiplexed && requests > 0) {
      // What comes now may be no head but a window, a ping: what is late is left to the idle
      // timeout.
      return;
    }
    if (requests != pace.observed) {
      pace.observed = requests;
      pace.headBegun = false;
    }
    if (!pace.headBegun) {
      pace.headBegun = connection.getBytesIn() > pace.headFrom;
      pace.headNanos = 0;
    } else if (LingeringClose.awaitsClient(connection.getEndPoint())) {
      pace.headNanos += sinceLast;
    }
    if (pace.headNanos > limits.headTimeout().toNanos()) {
      close(
          connection,
          pace,
          ConnectionCounts.Part.HEAD,
          "no whole request head within " + Settings.text(limits.headTimeout()));
    }
  }

  private void observeContent(Connection connection, Pace pace) {
    long up = limits.minUploadRate().toBytes();
    long down = limits.minDownloadRate().toBytes();
    long fullUp = inWindow(up);
    long fullDown = inWindow(down) + SENT_AHEAD;
    long received = connection.getBytesIn();
    long sent = connection.getBytesOut();
    int requests = pace.requests.get();
    if (requests != pace.observed) {
      pace.observed = requests;
      pace.mayReceive = fullUp;
      pace.maySend = fullDown;
    } else {
      pace.mayReceive = Math.min(fullUp, pace.mayReceive + (received - pace.received));
      pace.maySend = Math.min(fullDown, pace.maySend + (sent - pace.sent));
    }
    pace.received = received;
    pace.sent = sent;
    if (!(connection.getEndPoint() instanceof AbstractEndPoint end)) {
      return;
    }
    // While streams that we do not read fill the window of their session nobody may send.
    boolean mayCome =
        !(connection instanceof HTTP2Connection several)
            || !pace.awaiting.isEmpty() && several.getSession().getRecvWindow() > 0;
    if (end.isFillInterested() && mayCome) {
      pace.mayReceive -= perTick(up);
    }
    if (end.getWriteFlusher().isPending() || !pace.answering.isEmpty()) {
      pace.maySend -= perTick(down);
    }
    if (pace.mayReceive < 0) {
      count(pace, ConnectionCounts.Part.UPLOAD);
      // The way that Jetty tells the reader of an idle timeout: it may still answer.
      var slow = new TooSlow("the content came more slowly than " + rate(limits.minUploadRate()));
      if (connection instanceof HTTP2Connection several) {
        // Jetty would do nothing while the connection has requests.
        expire(several, pace.awaiting, slow);
        pace.mayReceive = fullUp;
      } else {
        connection.onIdleExpired(slow);
      }
    }
    if (pace.maySend < 0) {
      close(
          connection,
          pace,
          ConnectionCounts.Part.DOWNLOAD,
          "content is taken more slowly than " + rate(limits.minDownloadRate()));
    }
  }

  /** Tells the readers of these streams, each as if it alone had been silent. */
  private void expire(HTTP2Connection connection, Set<String> streams, TooSlow why) {
    for (String id : streams) {
      HTTP2Stream stream = connection.getSession().getStream(Integer.parseInt(id));
      if (stream != null && stream.getAttachment() instanceof HTTP2Channel.Server channel) {
        channel.onTimeout(
            why,
            (reader, _) -> {
              if (reader != null) {
                ThreadPool.executeImmediately(getServer().getThreadPool(), reader);
              }
            });
      }
    }
  }

  /** It may be found too slow again until it has ended. */
  private void count(Pace pace, ConnectionCounts.Part part) {
    if (!pace.counted) {
      pace.counted = true;
      counts.slow(part);
    }
  }

  private void close(Connection connection, Pace pace, ConnectionCounts.Part part, String why) {
    count(pace, part);
    log.info(
        "closed the connection of {}: {}", connection.getEndPoint().getRemoteSocketAddress(), why);
    LingeringClose.giveUp(connection.getEndPoint());
    connection.getEndPoint().close(new IOException(why));
    if (pace.multiplexed) {
      // An answer without a window is not being written, so that no write of it fails: that of the
      // farewell does, and all end by it.
      connection.close();
    }
  }

  private long inWindow(long bytesPerSecond) {
    return bytesPerSecond * limits.rateWindow().toSeconds();
  }

  private static double perTick(long bytesPerSecond) {
    return bytesPerSecond * (TICK_MILLIS / 1000.0);
  }

  private String rate(DataSize perSecond) {
    return Settings.text(perSecond) + " a second for " + Settings.text(limits.rateWindow());
  }
}
