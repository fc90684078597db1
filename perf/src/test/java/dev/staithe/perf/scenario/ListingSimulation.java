package dev.staithe.perf.scenario;

/** Lists one folder. */
public final class ListingSimulation extends StorageSimulation {
  /** Takes the settings of {@link StorageTarget}. */
  public ListingSimulation() {
    super(Exercise.LISTING);
  }
}
