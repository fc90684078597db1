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
}
