package dev.staithe.perf.services;

import dev.staithe.peers.process.Readiness;
import dev.staithe.perf.peers.ReleasedJar;

/** A service of this repository, from its released jar. Immutable. */
public abstract class ServicePeer {
  private final ReleasedJar jar;
  private final String name;

  ServicePeer(ReleasedJar jar, String name) {
    this.jar = jar;
    this.name = name;
  }

  final ReleasedJar jar() {
    return jar;
  }

  /** Short and unique. */
  public final String name() {
    return name;
  }

  /** Whether it can be started here. */
  public final Readiness readiness() {
    return jar.readiness();
  }
}
