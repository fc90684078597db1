package dev.staithe.perf.visit;

import dev.staithe.perf.lean.ClientConnection.Answer;
import dev.staithe.perf.lean.ClientCredential;
import dev.staithe.perf.lean.DelegationTask;
import dev.staithe.perf.lean.DelegationTask.Errand;
import dev.staithe.perf.lean.SoapMessages;
import dev.staithe.perf.lean.UserAgent;
import dev.staithe.perf.visit.DelegatingUser.Asked;
import dev.staithe.pki.Credential;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One user of a {@link DelegationTask}. Not thread-safe. */
final class DelegationVisitor implements Visitor {
  static final String REQUEST = "1 request of the service";
  static final String SIGNATURE = "2 signature by the client";
  static final String PUT = "3 proxy to the service";
  static final String CALL = "4 call";

  private static final Map<String, String> SOAP =
      Map.of("Content-Type", "text/xml; charset=utf-8", "SOAPAction", "\"\"");
  private static final String SAID = "The ship has reached the staithe";

  /** What echo-service says where it acts for somebody. */
  private static final String FOR = " for ";

  private final DelegationTask task;
  private final DelegatingUser user;
  private final UserAgent agent;
  private final int number;
  private final Steps steps;
  private final List<String> left = new ArrayList<>();
  private String session = "";
  private long named;

  /**
   * @param number of the user, for ids
   * @param steps told of each step; not of those of {@link #prepare}
   */
  DelegationVisitor(
      DelegationTask task,
      ClientCredential tls,
      Credential person,
      int number,
      Clock clock,
      Steps steps)
      throws IOException {
    this.task = task;
    this.user = new DelegatingUser(person, clock);
    this.agent = new UserAgent(tls, true);
    this.number = number;
    this.steps = steps;
  }

  @Override
  public void prepare() throws IOException {
    Steps unmeasured = (step, nanos) -> {};
    switch (task.errand()) {
      // Whatever it answers to a GET: the handshake is done with it.
      case NEW, NAMED -> agent.send("GET", URI.create(task.delegation() + "?wsdl"), Map.of(), null);
      case CALL -> call("", unmeasured);
      case CALL_IN_SESSION -> {
        delegate(unmeasured);
        session = left.getLast();
        call(session, unmeasured);
      }
      case CALL_WITH_NEW -> {
        delegate(unmeasured);
        call(left.getLast(), unmeasured);
      }
    }
  }

  @Override
  public long visit(long due) throws IOException {
    return switch (task.errand()) {
      case NEW, NAMED -> delegate(steps);
      case CALL -> call("", steps);
      case CALL_IN_SESSION -> call(session, steps);
      case CALL_WITH_NEW -> {
        long waited = delegate(steps);
        yield waited + call(left.getLast(), steps);
      }
    };
  }

  private long delegate(Steps told) throws IOException {
    long began = System.nanoTime();
    Asked asked;
    if (task.errand() == Errand.NAMED) {
      String id = "perf-" + number + "-" + named++;
      asked = DelegatingUser.asked(id, answered(SoapMessages.gridSite("getProxyReq", id)));
    } else {
      asked = DelegatingUser.newlyAsked(answered(SoapMessages.gridSite("getNewProxyReq")));
    }
    long requested = System.nanoTime();
    told.took(REQUEST, requested - began);
    String chain = user.sign(asked);
    long signed = System.nanoTime();
    told.took(SIGNATURE, signed - requested);
    String answer = answered(SoapMessages.putProxy(asked.id(), chain));
    if (!answer.contains("putProxyResponse")) {
      throw new IOException("putProxy was answered " + answer);
    }
    long put = System.nanoTime();
    told.took(PUT, put - signed);
    left.add(asked.id());
    return requested - began + put - signed;
  }

  private String answered(String message) throws IOException {
    Answer answer = ask(message);
    if (answer.status() != 200) {
      throw new IOException(
          "a delegation was answered %d %s".formatted(answer.status(), answer.beginning()));
    }
    return answer.text();
  }

  private Answer ask(String message) throws IOException {
    return agent.send(
        "POST", URI.create(task.delegation()), SOAP, message.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * @param delegation its id; empty where nothing is told of one
   */
  private long call(String delegation, Steps told) throws IOException {
    long began = System.nanoTime();
    String message =
        delegation.isEmpty()
            ? SoapMessages.sampleEcho(SAID)
            : SoapMessages.sampleEcho(SAID, task.told(), delegation);
    Answer answer =
        agent.send("POST", URI.create(task.call()), SOAP, message.getBytes(StandardCharsets.UTF_8));
    String text = answer.text();
    if (answer.status() != 200
        || !text.contains(SAID)
        || text.contains(FOR) == delegation.isEmpty()) {
      throw new IOException(
          "echoString was answered %d %s".formatted(answer.status(), answer.beginning()));
    }
    long took = System.nanoTime() - began;
    told.took(CALL, took);
    return took;
  }

  @Override
  public void forget() throws IOException {
    for (String address : List.of(task.delegation(), task.call())) {
      if (!address.isEmpty()) {
        agent.disconnect(UserAgent.origin(URI.create(address)));
      }
    }
  }

  @Override
  public void tidyUp() {
    for (String id : left) {
      try {
        ask(SoapMessages.gridSite("destroy", id));
      } catch (IOException e) {
        // then it expires
      }
    }
  }

  @Override
  public String cipher() {
    return agent.cipher();
  }

  @Override
  public void close() {
    agent.close();
  }
}
