package dev.staithe.storage.objects;

import dev.staithe.s3.ListPage;
import dev.staithe.s3.S3Client;
import dev.staithe.storage.files.AreaState;
import dev.staithe.storage.state.AreaUsage;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the files of an area take, counted by listing it, and remembered until the next start. */
final class ObjectCount {
  private static final Logger log = LoggerFactory.getLogger(ObjectCount.class);
  private static final String NAME = "usage";

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

  /** What the last run knew. */
  static AreaUsage.Count remembered(AreaState state) throws IOException {
    return state
        .read(NAME)
        .filter(text -> text.matches("[0-9]{1,18} [0-9]{1,18}"))
        .map(text -> text.split(" "))
        .map(each -> new AreaUsage.Count(Long.parseLong(each[0]), Long.parseLong(each[1])))
        .orElseGet(() -> new AreaUsage.Count(0, 0));
  }

  /** For the next start; what is wrong there, as after a crash, the first count puts right. */
  void remember() {
    AreaUsage.Count count = usage.count();
    try {
      state.write(NAME, count.used() + " " + count.files());
    } catch (IOException e) {
      log.debug("what the files take cannot be remembered: {}", e.getMessage());
    }
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
