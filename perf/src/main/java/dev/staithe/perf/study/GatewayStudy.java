package dev.staithe.perf.study;

import static dev.staithe.perf.study.Target.Bound.AT_LEAST;
import static dev.staithe.perf.study.Target.Bound.AT_MOST;

import dev.staithe.perf.peers.StaitheGatewayPeer.Variant;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The gateway beside its peers: which experiments there are, and what is promised. */
final class GatewayStudy {
  /** Twice the seconds of an experiment in that form: most of it is the start of servers. */
  private static final double SMOKE = 20;

  private final Bench bench;
  private final Plan plan;

  /**
   * @param only which experiments, by their ids; empty for all
   */
  GatewayStudy(Bench bench, Set<String> only) {
    this.bench = bench;
    this.plan = new Plan(bench, only);
  }

  /**
   * Carries it out.
   *
   * @throws IOException where there is no such experiment, before any server is started; where
   *     something fails that no experiment can do without
   */
  void run() throws IOException {
    try (var cast = new GatewayCast(bench)) {
      plan(cast);
      plan.carryOut(
          bench.site().before().isPresent()
              ? Stream.concat(targets().stream(), changes()).toList()
              : targets());
    }
  }

  private void plan(GatewayCast cast) {
    var calls = new GatewayCalls(bench, cast);
    var trials = new GatewayTrials(bench, cast, calls);
    boolean smoke = bench.form() == Form.SMOKE;
    plan.add("none", length(120, 35), trials::none, trial -> {});
    plan.add(
        "policies",
        length(500, 110),
        trials::policies,
        trial -> {
          profile(trial, cast, GatewayTrials.X509);
        });
    plan.add("x509", length(600, 130), trials::x509, trial -> {});
    plan.add(
        "conversation",
        length(400, 90),
        trials::conversation,
        trial -> profile(trial, cast, GatewayTrials.CONVERSATION));
    if (!smoke) {
      plan.add("connect", length(120, 25), trials::connect, trial -> {});
      plan.add("open", length(300, 60), trials::open, trial -> {});
      plan.add("contexts", length(120, 30), trials::contexts, trial -> {});
      plan.add("sessions", length(250, 60), trials::sessions, trial -> {});
      plan.add("floors", length(120, 30), trials::floors, trial -> {});
      plan.add(
          "article",
          length(250, 60),
          trials::article,
          trial -> {
            cast.dismiss(Variant.ARTICLE);
            cast.dismiss(Variant.TLS);
          });
      var memory = new GatewayMemory(bench, cast, calls);
      plan.add("large", length(90, 45), memory::trial, trial -> cast.dismiss(Variant.WATCHED));
    }
  }

  private Plan.Length length(double full, double brief) {
    return new Plan.Length(full, bench.form() == Form.SMOKE ? SMOKE : brief);
  }

  private void profile(Trial trial, GatewayCast cast, String contestant) throws IOException {
    var gateway = cast.gateway(Variant.HONEST);
    if (gateway.isPresent()) {
      plan.profile(trial, contestant, gateway.get().pid());
    }
  }

  /** What is promised; the figures are those of the project's plan. */
  static List<Target> targets() {
    return List.of(
        target(
            "X.509: messages per core-second / ceiling of two private-key operations per exchange",
            Measure.MESSAGES_PER_CPU,
            "x509",
            GatewayTrials.X509,
            GatewayTrials.PRIVATE_KEYS,
            AT_LEAST,
            0.75),
        target(
            "SecureConversation / X.509 (the article: 2.3)",
            Measure.MESSAGES_PER_CPU,
            "policies",
            GatewayTrials.CONVERSATION,
            GatewayTrials.X509,
            AT_LEAST,
            6),
        target(
            "SecureConversation: streaming engine / WSS4J on a document tree",
            Measure.MESSAGES_PER_CPU,
            "conversation",
            GatewayTrials.CONVERSATION,
            GatewayTrials.CONVERSATION_DOM,
            AT_LEAST,
            3),
        target(
            "X.509: CPU per exchange, ours / Apache CXF",
            Measure.CPU_PER_REQUEST,
            "x509",
            GatewayTrials.X509,
            GatewayTrials.CXF,
            AT_MOST,
            0.5),
        target(
            "SecureConversation: CPU per exchange, ours / Apache CXF",
            Measure.CPU_PER_REQUEST,
            "conversation",
            GatewayTrials.CONVERSATION,
            GatewayTrials.CXF,
            AT_MOST,
            0.2),
        target(
            "SecureConversation / TLS only (the article: 0.27)",
            Measure.MESSAGES_PER_CPU,
            "policies",
            GatewayTrials.CONVERSATION,
            GatewayTrials.TRANSPORT,
            AT_LEAST,
            0.4),
        target(
            "No protection: CPU per exchange, ours / nginx as proxy",
            Measure.CPU_PER_REQUEST,
            "none",
            GatewayTrials.NONE,
            GatewayTrials.NGINX,
            AT_MOST,
            4),
        target(
            "Memory for one X.509 message of 20 MB / its size",
            Measure.PEAK_MEMORY,
            "large",
            GatewayTrials.X509,
            GatewayMemory.MESSAGE,
            AT_MOST,
            3),
        target(
            "Memory for one SecureConversation message of 20 MB / its size",
            Measure.PEAK_MEMORY,
            "large",
            GatewayTrials.CONVERSATION,
            GatewayMemory.MESSAGE,
            AT_MOST,
            3));
  }

  /** What a change may cost. */
  private static Stream<Target> changes() {
    return Map.of("x509", GatewayTrials.X509, "conversation", GatewayTrials.CONVERSATION)
        .entrySet()
        .stream()
        .map(
            each ->
                target(
                    each.getKey() + ": CPU per exchange, after / before",
                    Measure.CPU_PER_REQUEST,
                    each.getKey(),
                    each.getValue(),
                    each.getValue() + GatewayTrials.BEFORE,
                    AT_MOST,
                    1.03));
  }

  private static Target target(
      String text,
      Measure measure,
      String experiment,
      String ours,
      String peer,
      Target.Bound bound,
      double limit) {
    return new Target(text, measure, experiment, ours, Map.of(), peer, Map.of(), bound, limit);
  }
}
