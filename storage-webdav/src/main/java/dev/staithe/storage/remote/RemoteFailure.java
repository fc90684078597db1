package dev.staithe.storage.remote;

import dev.staithe.http.HttpFailure;
import dev.staithe.http.ResponseHead;
import java.io.IOException;
import org.eclipse.jetty.http.HttpStatus;

/**
 * The remote server does not do its part, though the wire may be well; see {@link HttpFailure}. An
 * exception because it ends the copy from any depth of the conversation; {@link #getMessage} is one
 * line that is safe to show.
 */
public final class RemoteFailure extends IOException {
  private static final long serialVersionUID = 1L;

  /** Of a status: the log, the list of transfers and the client's line have room for more. */
  private static final int MOST_WORDS = 200;

  private final int status;

  /**
   * Keeps the reason.
   *
   * @param status the status by which a COPY whose answer has not begun tells this, or 0
   */
  public RemoteFailure(String line, int status) {
    super(line);
    this.status = status;
  }

  /** A failure that only the marker stream tells: clients hide the text of other statuses. */
  public static RemoteFailure late(String line) {
    return new RemoteFailure(line, 0);
  }

  /**
   * The remote server refuses a request; its status becomes the COPY's own where clients see it.
   */
  public static RemoteFailure rejected(String method, ResponseHead head) {
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
    return new RemoteFailure("rejected " + method + ": " + statusLine(head), status);
  }

  /**
   * The same, with what the server says of it.
   *
   * @param detail printable; empty where it says nothing
   */
  public static RemoteFailure rejected(String method, ResponseHead head, String detail) {
    RemoteFailure plain = rejected(method, head);
    return detail.isEmpty()
        ? plain
        : new RemoteFailure(plain.getMessage() + ": " + detail, plain.status);
  }

  /** {@code 404 Not Found}, with the registry's words where the server used none; cut if long. */
  public static String statusLine(ResponseHead head) {
    String code = String.valueOf(head.status());
    String words = head.reason().isEmpty() ? HttpStatus.getMessage(head.status()) : head.reason();
    return words.equals(code)
        ? code
        : code + " " + words.substring(0, Math.min(words.length(), MOST_WORDS));
  }

  /** What the client of the copy is answered, or 0 where only markers can tell. */
  public int status() {
    return status;
  }

  /** The status by which a COPY whose answer has not begun tells a failure of either kind, or 0. */
  public static int status(IOException failure) {
    return switch (failure) {
      case RemoteFailure known -> known.status;
      case HttpFailure wire when wire.kind() == HttpFailure.Kind.OTHER_PROTOCOL -> 400;
      default -> 0;
    };
  }
}
