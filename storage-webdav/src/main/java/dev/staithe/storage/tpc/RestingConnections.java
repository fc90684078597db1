package dev.staithe.storage.tpc;

import dev.staithe.http.HttpConnection;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Connections that a copy is done with, for the next one with the same server: that spares it two
 * round trips and a handshake, which is most of what a small file takes. Those on which a
 * certificate of a client's was shown are no other's. Thread-safe.
 */
final class RestingConnections implements AutoCloseable {
  /** Their buffers are held. */
  static final int MOST = 16;

  /** Apache closes after five seconds, nginx after 75. */
  private static final Duration REST = Duration.ofSeconds(4);

  /** Later than anybody takes it. */
  private static final Duration CLOSED = REST.plusSeconds(1);

  /** After this a server shows its certificate again, however many copies follow each other. */
  private static final Duration LIFETIME = Duration.ofMinutes(1);

  /**
   * What connections of one kind lead to.
   *
   * @param sending how the kernel sends on them
   */
  record Kind(boolean https, String host, int port, CopyTuning.Sending sending) {
    static Kind of(RemoteUrl url, CopyTuning.Sending sending) {
      return new Kind(url.https(), url.host(), url.port(), sending);
    }
  }

  private record Resting(Kind kind, HttpConnection connection, long since) {
    boolean over() {
      return System.nanoTime() - since > REST.toNanos() || connection.socket().isAborted();
    }
  }

  /** The one that came last at the front. */
  private final Deque<Resting> resting = new ArrayDeque<>();

  private boolean closed;

  /** Lets one rest that another request may follow on, or closes it. */
  void add(Kind kind, HttpConnection connection) {
    boolean old = connection.socket().age().compareTo(LIFETIME) > 0;
    if (!old) {
      connection.socket().rest(CLOSED, "nobody needed the connection");
    }
    synchronized (resting) {
      if (!old && !closed) {
        closeEach(Resting::over);
        if (resting.size() == MOST) {
          resting.removeLast().connection().close();
        }
        resting.push(new Resting(kind, connection, System.nanoTime()));
        return;
      }
    }
    connection.close();
  }

  /**
   * One of that kind that stands, if there is any.
   *
   * @param permitted addresses that a copy may go to now
   */
  @Nullable HttpConnection take(Kind kind, Collection<InetSocketAddress> permitted) {
    while (true) {
      HttpConnection found = find(kind);
      if (found == null) {
        return null;
      }
      found.socket().rest();
      InetSocketAddress remote = found.socket().remote();
      if (!found.hasEnded() && remote != null && permitted.contains(remote)) {
        return found;
      }
      found.close();
    }
  }

  private @Nullable HttpConnection find(Kind kind) {
    synchronized (resting) {
      closeEach(Resting::over);
      for (Iterator<Resting> each = resting.iterator(); each.hasNext(); ) {
        Resting next = each.next();
        if (next.kind().equals(kind)) {
          each.remove();
          return next.connection();
        }
      }
      return null;
    }
  }

  private void closeEach(Predicate<Resting> which) {
    resting.removeIf(
        each -> {
          boolean ends = which.test(each);
          if (ends) {
            each.connection().close();
          }
          return ends;
        });
  }

  @Override
  public void close() {
    synchronized (resting) {
      closed = true;
      closeEach(each -> true);
    }
  }
}
