package dev.staithe.gateway.engine;

import dev.staithe.wss.Arrival;
import dev.staithe.wss.Engine;
import dev.staithe.wss.Findings;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.stream.PassingEngine;
import dev.staithe.wss.stream.StreamEngine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a message through where both engines accept it and conclude the same, so that whoever fools
 * one has not come through (ADR 23). It costs what both cost together. Thread-safe.
 */
public final class BothEngines implements Engine {
  private static final Logger LOG = LoggerFactory.getLogger(BothEngines.class);

  private final Engine stream;
  private final Engine tree;

  /** Of the streaming engine, and that on the document tree. */
  public BothEngines(Engine stream, Engine tree) {
    this.stream = stream;
    this.tree = tree;
  }

  /**
   * Whether there are two opinions on messages under a policy, its bootstrap's among them; those
   * that no key protects are read by neither.
   */
  public static boolean know(EndpointPolicy policy) {
    return PassingEngine.knows(policy)
        || StreamEngine.knows(policy)
            && !(policy.binding() instanceof Binding.Conversation(var _, var bootstrap, _, _)
                && !know(bootstrap));
  }

  @Override
  public Opening open(Arrival arrival) {
    Opening one = stream.open(arrival);
    Opening other = tree.open(arrival);
    if (one instanceof Opening.Unknown(String shape)) {
      return other instanceof Opening.Opened
          ? new Opening.Refused(Refusal.POLICY, "one engine alone knows " + shape)
          : other;
    }
    if (one instanceof Opening.Opened opened && other instanceof Opening.Opened second) {
      String difference = Agreement.difference(opened, second);
      return difference.isEmpty()
          ? named(opened)
          : disagreement(arrival, one, other, "in " + difference);
    }
    if (one instanceof Opening.Refused && !(other instanceof Opening.Opened)) {
      return one;
    }
    // A context may have been cancelled between the two, or a message become too old.
    Opening again = one instanceof Opening.Opened ? stream.open(arrival) : tree.open(arrival);
    return again instanceof Opening.Refused
        ? again
        : disagreement(arrival, one, other, "whether it is accepted");
  }

  private static Opening disagreement(Arrival arrival, Opening one, Opening other, String what) {
    LOG.warn(
        "the engines disagree on a message to {}, {}: stream {}; dom {}",
        arrival.expectation().endpoint(),
        what,
        line(one),
        line(other));
    return new Opening.Refused(Refusal.DISAGREEMENT, "the engines disagree " + what);
  }

  private static String line(Opening opening) {
    return switch (opening) {
      case Opening.Opened opened ->
          "accepts it of \"%s\" with %s signed, for %s"
              .formatted(
                  opened.caller().subject(),
                  opened.findings().signed(),
                  cut(String.valueOf(opened.message().addressing().action())));
      case Opening.Refused(Refusal reason, String detail) ->
          "refuses it as " + reason + " (" + detail + ")";
      case Opening.Unknown(String shape) -> "does not know " + shape;
    };
  }

  private static String cut(String text) {
    return text.length() <= 200 ? text : text.substring(0, 200) + "...";
  }

  private static Opening named(Opening.Opened opened) {
    Findings found = opened.findings();
    return new Opening.Opened(
        opened.message(),
        opened.caller(),
        opened.reply(),
        new Findings(
            "both",
            found.signed(),
            found.encrypted(),
            found.algorithms(),
            found.created(),
            found.expires(),
            found.once(),
            found.signature()));
  }
}
