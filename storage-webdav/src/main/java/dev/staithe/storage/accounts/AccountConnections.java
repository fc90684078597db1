package dev.staithe.storage.accounts;

import static dev.staithe.storage.accounts.HelperErrors.EMFILE;
import static dev.staithe.storage.accounts.HelperErrors.ENFILE;

import dev.staithe.storage.files.NoDescriptorException;
import dev.staithe.storage.files.StoreAwayException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The process that opens, names and removes files as local accounts, asked over a local socket.
 * Threads of the system wait for it and for the files' bytes: a virtual thread that waits within
 * the kernel would hold up others. Safe for use by many threads.
 */
final class AccountConnections implements AutoCloseable {
  static final String AWAY =
      "the helper that keeps this area's files under local accounts does not answer at present";

  /** Until an answer is waited for no more: the file system behind may be on other machines. */
  private static final int PATIENCE_SECONDS = 60;

  private static final int AT_ONCE = 32;

  private final Path socket;
  private final String tree;
  private final ThreadPoolExecutor threads;

  /** Connections that nobody uses now, the last one used first. */
  private final Deque<Integer> idle = new ConcurrentLinkedDeque<>();

  private volatile boolean closed;

  /**
   * @param tree the name by which the helper knows the folder
   */
  AccountConnections(Path socket, String tree) {
    this.socket = socket;
    this.tree = tree;
    this.threads =
        new ThreadPoolExecutor(
            AT_ONCE,
            AT_ONCE,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().name("accounts-", 0).daemon().factory());
    threads.allowCoreThreadTimeOut(true);
  }

  /**
   * Does something on a thread of the system, and waits for it whatever happens: it uses memory and
   * descriptors of the one who asks.
   */
  <T> T apart(Callable<T> work) throws IOException {
    Future<T> future = threads.submit(work);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return future.get();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Asks it.
   *
   * @throws StoreAwayException where it does not answer; whether it has done what it was asked for
   *     is then unknown
   * @throws NoDescriptorException where this process has none left to ask by, or for the answer
   */
  HelperAnswer ask(HelperCall call) throws IOException {
    byte[] packet = call.packet(tree);
    return apart(
        () -> {
          try {
            return asked(packet, call.file());
          } catch (LinuxSockets.Failure e) {
            throw e.errno() == EMFILE || e.errno() == ENFILE
                ? new NoDescriptorException(e)
                : new StoreAwayException(AWAY, e);
          }
        });
  }

  private HelperAnswer asked(byte[] packet, int file) throws IOException {
    int connection = sent(packet, file);
    boolean usable = false;
    try {
      HelperAnswer answer = HelperAnswer.of(LinuxSockets.receive(connection));
      if (answer == null) {
        throw new StoreAwayException(AWAY, new IOException("the helper has ended the connection"));
      }
      usable = true;
      return answer;
    } finally {
      if (usable && !closed) {
        idle.addFirst(connection);
      } else {
        LinuxSockets.close(connection);
      }
    }
  }

  /** Sends a packet over a connection that takes it: one that was kept may have ended meanwhile. */
  private int sent(byte[] packet, int file) throws LinuxSockets.Failure {
    for (Integer kept = idle.pollFirst(); kept != null; kept = idle.pollFirst()) {
      try {
        LinuxSockets.send(kept, packet, file);
        return kept;
      } catch (LinuxSockets.Failure gone) {
        LinuxSockets.close(kept);
      }
    }
    int connection = LinuxSockets.connect(socket, PATIENCE_SECONDS);
    try {
      LinuxSockets.send(connection, packet, file);
      return connection;
    } catch (LinuxSockets.Failure e) {
      LinuxSockets.close(connection);
      throw e;
    }
  }

  @Override
  public void close() {
    closed = true;
    threads.shutdown();
    for (Integer kept = idle.pollFirst(); kept != null; kept = idle.pollFirst()) {
      LinuxSockets.close(kept);
    }
  }
}
