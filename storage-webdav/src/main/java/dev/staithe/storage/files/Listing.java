package dev.staithe.storage.files;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The members of a collection in the order of the store, read as they are asked for, so that a
 * collection of any size takes the same memory. Not for use by several threads.
 */
public interface Listing extends AutoCloseable {
  /**
   * The next member, or null after the last. Passed over are what the storage element keeps of its
   * own, names that no request can name, and what is neither file nor collection of the area.
   */
  @Nullable FileEntry next() throws IOException;

  @Override
  void close() throws IOException;
}
