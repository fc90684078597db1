package dev.staithe.perf.visit;

import dev.staithe.perf.lean.ClientConnection;
import dev.staithe.perf.lean.GatewayTask;
import dev.staithe.perf.lean.GatewayTask.Errand;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/** One client of a {@link GatewayTask}. Not thread-safe. */
final class GatewayVisitor implements Visitor {
  static final String CONTEXT = "1 context";
  static final String CALL = "2 call";

  /** Answers to messages of one length differ by no more than what is random in them. */
  private static final double MOST_DIFFERENCE = 0.1;

  private final GatewayTask task;
  private final Shared shared;
  private final GatewayDoor door;
  private final SecuredMessages.Client client;
  private final Steps steps;
  private final int number;

  /**
   * What all clients of a task share.
   *
   * @param supply of messages
   * @param length of a usual answer; 0 until the first is there
   */
  record Shared(MessageSupply supply, AtomicLong length) {
    Shared(GatewayTask task) {
      this(new MessageSupply(task.unique()), new AtomicLong());
    }
  }

  /**
   * @param number of the client, from 0
   * @param steps told of each step of a session; a call by itself has none
   */
  GatewayVisitor(
      GatewayTask task,
      Shared shared,
      GatewayDoor door,
      SecuredMessages.Client client,
      int number,
      Steps steps) {
    this.task = task;
    this.shared = shared;
    this.door = door;
    this.client = client;
    this.number = number;
    this.steps = steps;
  }

  @Override
  public void prepare() throws IOException {
    if (task.errand() == Errand.CALL) {
      MessageMaker maker = client.maker(door, share(task.contexts()));
      int share = share(task.messages());
      for (int i = 0; i < share; i++) {
        shared.supply().add(maker.next());
      }
    }
    if (task.keepAlive()) {
      door.connect();
    }
  }

  /** This client's part of what all make together, at least 1. */
  private int share(int all) {
    int part = all / task.clients() + (number < all % task.clients() ? 1 : 0);
    return Math.max(1, part);
  }

  @Override
  public long visit(long due) throws IOException {
    return switch (task.errand()) {
      case CALL -> {
        Prepared message = shared.supply().take();
        if (message == null) {
          throw new IOException("no message is left");
        }
        yield call(message, due);
      }
      case CONTEXT -> {
        client.context(door);
        yield System.nanoTime() - due;
      }
      case SESSION -> session();
    };
  }

  /** The client's own work on messages is no waiting. */
  private long session() throws IOException {
    long began = System.nanoTime();
    MessageMaker maker = client.maker(door, 1);
    long waited = System.nanoTime() - began;
    steps.took(CONTEXT, waited);
    for (int i = 0; i < task.calls(); i++) {
      Prepared message = maker.next();
      long took = call(i == 0 ? message : message.unchecked(), System.nanoTime());
      steps.took(CALL, took);
      waited += took;
    }
    return waited;
  }

  /** Opening the answer is the client's work, and no part of the time. */
  private long call(Prepared message, long due) throws IOException {
    boolean opened = message.check() != Prepared.Check.NONE;
    ClientConnection.Answer answer = door.send(message.envelope(), OrderMessages.ACTION, opened);
    long took = System.nanoTime() - due;
    if (opened) {
      message.check().judge(answer.content());
      shared.length().compareAndSet(0, answer.bytes());
    }
    long usual = shared.length().get();
    if (usual > 0 && Math.abs(answer.bytes() - usual) > MOST_DIFFERENCE * usual) {
      throw new IOException(
          "an answer has %d bytes and not about %d".formatted(answer.bytes(), usual));
    }
    return took;
  }

  @Override
  public void forget() {
    door.disconnect();
  }

  @Override
  public void tidyUp() {
    // Contexts expire.
  }

  @Override
  public String cipher() {
    return door.cipher();
  }

  @Override
  public void close() {
    door.close();
  }
}
