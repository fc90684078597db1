package dev.staithe.gateway;

import dev.staithe.gateway.engine.BothEngines;
import dev.staithe.gateway.engine.EngineChoice;
import dev.staithe.gateway.engine.MessageThreads;
import dev.staithe.gateway.wss.DomEngine;
import dev.staithe.wss.Engine;
import dev.staithe.wss.Surroundings;
import dev.staithe.wss.stream.PassingEngine;
import dev.staithe.wss.stream.StreamEngine;

/**
 * The engines as endpoints choose among them; one of each, which all endpoints share.
 *
 * @param auto the stream, and the tree where that does not know a shape
 * @param dom the tree alone
 * @param both one and the other, which must agree
 */
record Engines(Engine auto, Engine dom, Engine both) {
  /**
   * Makes them.
   *
   * @param apart where they compute long messages
   */
  static Engines of(Surroundings surroundings, MessageThreads apart) {
    PassingEngine passing = new PassingEngine();
    Engine stream = new StreamEngine(surroundings);
    Engine tree = new DomEngine(surroundings);
    return new Engines(
        new EngineChoice(passing, stream, tree, apart),
        new EngineChoice(passing, null, tree, apart),
        new EngineChoice(passing, new BothEngines(stream, tree), tree, apart));
  }

  Engine of(EndpointProperties.Choice choice) {
    return switch (choice) {
      case AUTO -> auto;
      case DOM -> dom;
      case BOTH -> both;
    };
  }
}
