package dev.staithe.perf.scenario;

/** Third-party copies in which the measured server sends to the second one. */
public final class CopyPushSimulation extends StorageSimulation {
  /** Takes the settings of {@link StorageTarget}. */
  public CopyPushSimulation() {
    super(Exercise.PUSH);
  }
}
