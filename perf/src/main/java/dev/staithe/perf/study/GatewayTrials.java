package dev.staithe.perf.study;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Contestant;
import dev.staithe.perf.harness.Draft;
import dev.staithe.perf.harness.Trial;
import dev.staithe.perf.lean.FloorTask;
import dev.staithe.perf.lean.FloorTask.Work;
import dev.staithe.perf.lean.GatewayTask.Errand;
import dev.staithe.perf.lean.GatewayTask.Protection;
import dev.staithe.perf.result.Form;
import dev.staithe.perf.scenario.LeanClientProcess;
import dev.staithe.perf.services.CxfRelayPeer;
import dev.staithe.perf.services.StaitheGatewayPeer.Variant;
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
  static final String CONVERSATION = "staithe-conversation";

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

  private final Bench bench;
  private final GatewayCast cast;
  private final GatewayCalls calls;
  private final double seconds;

  GatewayTrials(Bench bench, GatewayCast cast, GatewayCalls calls) {
    this.bench = bench;
    this.cast = cast;
    this.calls = calls;
    this.seconds = bench.form().choose(8, 2.5, 1, 1);
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

  /** Apache CXF by the same policy; the smoke form is without it. */
  private Optional<Contestant> relay(Policy policy, Manner manner) throws IOException {
    return bench.form() == Form.SMOKE
        ? Optional.empty()
        : calls.contestant(CXF, calls.relay(policy.endpoint(), policy.protection()), manner);
  }

  /** Without any protection, beside nginx. */
  Trial none(Draft draft) throws IOException {
    Manner manner = Manner.honest(seconds);
    return draft.trial(
        contestant(Policy.OF_NONE, manner), calls.contestant(NGINX, calls.proxy(), manner));
  }

  /** The four policies beside each other. */
  Trial policies(Draft draft) throws IOException {
    var contestants = new ArrayList<Optional<Contestant>>();
    for (Policy policy : Policy.ALL) {
      contestants.add(contestant(policy, Manner.honest(seconds)));
    }
    return draft.trialOf(contestants);
  }

  /** As the article did it. */
  Trial article(Draft draft) throws IOException {
    var contestants = new ArrayList<Optional<Contestant>>();
    for (Policy policy : Policy.ALL) {
      contestants.add(contestant(policy.ofTheArticle(), Manner.ofTheArticle(seconds)));
    }
    return draft.trialOf(contestants);
  }

  /** X.509 by engine, beside CXF and the least that it can cost. */
  Trial x509(Draft draft) throws IOException {
    Manner manner = Manner.honest(seconds);
    return draft.trial(
        Optional.of(floor(PRIVATE_KEYS, Work.PRIVATE_KEYS)),
        contestant(Policy.OF_X509, manner),
        contestant(Policy.OF_X509.dom(), manner),
        contestant(Policy.OF_X509.before(), manner),
        relay(Policy.OF_X509, manner));
  }

  /** SecureConversation by engine, beside CXF. */
  Trial conversation(Draft draft) throws IOException {
    Manner manner = Manner.honest(seconds);
    return draft.trial(
        contestant(Policy.OF_CONVERSATION, manner),
        contestant(Policy.OF_CONVERSATION.dom(), manner),
        contestant(Policy.OF_CONVERSATION.before(), manner),
        relay(Policy.OF_CONVERSATION, manner));
  }

  /** What a connection for each call costs. */
  Trial connect(Draft draft) throws IOException {
    Manner manner = Manner.honest(seconds);
    return draft.trial(
        contestant(Policy.OF_TRANSPORT, manner),
        calls.contestant(CONNECTING, served(Policy.OF_TRANSPORT), manner.connecting()));
  }

  /** Latency at a load that is not the most. */
  Trial open(Draft draft) throws IOException {
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
    return draft.trialOf(contestants);
  }

  /** What a context costs. */
  Trial contexts(Draft draft) throws IOException {
    Manner manner = Manner.honest(seconds).errand(Errand.CONTEXT);
    return draft.trial(
        calls.contestant(CONTEXT, served(Policy.OF_CONVERSATION), manner),
        relay(Policy.OF_CONVERSATION, manner));
  }

  /** From how many calls on a context is worth it. */
  Trial sessions(Draft draft) throws IOException {
    Manner manner = Manner.honest(seconds).errand(Errand.SESSION);
    return draft.trial(
        contestant(Policy.OF_X509, manner), contestant(Policy.OF_CONVERSATION, manner));
  }

  /** The least that cryptography costs. */
  Trial floors(Draft draft) throws IOException {
    return draft.trial(
        List.of(
            floor(PRIVATE_KEYS, Work.PRIVATE_KEYS),
            floor("public-keys", Work.PUBLIC_KEYS),
            floor("symmetric", Work.SYMMETRIC)));
  }

  private Contestant floor(String name, Work work) throws IOException {
    LeanClientProcess floor = cast.floor();
    var task = new FloorTask(work, seconds, "");
    return bench.contestant(name, floor, point -> floor.perform(task));
  }
}
