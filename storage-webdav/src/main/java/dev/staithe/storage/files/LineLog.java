package dev.staithe.storage.files;

import java.io.IOException;
import java.util.List;

/** Lines of the storage element's own, added one by one. Safe for use by many threads. */
public interface LineLog extends AutoCloseable {
  /**
   * What others have added.
   *
   * @param anew whether these are all lines that there are, in place of those before
   * @param lines in the order in which they were added
   */
  record News(boolean anew, List<String> lines) {
    /** None. */
    public static final News NONE = new News(false, List.of());
  }

  /** While it is open nobody else adds a line. */
  @FunctionalInterface
  interface Turn extends AutoCloseable {
    @Override
    void close();
  }

  /** What others have added since this was asked last. */
  News news() throws IOException;

  /** The turn to add lines, which are of use to nobody who does not know the news. */
  Turn turn() throws IOException;

  /**
   * Adds a line; it is on the device after {@link #await} of what this gives.
   *
   * @throws IOException where it cannot be written; then nothing was added
   */
  long add(String line) throws IOException;

  /** Waits until a line, and all before it, is on the device. */
  void await(long line) throws IOException;

  /** Puts these lines in place of all; whoever reads finds the old ones or the new. */
  void rewrite(List<String> lines) throws IOException;

  @Override
  void close() throws IOException;
}
