package dev.staithe.perf.scenario;

/** Downloads one file, again and again. */
public final class DownloadSimulation extends StorageSimulation {
  /** Takes the settings of {@link StorageTarget}. */
  public DownloadSimulation() {
    super(Exercise.DOWNLOAD);
  }
}
