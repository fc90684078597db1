package dev.staithe.storage.objects;

import dev.staithe.s3.ListPage;
import dev.staithe.s3.PartUpload;
import dev.staithe.s3.S3Client;
import dev.staithe.s3.S3Failure;
import dev.staithe.s3.UploadsPage;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/** What a crash has left in the engine, where it takes room and nobody sees it. */
final class LeftBehind {
  /** Longer than most requests last; what this server is still at is left alone however old. */
  static final Duration OLD = Duration.ofDays(1);

  private LeftBehind() {}

  /**
   * Removes what was left a day ago or before, by whichever of the area's servers: uploads in
   * parts, what is behind their last whole part, objects by which an engine was tried, and leases.
   *
   * @param records of the uploads that are gone on with
   * @return how many uploads in parts
   */
  static int sweep(S3Client client, ObjectKeys keys, PartRecords records, Clock clock)
      throws IOException {
    Instant before = clock.instant().minus(OLD);
    try {
      return uploads(client, keys.prefix(), records.engineIds(), before);
    } finally {
      // Also where uploads in parts may not be listed, or one of them cannot be given up.
      new UploadRests(client, keys).sweep(records.ids(), before);
      objects(client, keys.probes(), before);
      objects(client, ObjectLeases.prefix(keys), before);
    }
  }

  private static int uploads(S3Client client, String prefix, Set<String> known, Instant before)
      throws S3Failure {
    int swept = 0;
    UploadsPage page = client.uploads(prefix, null);
    while (true) {
      for (UploadsPage.Upload each : page.uploads()) {
        // Not every engine minds the prefix.
        if (each.begun().isBefore(before)
            && each.key().startsWith(prefix)
            && !client.isAt(each.id())
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

  /** Not those of a server that starts just now, asks how the engine is, or makes a file. */
  private static void objects(S3Client client, String prefix, Instant before) throws S3Failure {
    String next = "";
    do {
      ListPage page = client.list(prefix, true, next, S3Client.PAGE);
      client.delete(
          page.entries().stream()
              .filter(each -> each.modified().isBefore(before))
              .map(ListPage.Entry::key)
              .toList());
      next = page.next();
    } while (!next.isEmpty());
  }
}
