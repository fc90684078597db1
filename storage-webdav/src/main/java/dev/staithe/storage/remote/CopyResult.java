package dev.staithe.storage.remote;

import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.files.Outcome;
import org.jspecify.annotations.Nullable;

/** How a third-party copy ended. */
public sealed interface CopyResult {
  /**
   * The file is whole at its destination.
   *
   * @param bytes its length
   * @param checksum one that was computed over the bytes moved
   * @param verified whether both sides' checksums were compared
   */
  record Copied(long bytes, Checksum checksum, boolean verified) implements CopyResult {}

  /**
   * It failed and what was written is removed.
   *
   * @param line one line, safe to show
   * @param status the status that says so where the answer has not begun, or 0 where only the
   *     marker stream can tell the reason to the client
   */
  record Failed(String line, int status) implements CopyResult {
    /** What the storage area refuses. */
    public static Failed refused(Outcome.Refused<?> refused) {
      int status =
          switch (refused.why()) {
            case NOT_FOUND -> 404;
            case PARENT_MISSING, IS_COLLECTION, NOT_COLLECTION, NOT_EMPTY, CONFLICT, OFFLINE -> 409;
            case EXISTS, CONDITION_FAILED -> 412;
            case LOCKED -> 423;
            case READ_ONLY -> 503;
            case TOO_MANY -> 429;
            case NO_SPACE -> 507;
            case ACCESS_DENIED -> 403;
            case BAD_NAME -> 400;
            case NAME_TOO_LONG -> 414;
            case UNSUPPORTED -> 501;
          };
      // Transfer tools decide by these words whether another attempt makes sense.
      String known =
          switch (refused.why()) {
            case NOT_FOUND, PARENT_MISSING -> "No such file or directory: ";
            case EXISTS -> "File exists: ";
            case ACCESS_DENIED -> "Permission denied: ";
            case NO_SPACE -> "No space left: ";
            default -> "";
          };
      return new Failed(known + refused.text(), status);
    }
  }

  /** It was cancelled; {@code why} is one line, safe to show. */
  record Aborted(String why) implements CopyResult {}

  /** What logs and metrics call it. */
  default String outcome() {
    return switch (this) {
      case Copied copied -> "success";
      case Failed failed -> "failure";
      case Aborted aborted -> "aborted";
    };
  }

  /** The reason of a failure, if it is one. */
  default @Nullable String reason() {
    return switch (this) {
      case Copied copied -> null;
      case Failed failed -> failed.line();
      case Aborted aborted -> aborted.why();
    };
  }
}
