package dev.staithe.gateway.backend;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a back end is sent.
 *
 * @param contentType of the body
 * @param soapAction the value of the header with its quotes; null for none
 * @param caller whole lines of the head that tell of the caller, or come from them; empty for none
 * @param requestId by which both sides name it in their logs
 * @param pieces of the body, in their order
 */
public record BackEndRequest(
    String contentType,
    @Nullable String soapAction,
    String caller,
    String requestId,
    List<Piece> pieces) {
  /** Bytes of an array. */
  public record Piece(byte[] of, int from, int length) {
    public Piece(byte[] all) {
      this(all, 0, all.length);
    }
  }

  public BackEndRequest {
    pieces = List.copyOf(pieces);
  }

  /** Bytes of the body. */
  long length() {
    long sum = 0;
    for (Piece piece : pieces) {
      sum += piece.length();
    }
    return sum;
  }
}
