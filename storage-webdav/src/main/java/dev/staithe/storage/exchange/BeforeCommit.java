package dev.staithe.storage.exchange;

import dev.staithe.storage.files.Upload;
import java.io.IOException;
import java.util.Optional;

/** What is done with a file that is put here as it gets its name. For one thread. */
public interface BeforeCommit {
  /** Nothing. */
  BeforeCommit NOTHING =
      new BeforeCommit() {
        @Override
        public void staged(Upload upload) {}

        @Override
        public Optional<String> complete(Upload upload) {
          return Optional.empty();
        }
      };

  /** Before the first byte. */
  void staged(Upload upload);

  /**
   * When all bytes are there, and are those that the client stated.
   *
   * @return a line why the file is not taken now; empty: it is
   */
  Optional<String> complete(Upload upload) throws IOException;

  /** When the file has its name, and before the client is told so. */
  default void named() {}
}
