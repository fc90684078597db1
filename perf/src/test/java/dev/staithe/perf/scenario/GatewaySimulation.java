package dev.staithe.perf.scenario;

import static io.gatling.javaapi.core.CoreDsl.ByteArrayBody;
import static io.gatling.javaapi.core.CoreDsl.asLongAs;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.bodyBytes;
import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.doIf;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.feed;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.listFeeder;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import dev.staithe.perf.lean.GatewayTask;
import dev.staithe.perf.visit.GatewayDoor;
import dev.staithe.perf.visit.MessageMaker;
import dev.staithe.perf.visit.MessageSupply;
import dev.staithe.perf.visit.OrderMessages;
import dev.staithe.perf.visit.Prepared;
import dev.staithe.perf.visit.SecuredMessages;
import dev.staithe.tls.ClientTls;
import dev.staithe.tls.ClientTlsSettings;
import dev.staithe.tls.TlsProvider;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.FeederBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The article's benchmark of a gateway: clients that send messages which were secured before, so
 * that they do no cryptography. Each message is sent once (from a queue, and the run ends when none
 * is left), or few go round ({@code circular}), which a gateway only takes in its measuring
 * profile. One answer in a thousand is opened, of the others status, length and end are looked at.
 *
 * <p>It fails where one request fails, or where none was made in the measured phase.
 */
public final class GatewaySimulation extends Simulation {
  private static final String CALL = "call";
  private static final String MESSAGE = "message";

  private final GatewayTarget target = settings();
  private final AtomicInteger left = new AtomicInteger(target.messages().messages());
  private final Phases phases =
      new Phases(target.warmUp(), target.measured(), java.time.Duration.ZERO, System::nanoTime);

  /** Takes the settings of {@link GatewayTarget}, and makes the messages. */
  public GatewaySimulation() {
    var calls = scenario("clients").exec(this::begun);
    FeederBuilder<Object> messages = messages();
    setUp(
            target.rate() > 0
                ? calls
                    .exec(doIf(session -> mayCall()).then(call(messages)))
                    .injectOpen(
                        constantUsersPerSec(target.rate())
                            .during(target.warmUp().plus(target.measured())))
                : calls
                    .exec(asLongAs(session -> phases.running() && mayCall()).on(call(messages)))
                    .injectOpen(atOnceUsers(target.messages().clients())))
        .protocols(protocol())
        .assertions(
            global().failedRequests().count().is(0L),
            details(CALL).successfulRequests().count().gt(0L));
  }

  private static GatewayTarget settings() {
    try {
      GatewayTarget target = GatewayTarget.from(Settings.ofThisProcess());
      if (!target.messages().authority().isEmpty()) {
        Trust.only(Path.of(target.messages().authority()));
      }
      return target;
    } catch (IllegalArgumentException e) {
      throw ended("" + e.getMessage(), e);
    }
  }

  /** In one line: Gatling would bury the reason below two screens of its own calls. */
  private static IllegalStateException ended(String line, Exception reason) {
    System.err.println("simulation: " + line);
    System.exit(64);
    return new IllegalStateException(line, reason);
  }

  private Session begun(Session session) {
    phases.begin();
    return session;
  }

  /** Takes one of those that are left: an empty queue would crash the run. */
  private boolean mayCall() {
    return !target.messages().unique() || left.getAndDecrement() > 0;
  }

  private FeederBuilder<Object> messages() {
    GatewayTask task = target.messages();
    try (ClientTls tls = tls(task);
        var door = new GatewayDoor(URI.create(task.url()), true, tls)) {
      MessageMaker maker = SecuredMessages.of(task, Clock.systemUTC()).maker(door, task.contexts());
      List<Map<String, Object>> made = new ArrayList<>();
      for (int i = 0; i < task.messages(); i++) {
        Prepared message = maker.next();
        made.add(Map.of(MESSAGE, i % MessageSupply.SAMPLE == 0 ? message : message.unchecked()));
      }
      FeederBuilder<Object> feeder = listFeeder(made);
      return task.unique() ? feeder.queue() : feeder.circular();
    } catch (IOException e) {
      throw ended("messages cannot be made: " + e.getMessage(), e);
    }
  }

  /** Of a client that asks for contexts; what is made without it needs none. */
  private static @Nullable ClientTls tls(GatewayTask task) throws IOException {
    return GatewayTarget.asksByTls(task)
        ? ClientTls.open(
            ClientTlsSettings.of(Path.of(task.authority())),
            TlsProvider.choose(TlsProvider.Choice.AUTO),
            Clock.systemUTC())
        : null;
  }

  private ChainBuilder call(FeederBuilder<Object> messages) {
    return exec(
        feed(messages),
        http(session -> phases.name(CALL))
            .post(target.messages().url())
            .header("Content-Type", "text/xml; charset=utf-8")
            .header("SOAPAction", '"' + OrderMessages.ACTION + '"')
            .body(ByteArrayBody(session -> message(session).envelope()))
            .check(
                status().is(200),
                bodyBytes()
                    .validate(
                        "answer",
                        (answer, session) -> {
                          judge(answer, message(session));
                          return answer;
                        })));
  }

  private static Prepared message(Session session) {
    Prepared message = session.get(MESSAGE);
    if (message == null) {
      throw new IllegalStateException("no message was fed");
    }
    return message;
  }

  private static void judge(byte[] answer, Prepared message) {
    try {
      GatewayDoor.requireEnvelope(answer);
      message.check().judge(answer);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static HttpProtocolBuilder protocol() {
    return http.acceptEncodingHeader("identity")
        .userAgentHeader("staithe-perf")
        .shareConnections()
        .disableWarmUp()
        .disableCaching()
        .disableFollowRedirect()
        .disableAutoReferer()
        .disableAutoOrigin();
  }
}
