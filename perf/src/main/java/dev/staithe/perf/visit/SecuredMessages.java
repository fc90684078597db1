package dev.staithe.perf.visit;

import dev.staithe.perf.lean.GatewayTask;
import dev.staithe.perf.lean.GatewayTask.Protection;
import dev.staithe.pki.Credential;
import dev.staithe.pki.Pem;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.client.ContextExchange;
import dev.staithe.wss.client.Holder;
import dev.staithe.wss.client.Initiator;
import dev.staithe.wss.client.PlainRequest;
import dev.staithe.wss.client.RequestStock;
import dev.staithe.wss.client.SoapResponse;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.xml.SoapVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Secures the messages of a task by the built-in policies, as any client of WS-Security does.
 * Thread-safe.
 */
public final class SecuredMessages {
  /** Longer than any piece of work. */
  private static final Duration LIFETIME = Duration.ofMinutes(20);

  private final GatewayTask task;
  private final EndpointPolicy policy;
  private final Holder holder;
  private final PlainRequest request;
  private final Clock clock;

  private SecuredMessages(GatewayTask task, EndpointPolicy policy, Holder holder, Clock clock) {
    this.task = task;
    this.policy = policy;
    this.holder = holder;
    this.clock = clock;
    this.request =
        PlainRequest.of(
            SoapVersion.SOAP_1_1,
            OrderMessages.ACTION,
            task.url(),
            new OrderMessages(task.payload()).body());
  }

  /**
   * Clients of one task.
   *
   * @param clock of timestamps
   * @throws IOException where its credential cannot be read
   */
  public static Client of(GatewayTask task, Clock clock) throws IOException {
    if (task.protection() == Protection.PLAIN) {
      return (door, contexts) -> new OrderMessages(task.payload());
    }
    Path own = Path.of(task.credential());
    Path service = Path.of(task.service());
    var messages =
        new SecuredMessages(
            task,
            policy(task.protection()),
            Holder.of(Credential.read(own, own), Pem.readCertificates(service).getFirst()),
            clock);
    return task.protection() == Protection.X509 ? messages.signing() : messages.conversing();
  }

  private static EndpointPolicy policy(Protection protection) {
    return BuiltInPolicies.policy(protection.name().toLowerCase(Locale.ROOT), AlgorithmList.MODERN);
  }

  private Client signing() {
    return (door, contexts) -> maker(List.of(new Initiator(policy, holder, null, clock)));
  }

  private Client conversing() {
    return new Client() {
      @Override
      public MessageMaker maker(GatewayDoor door, int contexts) throws IOException {
        var initiators = new ArrayList<Initiator>();
        for (int i = 0; i < contexts; i++) {
          initiators.add(new Initiator(policy, holder, issued(door), clock));
        }
        return SecuredMessages.this.maker(initiators);
      }

      @Override
      public void context(GatewayDoor door) throws IOException {
        issued(door).end();
      }
    };
  }

  private SecurityContext issued(GatewayDoor door) throws IOException {
    var exchange =
        ContextExchange.issue(policy, holder, SoapVersion.SOAP_1_1, task.url(), LIFETIME, clock);
    byte[] answer =
        door.send(exchange.request().envelope(), exchange.request().action(), true).content();
    return switch (exchange.read(answer)) {
      case ContextExchange.Outcome.Granted(SecurityContext context) -> context;
      case ContextExchange.Outcome.Ended() -> throw new IOException("a context has ended at once");
      case ContextExchange.Outcome.NotGranted(SoapResponse heard) ->
          throw new IOException("no context: " + heard);
    };
  }

  private MessageMaker maker(List<Initiator> initiators) throws IOException {
    var stock = new RequestStock(initiators, request);
    var made = new AtomicLong();
    return () -> {
      long number = made.getAndIncrement();
      return new Prepared(stock.next(), answer -> judge(stock.judge(number, answer)));
    };
  }

  private static void judge(SoapResponse heard) throws IOException {
    if (!(heard instanceof SoapResponse.Message answer)) {
      throw new IOException("an answer is not as it should be: " + heard);
    }
    OrderMessages.taken(answer.payload().getBytes(StandardCharsets.UTF_8));
  }

  /** One client. For one thread at a time, but for those of plain messages and of signatures. */
  public interface Client {
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
