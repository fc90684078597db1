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

  /**
   * The remote server refuses a request; its status becomes the COPY's own where clients see it.
   */
  static RemoteFailure rejected(String method, ResponseHead head) {
    int status =
        switch (head.status()) {
          // The client's credential for this server is good: 401 would say otherwise.
          case 401, 403, 407 -> 403;
          case 404, 410 -> 404;
          case 412 -> 412;
          case 507 -> 507;
          // Such a failure may pass; clients retry by the text, which they read in the stream only.
          case 408, 425, 429 -> 0;
          default -> head.status() < 500 ? 400 : 0;
        };
    return new RemoteFailure("rejected " + method + ": " + head.statusLine(), status);
  }

  int status() {
    return status;
  }

  CopyResult.Failed result() {
    return new CopyResult.Failed(String.valueOf(getMessage()), status);
  }
}
