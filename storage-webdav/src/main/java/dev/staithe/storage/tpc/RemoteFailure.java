package dev.staithe.storage.tpc;

import java.io.IOException;

/**
 * The remote server, or the way to it, does not do its part. An exception because it ends the copy
 * from any depth of the conversation; {@link #getMessage} is one line that is safe to show.
 */
final class RemoteFailure extends IOException {
  private final int status;

  /**
   * Keeps the reason.
   *
   * @param status the status by which a COPY whose answer has not begun tells this, or 0
   */
  RemoteFailure(String line, int status) {
    super(line);
    this.status = status;
  }

  /** A failure that only the marker stream tells: clients hide the text of other statuses. */
  static RemoteFailure late(String line) {
    return new RemoteFailure(line, 0);
  }

  int status() {
    return status;
  }

  CopyResult.Failed result() {
    return new CopyResult.Failed(String.valueOf(getMessage()), status);
  }
}
