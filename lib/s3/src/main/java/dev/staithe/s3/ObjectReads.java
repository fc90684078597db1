package dev.staithe.s3;

import dev.staithe.http.ResponseHead;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads objects, each range of the one that was looked at and of no other. Thread-safe. */
final class ObjectReads {
  private static final Set<Integer> ABSENT = Set.of(404);
  private static final Set<Integer> ABSENT_OR_ANOTHER = Set.of(404, 412);
  private static final Pattern RANGE = Pattern.compile("bytes ([0-9]+)-([0-9]+)/([0-9]+)");

  private final S3Wire wire;

  ObjectReads(S3Wire wire) {
    this.wire = wire;
  }

  /** See {@link S3Client#get(String)}. */
  Optional<ObjectBody> whole(String key) throws S3Failure {
    S3Wire.Open open = wire.open(S3Request.of("GET", key), ABSENT, null);
    if (open == null) {
      return Optional.empty();
    }
    long size = open.connection().body().length();
    return Optional.of(new ObjectBody(this, headOf(key, size, open), 0, size, null, open));
  }

  private ObjectHead headOf(String key, long size, S3Wire.Open open) throws S3Failure {
    try {
      return ObjectHead.of(key, size, open.head().fields());
    } catch (S3Failure e) {
      wire.end(open, false, null);
      throw e;
    }
  }

  /** See {@link S3Client#get(ObjectHead, long, long, String)}. */
  ObjectBody range(ObjectHead head, long from, long to, @Nullable String reader) throws S3Failure {
    return new ObjectBody(this, head, from, to, reader, open(head, from, to, reader));
  }

  /**
   * Asks for a range.
   *
   * @throws S3Failure also where another object is there meanwhile
   */
  S3Wire.Open open(ObjectHead head, long from, long to, @Nullable String reader) throws S3Failure {
    boolean whole = from == 0 && to == head.size();
    S3Request request = S3Request.of("GET", head.key()).with("if-match", head.etag());
    S3Wire.Open open =
        wire.open(
            whole ? request : request.with("range", "bytes=" + from + "-" + (to - 1)),
            ABSENT_OR_ANOTHER,
            reader);
    if (open == null) {
      throw changed();
    }
    if (!describes(open.head(), head, from, to, whole)) {
      end(open, false, reader);
      throw changed();
    }
    return open;
  }

  /** Not every engine asks the condition of a GET: what it says that it sends is compared too. */
  private static boolean describes(
      ResponseHead said, ObjectHead head, long from, long to, boolean whole) {
    if (!head.etag().equals(said.field("ETag"))) {
      return false;
    }
    if (whole) {
      return said.status() == 200;
    }
    Matcher range = RANGE.matcher(String.valueOf(said.field("Content-Range")));
    return said.status() == 206
        && range.matches()
        && range.group(1).equals(Long.toString(from))
        && range.group(2).equals(Long.toString(to - 1))
        && range.group(3).equals(Long.toString(head.size()));
  }

  private static S3Failure changed() {
    return new S3Failure(
        S3Failure.Kind.REFUSED, "the object is another than before, or gone: read it again");
  }

  void end(S3Wire.Open open, boolean whole, @Nullable String reader) {
    wire.end(open, whole, reader);
  }
}
