package dev.staithe.storage.remote;

import dev.staithe.http.HttpSocket;
import dev.staithe.http.TcpInfo;
import dev.staithe.http.TcpSocket;
import dev.staithe.storage.flows.FlowMarks;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One copy as seen from outside while it runs: written by the threads that move its bytes, read by
 * the one that reports, cancelled by anyone. Safe for use by many threads.
 */
public final class CopyProgress {
  /** What a copy is doing; the marker's {@code State}. */
  public enum Phase {
    QUEUED("queued"),
    CONNECTING("connecting"),
    TRANSFERRING("transferring"),
    VERIFYING("verifying"),
    /** The sender is told what came, and its word is awaited. */
    ACKNOWLEDGING("acknowledging");

    private final String label;

    Phase(String label) {
      this.label = label;
    }

    /** As in markers. */
    public String label() {
      return label;
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final AtomicLong bytes = new AtomicLong();
  private final Set<String> remotes = new LinkedHashSet<>();
  private final Set<HttpSocket> sockets = new LinkedHashSet<>();
  private final Map<HttpSocket, FlowMarks.Mark> flows = new HashMap<>();
  private final Map<HttpSocket, TcpSocket> found = new HashMap<>();
  private final LongAdder storage = new LongAdder();
  private final CopyTuning.Sending sending;
  private final Function<HttpSocket, FlowMarks.Mark> marking;
  private volatile Phase phase = Phase.QUEUED;
  private volatile @Nullable String cancelled;
  private @Nullable CopyResult result;
  private volatile boolean cleaningUp;
  private volatile long size = -1;
  private volatile long started;

  /** Nanoseconds that connections waited which are closed. */
  private long waited;

  /** Of a copy that nothing is measured of but bytes. */
  public CopyProgress() {
    this(CopyTuning.Sending.USUAL, socket -> FlowMarks.Mark.NONE);
  }

  /**
   * Makes one.
   *
   * @param sending how the kernel sends on its connections
   * @param marking marks the flow of a connection that stands
   */
  public CopyProgress(CopyTuning.Sending sending, Function<HttpSocket, FlowMarks.Mark> marking) {
    this.sending = sending;
    this.marking = marking;
  }

  /** Says that so many bytes are moved in all; a smaller number than before changes nothing. */
  public void moved(long total) {
    bytes.accumulateAndGet(total, Math::max);
  }

  /** Bytes moved; never decreases. */
  public long bytes() {
    return bytes.get();
  }

  /** Says how many bytes are to be moved in all. */
  public void expect(long total) {
    size = total;
  }

  /** Bytes to be moved in all, -1 where nobody knows. */
  public long size() {
    return size;
  }

  /** When its turn came, by {@link System#nanoTime}; 0 where it has not come. */
  public long started() {
    return started;
  }

  /** Says that the storage here took so many nanoseconds to give or take a part of the file. */
  public void stored(long nanos) {
    storage.add(nanos);
  }

  /** Nanoseconds that the storage here took so far, over all streams. */
  public long storageNanos() {
    return storage.sum();
  }

  /** Nanoseconds that were spent waiting for remote ends so far, over all streams. */
  public long peerNanos() {
    lock.lock();
    try {
      return waited + sockets.stream().mapToLong(HttpSocket::waitedUntilNow).sum();
    } finally {
      lock.unlock();
    }
  }

  /**
   * What the kernel knows of the data connections that stand.
   *
   * @param peer the remote end, as {@link #remotes} has it
   */
  public record Connection(String peer, TcpInfo info) {}

  /** Those that stand, as the kernel has them now; empty where it is not to be asked. */
  public List<Connection> connections() {
    lock.lock();
    try {
      List<Connection> connections = new ArrayList<>();
      for (HttpSocket socket : flows.keySet()) {
        InetSocketAddress local = socket.local();
        InetSocketAddress remote = socket.remote();
        if (local == null || remote == null) {
          continue;
        }
        TcpSocket known = found.get(socket);
        if (known == null) {
          known = TcpSocket.find(local, remote).orElse(null);
        }
        if (known != null) {
          found.put(socket, known);
          known.info().ifPresent(info -> connections.add(new Connection(peer(remote), info)));
        }
      }
      return connections;
    } finally {
      lock.unlock();
    }
  }

  /** Where it is. */
  public Phase phase() {
    return phase;
  }

  /** Goes on to the next phase. */
  public void enter(Phase next) {
    lock.lock();
    try {
      phase = next;
      if (started == 0) {
        started = System.nanoTime();
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The remote ends of data connections so far: {@code tcp:192.0.2.7:8443}. */
  public List<String> remotes() {
    lock.lock();
    try {
      return List.copyOf(remotes);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Puts a socket under this copy, so that cancelling closes it.
   *
   * @throws RemoteFailure where the copy is cancelled already
   */
  void opened(HttpSocket socket) throws RemoteFailure {
    lock.lock();
    try {
      refuseIfCancelled();
      sockets.add(socket);
    } finally {
      lock.unlock();
    }
  }

  /** Has a connection with that address. */
  public void connected(InetSocketAddress peer) {
    lock.lock();
    try {
      remotes.add(peer(peer));
    } finally {
      lock.unlock();
    }
  }

  /** How the kernel sends on connections of this copy. */
  CopyTuning.Sending sending() {
    return sending;
  }

  /** Says that the connection is ready for requests. */
  void ready(HttpSocket socket) {
    CopyTuning.apply(sending, socket);
    FlowMarks.Mark mark = marking.apply(socket);
    lock.lock();
    try {
      flows.put(socket, mark);
    } finally {
      lock.unlock();
    }
  }

  void closed(HttpSocket socket) {
    FlowMarks.Mark mark;
    lock.lock();
    try {
      if (sockets.remove(socket)) {
        waited += socket.waited();
      }
      found.remove(socket);
      mark = flows.remove(socket);
    } finally {
      lock.unlock();
    }
    if (mark != null) {
      mark.close();
    }
  }

  /**
   * Ends the copy from outside; only the first reason counts, and not after its end. What removes
   * its remains goes on.
   */
  public void cancel(String why) {
    lock.lock();
    try {
      if (result != null || cancelled != null) {
        return;
      }
      cancelled = why;
      if (!cleaningUp) {
        List.copyOf(sockets).forEach(socket -> socket.abort(why));
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Why the copy is cancelled, if it is. */
  public @Nullable String cancelled() {
    return cancelled;
  }

  /**
   * Lets the copy talk to the remote server once more to clean up, whether it was cancelled or is
   * meanwhile.
   */
  void cleanUp() {
    lock.lock();
    try {
      cleaningUp = true;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the copy; only the first result counts. */
  public void finish(CopyResult end) {
    lock.lock();
    try {
      if (result == null) {
        result = end;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** How the copy ended, if it has. */
  public @Nullable CopyResult result() {
    lock.lock();
    try {
      return result;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the copy ends or leaves {@code from}, that long at most. */
  public void awaitChange(Set<Phase> from, long nanos) throws InterruptedException {
    lock.lock();
    try {
      long left = nanos;
      while (left > 0 && result == null && from.contains(phase)) {
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for a remote server that is not ready.
   *
   * @throws RemoteFailure where the copy is cancelled meanwhile
   */
  void pause(Duration time) throws RemoteFailure {
    lock.lock();
    try {
      long left = time.toNanos();
      while (left > 0) {
        refuseIfCancelled();
        left = changed.awaitNanos(left);
      }
      refuseIfCancelled();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw RemoteFailure.late("interrupted");
    } finally {
      lock.unlock();
    }
  }

  /** Stops the caller where the copy is cancelled. */
  public void refuseIfCancelled() throws RemoteFailure {
    String why = cancelled;
    if (why != null && !cleaningUp) {
      throw RemoteFailure.late(why);
    }
  }

  /** Waits for the end, that long at most. */
  boolean awaitEnd(long millis) throws InterruptedException {
    lock.lock();
    try {
      long left = TimeUnit.MILLISECONDS.toNanos(millis);
      while (left > 0 && result == null) {
        left = changed.awaitNanos(left);
      }
      return result != null;
    } finally {
      lock.unlock();
    }
  }

  private static String peer(InetSocketAddress end) {
    return "tcp:" + written(end.getAddress()) + ":" + end.getPort();
  }

  private static String written(InetAddress address) {
    String text = address.getHostAddress();
    int zone = text.indexOf('%');
    String plain = zone < 0 ? text : text.substring(0, zone);
    return plain.indexOf(':') >= 0 ? "[" + plain + "]" : plain;
  }
}
