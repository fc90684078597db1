package dev.staithe.perf.scenario;

/** Reads ranges at random offsets of one file. */
public final class RangeSimulation extends StorageSimulation {
  /** Takes the settings of {@link StorageTarget}. */
  public RangeSimulation() {
    super(Exercise.RANGE);
  }
}
