package dev.staithe.storage.tape;

import java.time.Instant;
import java.util.List;

/**
 * A request to stage files.
 *
 * @param id unguessable
 * @param caller who asked, and alone may ask about it
 * @param created when
 * @param files in the order in which they were asked for
 */
record StageRequest(String id, String caller, Instant created, List<StageFile> files) {
  boolean ended() {
    return files.stream().allMatch(StageFile::ended);
  }

  /** Whether one of its files is to stay on disk at that time. */
  boolean holds(Instant now) {
    return files.stream().anyMatch(file -> file.subject != null && file.isPinned(now));
  }
}
