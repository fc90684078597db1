package dev.staithe.perf.scenario;

/** Uploads files, each user over its own. */
public final class UploadSimulation extends StorageSimulation {
  /** Takes the settings of {@link StorageTarget}. */
  public UploadSimulation() {
    super(Exercise.UPLOAD);
  }
}
