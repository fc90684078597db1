package dev.staithe.perf.scenario;

/** Third-party copies in which the measured server fetches from the second one. */
public final class CopyPullSimulation extends StorageSimulation {
  /** Takes the settings of {@link StorageTarget}. */
  public CopyPullSimulation() {
    super(Exercise.PULL);
  }
}
