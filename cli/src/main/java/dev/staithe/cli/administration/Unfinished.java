package dev.staithe.cli.administration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file that is there while something is done, and stays only where that is done to its end: else
 * it is deleted, also where the process is ended, as by Ctrl-C. Thread-safe.
 */
final class Unfinished implements AutoCloseable {
  private final Path file;
  private final Thread atExit = new Thread(this::delete, "delete what is unfinished");
  private boolean over;

  private Unfinished(Path file) {
    this.file = file;
    try {
      Runtime.getRuntime().addShutdownHook(atExit);
    } catch (IllegalStateException ending) {
      delete();
    }
  }

  /**
   * Makes one of that name.
   *
   * @throws java.nio.file.FileAlreadyExistsException where it is there
   */
  static Unfinished named(Path file) throws IOException {
    return new Unfinished(Files.createFile(file));
  }

  /** Makes one of a name that nobody has. */
  static Unfinished in(Path folder) throws IOException {
    return new Unfinished(Files.createTempFile(folder, ".", ".part"));
  }

  /** Where it is. */
  Path file() {
    return file;
  }

  /**
   * What is done last.
   *
   * @param <T> what comes of it
   */
  interface Last<T> {
    /** Does it. */
    T done() throws IOException;
  }

  /** Does what is done last; the process does not end within, and the file is not deleted after. */
  synchronized <T> T finish(Last<T> last) throws IOException {
    if (over) {
      throw new IOException("the command was ended");
    }
    T done = last.done();
    over = true;
    return done;
  }

  /** It stays, whatever becomes of the rest. */
  synchronized void keep() {
    over = true;
  }

  private synchronized void delete() {
    if (!over) {
      over = true;
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        // Nobody is left to be told, or he is told why it did not end well.
      }
    }
  }

  @Override
  public void close() {
    delete();
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException ending) {
      // It has nothing to do any more.
    }
  }
}
