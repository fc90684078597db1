package dev.staithe.storage.files;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.Locale;

/** The file system filled up, or the quota ran out, while bytes were being written. */
public final class NoSpaceException extends IOException {
  /** What is said where no more than that is known. */
  public static final String NONE_LEFT = "no space left in the storage area";

  public NoSpaceException(IOException cause) {
    super(NONE_LEFT, cause);
  }

  /**
   * @param line safe to show
   */
  public NoSpaceException(String line) {
    super(line);
  }

  /**
   * Tells ENOSPC and EDQUOT, EROFS as {@link ReadOnlyException}, and EMFILE as {@link
   * NoDescriptorException}, from other failures; the platform gives only their text.
   */
  public static IOException tell(IOException failure) {
    if (failure instanceof NoSpaceException
        || failure instanceof ReadOnlyException
        || failure instanceof NoDescriptorException) {
      return failure;
    }
    // The message of those has the file's name in it, which says nothing.
    String said =
        failure instanceof FileSystemException named ? named.getReason() : failure.getMessage();
    String text = String.valueOf(said).toLowerCase(Locale.ROOT);
    if (text.contains("no space left") || text.contains("quota exceeded")) {
      return new NoSpaceException(failure);
    }
    if (text.contains("too many open files")) {
      return new NoDescriptorException(failure);
    }
    return text.contains("read-only file system") ? new ReadOnlyException(failure) : failure;
  }
}
