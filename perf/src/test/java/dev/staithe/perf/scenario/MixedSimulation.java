package dev.staithe.perf.scenario;

/** All kinds of requests beside each other, in shares that {@code perf.weights} sets. */
public final class MixedSimulation extends StorageSimulation {
  /** Takes the settings of {@link StorageTarget}. */
  public MixedSimulation() {
    super(StorageTarget::weights);
  }
}
