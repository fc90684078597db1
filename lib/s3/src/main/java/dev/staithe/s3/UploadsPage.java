package dev.staithe.s3;

import java.time.Instant;
import java.util.List;

/**
 * Uploads in parts that are neither completed nor given up.
 *
 * @param uploads in the order of their keys
 * @param nextKey where the listing goes on; empty at its end
 * @param nextUpload of that key
 */
public record UploadsPage(List<Upload> uploads, String nextKey, String nextUpload) {
  /**
   * One of them.
   *
   * @param key that it will have
   * @param id by which the engine knows it
   * @param begun by the engine's clock
   */
  public record Upload(String key, String id, Instant begun) {}

  /** Takes a copy. */
  public UploadsPage {
    uploads = List.copyOf(uploads);
  }
}
