package dev.staithe.service;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.jspecify.annotations.Nullable;

/**
 * What an exception means to an operator, in one line. Java says of many files that fail nothing
 * but their name.
 */
public final class Reason {
  private Reason() {}

  /** The line. */
  public static String of(Throwable failure) {
    return switch (failure) {
      case UncheckedIOException e when e.getCause() != null -> of(e.getCause());
      case AccessDeniedException e ->
          e.getFile() + ": permission denied to user " + System.getProperty("user.name");
      case NoSuchFileException e -> e.getFile() + " does not exist";
      case NotDirectoryException e -> e.getFile() + " is no folder";
      case FileAlreadyExistsException e -> e.getFile() + " is there already, and no folder";
      case FileSystemException e when e.getReason() != null -> e.getFile() + ": " + e.getReason();
      case UnknownHostException e -> "the name of the host cannot be found: " + firstLine(e);
      default -> firstLine(failure);
    };
  }

  /**
   * The line where the failure comes of something outside this program that an operator can mend, a
   * file, a disk or another machine; else null.
   */
  static @Nullable String ofMachine(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof FileSystemException
          || t instanceof FileNotFoundException
          || t instanceof UnknownHostException
          || t instanceof ConnectException
          || t instanceof IOException && firstLine(t).contains("No space left on device")) {
        return of(t);
      }
    }
    return null;
  }

  private static String firstLine(Throwable failure) {
    String message = failure.getMessage();
    return message == null || message.isBlank()
        ? failure.getClass().getSimpleName()
        : message.strip().lines().findFirst().orElse(message);
  }
}
