package dev.staithe.gateway;

import dev.staithe.gateway.route.EngineChoice;
import dev.staithe.wss.Arrival;
import dev.staithe.wss.Departure;
import dev.staithe.wss.Engine;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.Sealing;
import dev.staithe.wss.Surroundings;
import dev.staithe.wss.stream.PassingEngine;

/**
 * The engines as endpoints choose among them; one of each, which all endpoints share.
 *
 * @param auto the stream, and the tree where that does not know a shape
 * @param dom the tree alone
 */
record Engines(Engine auto, Engine dom) {
  static Engines of(Surroundings surroundings) {
    Engine passing = new PassingEngine();
    Engine tree = new Closed();
    return new Engines(
        new EngineChoice(passing, null, tree), new EngineChoice(passing, null, tree));
  }

  Engine of(EndpointProperties.Choice choice) {
    return switch (choice) {
      case AUTO -> auto;
      case DOM -> dom;
    };
  }

  /** Stands where an engine is missing: nothing passes. */
  private static final class Closed implements Engine {
    @Override
    public Opening open(Arrival arrival) {
      return new Opening.Refused(Refusal.POLICY, "no engine for this policy");
    }

    @Override
    public Sealing protect(Departure departure) {
      return new Sealing.Failed("no engine for this policy");
    }
  }
}
