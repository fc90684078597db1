package dev.staithe.storage.files;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Small texts of the storage element's own, each replaced whole. Those that a {@link FileStore}
 * gives live as long as the area and are seen by all its nodes. Safe for use by many threads.
 */
public interface AreaState {
  /** The text of that name, if it was written. */
  Optional<String> read(String name) throws IOException;

  /** Replaces the text of that name; readers see the old or the new, also after a power cut. */
  void write(String name, String text) throws IOException;

  /** A log of that name for this process, beginning with these lines in place of what it had. */
  LineLog log(String name, List<String> lines) throws IOException;

  /** The log of that name that all nodes of the area have, where the area is shared. */
  Optional<LineLog> shared(String name) throws IOException;
}
