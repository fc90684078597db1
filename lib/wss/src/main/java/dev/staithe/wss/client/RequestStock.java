package dev.staithe.wss.client;

import dev.staithe.wss.Reply;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes many messages of one request ahead of a measurement, no two of them the same, and judges
 * answers to them later. Several initiators, as for several contexts, take turns: message {@code n}
 * is of initiator {@code n % k}. Thread-safe.
 */
public final class RequestStock {
  private record Turn(Initiator initiator, Reply.Keys answers, AnswerReader reader) {}

  /** So many are made by one thread at a time. */
  private static final int BATCH = 256;

  private final List<Turn> turns = new ArrayList<>();
  private final PlainRequest request;
  private final AtomicLong made = new AtomicLong();

  /**
   * Nothing is made yet.
   *
   * @throws UnusableMessage where answers cannot be judged without their own request, as those
   *     under keys that each request brings
   */
  public RequestStock(List<Initiator> initiators, PlainRequest request) throws UnusableMessage {
    for (Initiator each : initiators) {
      Reply.Keys answers = each.keys().answers();
      if (answers == null) {
        throw new UnusableMessage("the policy has keys of its own for each exchange");
      }
      turns.add(
          new Turn(each, answers, new AnswerReader(each.policy(), each.holder(), each.clock())));
    }
    if (turns.isEmpty()) {
      throw new UnusableMessage("nobody makes messages");
    }
    this.request = request;
  }

  /** The {@code Content-Type} of all messages. */
  public String contentType() {
    return request.contentType();
  }

  /** The {@code SOAPAction} of all messages of SOAP 1.1. */
  public String action() {
    return request.action();
  }

  /** One more message: a whole envelope. */
  public byte[] next() throws UnusableMessage {
    return turn(made.getAndIncrement()).initiator().secure(request).envelope();
  }

  /**
   * Writes messages, each as its length in four bytes, the most significant first, and the
   * envelope; the first one is message 0 for {@link #judge}.
   *
   * @param threads that make them
   * @throws IOException where the stream fails; the stream is not closed
   */
  public void write(int count, int threads, OutputStream out) throws IOException {
    try (var workers = Executors.newFixedThreadPool(threads)) {
      var waiting = new ArrayDeque<Future<List<byte[]>>>();
      int from = 0;
      while (from < count || !waiting.isEmpty()) {
        while (from < count && waiting.size() < 2 * threads) {
          int first = from;
          int after = Math.min(count, first + BATCH);
          waiting.add(workers.submit(() -> batch(first, after)));
          from = after;
        }
        for (byte[] each : waiting.remove().get()) {
          int length = each.length;
          out.write(length >>> 24);
          out.write(length >>> 16);
          out.write(length >>> 8);
          out.write(length);
          out.write(each);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted");
    } catch (ExecutionException e) {
      throw new IOException("messages cannot be made: " + e.getCause(), e);
    }
  }

  private List<byte[]> batch(int first, int after) throws UnusableMessage {
    var batch = new ArrayList<byte[]>(after - first);
    for (int i = first; i < after; i++) {
      batch.add(turn(i).initiator().secure(request).envelope());
    }
    return batch;
  }

  /** Decrypts and verifies the answer to message {@code n}. */
  public SoapResponse judge(long n, byte[] answer) {
    Turn turn = turn(n);
    return turn.reader().read(answer, turn.answers());
  }

  private Turn turn(long n) {
    return turns.get((int) (n % turns.size()));
  }
}
