package dev.staithe.storage.objects;

import dev.staithe.s3.PartUpload;
import dev.staithe.s3.S3Client;
import dev.staithe.s3.S3Failure;
import dev.staithe.s3.UploadsPage;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/**
 * Uploads in parts that a crash has left in the engine, where they take room and nobody sees them.
 */
final class LeftUploads {
  /** Longer than any request lasts. */
  static final Duration OLD = Duration.ofDays(1);

  private LeftUploads() {}

  /**
   * Gives those up that began a day ago, whoever began them.
   *
   * @param prefix of the area's keys
   * @param known of the engine's ids, which are gone on with
   * @return how many
   */
  static int sweep(S3Client client, String prefix, Set<String> known, Clock clock)
      throws S3Failure {
    Instant before = clock.instant().minus(OLD);
    int swept = 0;
    UploadsPage page = client.uploads(prefix, null);
    while (true) {
      for (UploadsPage.Upload each : page.uploads()) {
        // Not every engine minds the prefix.
        if (each.begun().isBefore(before)
            && each.key().startsWith(prefix)
            && !known.contains(each.id())) {
          client.abort(new PartUpload(each.key(), each.id(), ""));
          swept++;
        }
      }
      if (page.nextKey().isEmpty()) {
        return swept;
      }
      page = client.uploads(prefix, page);
    }
  }
}
