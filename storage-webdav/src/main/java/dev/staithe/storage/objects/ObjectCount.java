package dev.staithe.storage.objects;

import dev.staithe.s3.ListPage;
import dev.staithe.s3.S3Client;
import dev.staithe.storage.files.AreaState;
import dev.staithe.storage.state.AreaUsage;
import java.io.IOException;
import java.util.Optional;

/** What the files of an area take, counted by listing it, and remembered until the next start. */
final class ObjectCount {
  private final S3Client client;
  private final ObjectKeys keys;
  private final AreaUsage usage;
  private final AreaState state;

  ObjectCount(S3Client client, ObjectKeys keys, AreaUsage usage, AreaState state) {
    this.client = client;
    this.keys = keys;
    this.usage = usage;
    this.state = state;
  }

  /** See {@link AreaUsage#remember}. */
  void remember() {
    usage.remember(state);
  }

  /** See {@link dev.staithe.storage.files.FileStore#recount}. */
  Optional<Long> recount() throws IOException {
    usage.begin();
    long used = 0;
    long files = 0;
    String next = "";
    do {
      ListPage page = client.list(keys.prefix(), true, next, S3Client.PAGE);
      for (ListPage.Entry each : page.entries()) {
        if (!each.key().endsWith("/") && !each.key().startsWith(keys.reserved())) {
          used += each.size();
          files++;
        }
      }
      next = page.next();
    } while (!next.isEmpty());
    Optional<Long> wrong = usage.end(new AreaUsage.Count(used, files));
    remember();
    return wrong;
  }
}
