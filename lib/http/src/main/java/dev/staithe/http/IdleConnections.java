package dev.staithe.http;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Connections that a client is done with, for its next request to the same place: that spares two
 * round trips and a handshake. The one that was used last is taken first, so that the others grow
 * old and are closed. Thread-safe.
 *
 * @param <P> a place: what connections that may stand for each other have in common
 */
public final class IdleConnections<P> implements AutoCloseable {
  private final int most;
  private final Duration rest;
  private final Duration lifetime;

  private record Idle<P>(P place, HttpConnection connection, long since) {}

  /** The one that came last at the front. */
  private final Deque<Idle<P>> idle = new ArrayDeque<>();

  private boolean closed;

  /**
   * Keeps none yet.
   *
   * @param most at once; their buffers are held
   * @param rest after which one is closed: shorter than servers keep it
   * @param lifetime since it was opened, after which none is kept: by then a server shows its
   *     certificate again, however many requests follow each other
   */
  public IdleConnections(int most, Duration rest, Duration lifetime) {
    this.most = most;
    this.rest = rest;
    this.lifetime = lifetime;
  }

  /** Keeps one on which another request may follow, and closes any other. */
  public void add(P place, HttpConnection connection) {
    boolean keep = connection.reusable() && connection.socket().age().compareTo(lifetime) < 0;
    if (keep) {
      // Later than anybody takes it.
      connection.socket().rest(rest.plusSeconds(1), "nobody needed the connection");
    }
    synchronized (idle) {
      if (keep && !closed) {
        closeEach(this::isOver);
        if (idle.size() == most) {
          idle.removeLast().connection().close();
        }
        idle.push(new Idle<>(place, connection, System.nanoTime()));
        return;
      }
    }
    connection.close();
  }

  /** One with that place that stands, if there is any. */
  public @Nullable HttpConnection take(P place) {
    return take(place, any -> true);
  }

  /**
   * One with that place that stands, if there is any: an end was not seen on it, and nothing that
   * the other side said unasked, which would be the answer to the next request.
   *
   * @param fit those that do not are closed
   */
  public @Nullable HttpConnection take(P place, Predicate<HttpConnection> fit) {
    while (true) {
      HttpConnection found = find(place);
      if (found == null) {
        return null;
      }
      found.socket().rest();
      if (!found.hasEnded() && fit.test(found)) {
        return found;
      }
      found.close();
    }
  }

  private @Nullable HttpConnection find(P place) {
    synchronized (idle) {
      closeEach(this::isOver);
      for (Iterator<Idle<P>> each = idle.iterator(); each.hasNext(); ) {
        Idle<P> next = each.next();
        if (next.place().equals(place)) {
          each.remove();
          return next.connection();
        }
      }
      return null;
    }
  }

  /** Closes the one that rests longest, for the sake of its buffers. */
  public void closeOne() {
    synchronized (idle) {
      Idle<P> longest = idle.pollLast();
      if (longest != null) {
        longest.connection().close();
      }
    }
  }

  private boolean isOver(Idle<P> each) {
    return System.nanoTime() - each.since() > rest.toNanos()
        || each.connection().socket().isAborted();
  }

  private void closeEach(Predicate<Idle<P>> which) {
    idle.removeIf(
        each -> {
          boolean ends = which.test(each);
          if (ends) {
            each.connection().close();
          }
          return ends;
        });
  }

  /** Closes all, and from now on each that comes. */
  @Override
  public void close() {
    synchronized (idle) {
      closed = true;
      closeEach(each -> true);
    }
  }
}
