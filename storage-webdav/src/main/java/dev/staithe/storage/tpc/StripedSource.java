package dev.staithe.storage.tpc;

import dev.staithe.http.HeaderField;
import dev.staithe.http.ResponseHead;
import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.remote.CopySettings;
import dev.staithe.storage.remote.RemoteFailure;
import dev.staithe.storage.remote.RemoteSession;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A source that may be read in parts by several connections, and how it is made sure that all parts
 * belong to the same file.
 *
 * @param length of the file in bytes
 * @param validator strong entity tag or modification time, null where only checksums tell
 * @param strongTag whether the validator is an entity tag
 * @param offered the source's checksums of the whole file
 */
record StripedSource(
    long length,
    @Nullable String validator,
    boolean strongTag,
    Map<ChecksumAlgorithm, Checksum> offered) {
  private static final long LEAST_BLOCK = 16L << 20;
  private static final long MOST_BLOCK = 256L << 20;

  /** Such a source, where the response to HEAD lets it be one. */
  static Optional<StripedSource> of(ResponseHead head, CopySettings settings) throws IOException {
    long length = head.contentLength();
    String ranges = head.all("Accept-Ranges").orElse("bytes");
    Pull.refuseEncoded(head);
    if (length < settings.stripedFrom() || !ranges.equalsIgnoreCase("bytes")) {
      return Optional.empty();
    }
    Map<ChecksumAlgorithm, Checksum> offered = Digests.in(head.fields());
    String tag = head.field("ETag");
    boolean strong = tag != null && tag.startsWith("\"");
    String validator = strong ? tag : head.field("Last-Modified");
    if (validator == null && offered.isEmpty()) {
      // Nothing would show that the file was replaced between two parts.
      return Optional.empty();
    }
    return Optional.of(new StripedSource(length, validator, strong, offered));
  }

  /** Bytes of each request: several per stream, so that a slow one does not delay the end. */
  long block(int streams) {
    long fair = (length + streams - 1) / streams;
    return Math.min(fair, Math.clamp(fair / 4, LEAST_BLOCK, MOST_BLOCK));
  }

  /**
   * Asks for the block that begins at {@code from}.
   *
   * @return 206 for that very range, or 200 where the source ignores ranges
   * @throws RemoteFailure for any other answer
   */
  RemoteSession.Reply request(
      RemoteSession session, List<HeaderField> asking, long from, int streams) throws IOException {
    long last = Math.min(from + block(streams), length) - 1;
    List<HeaderField> fields = new ArrayList<>(asking);
    fields.add(new HeaderField("Range", "bytes=" + from + "-" + last));
    if (validator != null) {
      fields.add(new HeaderField("If-Range", validator));
      fields.add(new HeaderField(strongTag ? "If-Match" : "If-Unmodified-Since", validator));
    }
    RemoteSession.Reply reply = session.requestReady("GET", fields, 0);
    ResponseHead head = reply.head();
    switch (head.status()) {
      case 200 -> {}
      case 206 -> check(head, reply.connection().body().length(), from, last);
      case 412 -> throw changed();
      default -> throw RemoteFailure.rejected("GET", head);
    }
    return reply;
  }

  private void check(ResponseHead head, long bodyLength, long from, long last)
      throws RemoteFailure {
    Pull.refuseEncoded(head);
    String given = String.valueOf(head.field("Content-Range")).strip();
    String wanted = "bytes " + from + "-" + last + "/";
    if (given.equalsIgnoreCase(wanted + length) || given.equalsIgnoreCase(wanted + "*")) {
      if (bodyLength >= 0 && bodyLength != last - from + 1) {
        throw RemoteFailure.late("the source's range has another length than it says");
      }
      return;
    }
    if (given.startsWith(wanted)) {
      throw changed();
    }
    throw RemoteFailure.late("the source answers with another range than it was asked for");
  }

  static RemoteFailure changed() {
    return RemoteFailure.late("the source changed during the copy");
  }
}
