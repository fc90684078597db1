package dev.staithe.perf.study;

import dev.staithe.perf.peers.CxfRelayPeer;
import dev.staithe.perf.peers.StaitheGatewayPeer.Variant;
import dev.staithe.perf.scenario.FloorTask;
import dev.staithe.perf.scenario.FloorTask.Work;
import dev.staithe.perf.scenario.GatewayTask.Errand;
import dev.staithe.perf.scenario.GatewayTask.Protection;
import dev.staithe.perf.scenario.LeanClientProcess;
import dev.staithe.perf.study.GatewayCalls.Manner;
import dev.staithe.perf.study.GatewayCalls.Served;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Calls through gateways by policy, by engine, and beside others. */
final class GatewayTrials {
  static final String NONE = "staithe-none";
  static final String TRANSPORT = "staithe-transport";
  static final String CONNECTING = "staithe-transport-connect";
  static final String X509 = "staithe-x509";
  static final String X509_DOM = "staithe-x509-dom";
  static final String CONVERSATION = "staithe-conversation";
  static final String CONVERSATION_DOM = "staithe-conversation-dom";

  /** What follows the name of a contestant of another checkout. */
  static final String BEFORE = "-before";

  static final String CONTEXT = "staithe-context";
  static final String CXF = CxfRelayPeer.NAME;
  static final String NGINX = "nginx";
  static final String PRIVATE_KEYS = "private-keys";

  /** The last of three tenths is left, so that a queue has an end. */
  private static final double BELOW_PEAK = 0.7;

  /** Connections of the open model: more than are ever busy at once. */
  private static final int OPEN_CLIENTS = 32;

  private static final String MESSAGES =
      "SOAP 1.1 with a body of about 2 kB of small elements both ways, "
          + GatewayCalls.CLIENTS
          + " clients on kept connections, closed model without pause, a static answer of nginx"
          + " behind. Body and timestamp are signed, the body is encrypted (SHA-256, AES-GCM; keys"
          + " are RSA-2048). The client secures all messages before the measured time and opens one"
          + " answer in a thousand; of the others it looks at status, length and end. What stands"
          + " behind the gateway and the client share a core (in between, CPU).";

  private static final String HONEST =
      MESSAGES
          + " No message is sent twice, replays are refused, timestamps count, certificates are"
          + " validated.";

  private final Bench bench;
  private final GatewayCast cast;
  private final GatewayCalls calls;
  private final double seconds;

  GatewayTrials(Bench bench, GatewayCast cast, GatewayCalls calls) {
    this.bench = bench;
    this.cast = cast;
    this.calls = calls;
    this.seconds =
        switch (bench.form()) {
          case FULL -> 8;
          case SHORT -> 2.5;
          case REHEARSAL, SMOKE -> 1;
        };
  }

  /** A policy of our gateway. */
  private record Policy(String name, Variant variant, String endpoint, Protection protection) {
    static final Policy OF_NONE = new Policy(NONE, Variant.HONEST, "none", Protection.PLAIN);
    static final Policy OF_TRANSPORT =
        new Policy(TRANSPORT, Variant.TLS, "transport", Protection.PLAIN);
    static final Policy OF_X509 = new Policy(X509, Variant.HONEST, "x509", Protection.X509);
    static final Policy OF_CONVERSATION =
        new Policy(CONVERSATION, Variant.HONEST, "conversation", Protection.CONVERSATION);
    static final List<Policy> ALL = List.of(OF_NONE, OF_TRANSPORT, OF_X509, OF_CONVERSATION);

    /** The same where replays are taken. */
    Policy ofTheArticle() {
      return protection == Protection.PLAIN
          ? this
          : new Policy(name, Variant.ARTICLE, endpoint, protection);
    }

    /** The same of another checkout. */
    Policy before() {
      return new Policy(name + BEFORE, Variant.BEFORE, endpoint, protection);
    }

    /** The same on the document tree. */
    Policy dom() {
      return new Policy(name + "-dom", variant, endpoint + "-dom", protection);
    }
  }

  private Optional<Contestant> contestant(Policy policy, Manner manner) throws IOException {
    return calls.contestant(policy.name(), served(policy), manner);
  }

  private Optional<Served> served(Policy policy) throws IOException {
    return calls.ours(policy.variant(), policy.endpoint(), policy.protection());
  }

  /** Without any protection, beside nginx. */
  Optional<Trial> none() throws IOException {
    Manner manner = Manner.honest(seconds);
    return trial(
        "none",
        "Without protection, beside nginx as proxy",
        "The same messages without protection, through our gateway, which looks at each envelope,"
            + " and through nginx, which hands it on (proxy_pass). "
            + MESSAGES,
        Measure.CPU_PER_REQUEST,
        List.of(
            contestant(Policy.OF_NONE, manner), calls.contestant(NGINX, calls.proxy(), manner)));
  }

  /** The four policies beside each other. */
  Optional<Trial> policies() throws IOException {
    var contestants = new ArrayList<Optional<Contestant>>();
    for (Policy policy : Policy.ALL) {
      contestants.add(contestant(policy, Manner.honest(seconds)));
    }
    return trial(
            "policies",
            "Four policies, honest: each message once",
            HONEST
                + " none and x509 and conversation over plain HTTP, transport over TLS 1.3."
                + " Conversation: 200 contexts, asked for before the measured time; two keys are"
                + " derived for each message.",
            Measure.MESSAGES_PER_CPU,
            contestants)
        .map(trial -> trial.ofRounds(bench.form().rounds(7, 5)));
  }

  /** As the article did it. */
  Optional<Trial> article() throws IOException {
    var contestants = new ArrayList<Optional<Contestant>>();
    for (Policy policy : Policy.ALL) {
      contestants.add(contestant(policy.ofTheArticle(), Manner.ofTheArticle(seconds)));
    }
    return trial(
        "article",
        "Four policies as in the article: few messages again and again",
        MESSAGES
            + " As the article's prepared messages were sent again and again, the gateway takes"
            + " replays here and lets clocks differ (its measuring profile); 64 messages go round."
            + " Request and response count as two messages.",
        Measure.MESSAGES_PER_CPU,
        contestants);
  }

  /** X.509 by engine, beside CXF and the least that it can cost. */
  Optional<Trial> x509() throws IOException {
    Manner manner = Manner.honest(seconds);
    var contestants = new ArrayList<Optional<Contestant>>();
    contestants.add(Optional.of(floor(PRIVATE_KEYS, Work.PRIVATE_KEYS)));
    contestants.add(contestant(Policy.OF_X509, manner));
    contestants.add(contestant(Policy.OF_X509.dom(), manner));
    contestants.add(contestant(Policy.OF_X509.before(), manner));
    if (bench.form() != Form.SMOKE) {
      contestants.add(calls.contestant(CXF, calls.relay("x509", Protection.X509), manner));
    }
    return trial(
            "x509",
            "X.509 beside its ceiling, the document tree and Apache CXF",
            HONEST
                + " "
                + PRIVATE_KEYS
                + ": a bare process on the same core, the two operations with a private key that no"
                + " exchange can do without (a key unwrapped by RSA-OAEP, a signature), by the same"
                + " library. dom: the same gateway with WSS4J's engine on a document tree. "
                + CXF
                + ": Apache CXF that relays, with the same policy, key and Java options.",
            Measure.MESSAGES_PER_CPU,
            contestants)
        .map(trial -> trial.ofRounds(bench.form().rounds(7, 5)));
  }

  /** SecureConversation by engine, beside CXF. */
  Optional<Trial> conversation() throws IOException {
    Manner manner = Manner.honest(seconds);
    var contestants = new ArrayList<Optional<Contestant>>();
    contestants.add(contestant(Policy.OF_CONVERSATION, manner));
    contestants.add(contestant(Policy.OF_CONVERSATION.dom(), manner));
    contestants.add(contestant(Policy.OF_CONVERSATION.before(), manner));
    if (bench.form() != Form.SMOKE) {
      contestants.add(
          calls.contestant(CXF, calls.relay("conversation", Protection.CONVERSATION), manner));
    }
    return trial(
            "conversation",
            "SecureConversation beside the document tree and Apache CXF",
            HONEST + " dom and " + CXF + " as with X.509.",
            Measure.MESSAGES_PER_CPU,
            contestants)
        .map(trial -> trial.ofRounds(bench.form().rounds(7, 5)));
  }

  /** What a connection for each call costs. */
  Optional<Trial> connect() throws IOException {
    Manner manner = Manner.honest(seconds);
    return trial(
        "connect",
        "TLS with a connection for each call",
        "As transport above, and the same with a connection of its own for each call; no TLS session"
            + " is resumed.",
        Measure.CPU_PER_REQUEST,
        List.of(
            contestant(Policy.OF_TRANSPORT, manner),
            calls.contestant(CONNECTING, served(Policy.OF_TRANSPORT), manner.connecting())));
  }

  /** Latency at a load that is not the most. */
  Optional<Trial> open() throws IOException {
    var contestants = new ArrayList<Optional<Contestant>>();
    for (Policy policy : Policy.ALL) {
      Optional<Served> served = served(policy);
      // Warms it where it was not yet; what warms it secures meanwhile, and is no peak.
      contestant(policy, Manner.honest(seconds));
      if (served.isPresent()) {
        calls.perform(
            served.get(), Manner.honest(seconds), Map.of(), LeanClientProcess.Watcher.NOBODY);
      }
      double rate = served.map(calls::rate).orElse(0.0) * BELOW_PEAK;
      if (rate > 0) {
        bench.remark("open: %s had %,.0f calls/s.".formatted(policy.name(), rate));
        contestants.add(contestant(policy, Manner.honest(2 * seconds).at(rate, OPEN_CLIENTS)));
      }
    }
    return trial(
        "open",
        "Latency at 70 % of the peak",
        HONEST
            + " Open model: calls are due at fixed times, at 70 % of the most that the closed model"
            + " had reached (remarks), and latency counts from then.",
        Measure.LATENCY_P99,
        contestants);
  }

  /** What a context costs. */
  Optional<Trial> contexts() throws IOException {
    Manner manner = Manner.honest(seconds).errand(Errand.CONTEXT);
    Optional<Served> ours = served(Policy.OF_CONVERSATION);
    var contestants = new ArrayList<Optional<Contestant>>();
    contestants.add(calls.contestant(CONTEXT, ours, manner));
    if (bench.form() != Form.SMOKE) {
      contestants.add(
          calls.contestant(CXF, calls.relay("conversation", Protection.CONVERSATION), manner));
    }
    return trial(
            "contexts",
            "Contexts: requests and answers of WS-Trust (RST/RSTR)",
            "A context for each request, with entropy of both sides, the messages protected by X.509. The"
                + " client secures each request and opens each answer itself, on its own core: the CPU"
                + " is the figure, not the rate.",
            Measure.REQUESTS_PER_CPU,
            contestants)
        // Calls have not warmed what makes contexts.
        .map(trial -> trial.ofWarmUps(bench.form().rounds(8, 4)));
  }

  /** From how many calls on a context is worth it. */
  Optional<Trial> sessions() throws IOException {
    Manner manner = Manner.honest(seconds).errand(Errand.SESSION);
    return Optional.of(
        Trial.of(
            bench.form(),
            "sessions",
            "Sessions of 1, 10 and 100 calls",
            "A request here is a session: so many calls by X.509, or a new context and so many calls"
                + " under it. The client secures its messages itself while it runs, on its own core:"
                + " the CPU is the figure, not the rate.",
            Measure.CPU_PER_REQUEST,
            "calls",
            List.of(Map.of("calls", "1"), Map.of("calls", "10"), Map.of("calls", "100")),
            running(
                List.of(
                    contestant(Policy.OF_X509, manner),
                    contestant(Policy.OF_CONVERSATION, manner))),
            cast.missing()));
  }

  /** The least that cryptography costs. */
  Optional<Trial> floors() throws IOException {
    return trial(
        "floors",
        "What cryptography costs at least",
        "A bare process on the gateway's core, one thread, by the libraries that the gateway takes: "
            + PRIVATE_KEYS
            + ": an RSA-2048 OAEP key unwrapped and a signature made; public-keys: a signature"
            + " verified and a key wrapped; symmetric: 2 kB digested (SHA-256), a MAC over it"
            + " (HMAC-SHA256) and AES-128-GCM over it, two times each. Each is what an exchange has"
            + " to have at least.",
        Measure.CPU_PER_REQUEST,
        List.of(
            Optional.of(floor(PRIVATE_KEYS, Work.PRIVATE_KEYS)),
            Optional.of(floor("public-keys", Work.PUBLIC_KEYS)),
            Optional.of(floor("symmetric", Work.SYMMETRIC))));
  }

  private Contestant floor(String name, Work work) throws IOException {
    return EchoTrials.floor(bench, name, cast.floor(), new FloorTask(work, seconds, ""));
  }

  private static List<Contestant> running(List<Optional<Contestant>> contestants) {
    return contestants.stream().flatMap(Optional::stream).toList();
  }

  private Optional<Trial> trial(
      String id,
      String title,
      String method,
      Measure measure,
      List<Optional<Contestant>> contestants) {
    return Optional.of(
        Trial.of(
                bench.form(),
                id,
                title,
                method,
                measure,
                "",
                List.of(Map.of()),
                running(contestants),
                cast.missing())
            .ofWarmUps(1));
  }
}
