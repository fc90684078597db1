package dev.staithe.perf.scenario;

import dev.staithe.perf.scenario.GatewayTask.Protection;
import java.io.IOException;
import java.time.Clock;

/** Secures the messages of a task, as a client of WS-Security does. Thread-safe. */
final class SecuredMessages {
  private final GatewayTask task;

  private SecuredMessages(GatewayTask task) {
    this.task = task;
  }

  /**
   * For one task.
   *
   * @param clock of timestamps
   * @throws IOException where its credential cannot be read
   */
  static SecuredMessages of(GatewayTask task, Clock clock) throws IOException {
    if (task.protection() != Protection.PLAIN) {
      throw new IOException("no client for " + task.protection());
    }
    return new SecuredMessages(task);
  }

  /** One of its clients. */
  Client client() {
    return (door, contexts) -> new OrderMessages(task.payload());
  }

  /** One client. For one thread. */
  interface Client {
    /**
     * Messages that go round over so many new contexts, where the protection has any.
     *
     * @param contexts at least 1
     */
    MessageMaker maker(GatewayDoor door, int contexts) throws IOException;

    /** Has a context made. */
    default void context(GatewayDoor door) throws IOException {
      throw new IOException("there are no contexts without WS-SecureConversation");
    }
  }
}
