package dev.staithe.s3;

import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * One bucket. Each method is one request, tried again where that may help, or as many as it says.
 * Safe for use by many threads.
 *
 * <p>What the engine refuses for a reason that lies with it is a {@link S3Failure}; what a caller
 * must expect, as that nothing is there, is a value.
 */
public final class S3Client implements AutoCloseable {
  /** Of a listing, and of the keys removed by one request. */
  public static final int PAGE = 1000;

  /** Metadata by which a write whose answer was lost is told from another's. */
  static final String MARK = "staithe-write";

  private static final Set<Integer> NONE = Set.of();
  private static final Set<Integer> ABSENT = Set.of(404);
  private static final Set<Integer> CONDITION = Set.of(404, 412);
  private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");

  private final S3Wire wire;
  private final ObjectReads reads;

  /** By which the engine knows the uploads in parts that are neither completed nor given up. */
  private final Set<String> begun = ConcurrentHashMap.newKeySet();

  /**
   * Makes a client; nothing is asked yet.
   *
   * @param engines makes an engine in client mode for host and port, which checks the server's
   *     certificate and that it names the host
   */
  public S3Client(
      S3Endpoint endpoint,
      S3Settings settings,
      RenewedCredentials credentials,
      BiFunction<String, Integer, SSLEngine> engines,
      Clock clock) {
    this.wire = new S3Wire(endpoint, settings, credentials, engines, clock);
    this.reads = new ObjectReads(wire);
  }

  /** Which bucket. */
  public S3Endpoint endpoint() {
    return wire.endpoint();
  }

  /** How far the engine's clock is from this machine's. */
  public EngineClock clock() {
    return wire.engineClock();
  }

  /** How bodies of objects are checked from now on; by MD5 before. */
  public void check(BodyCheck how) {
    wire.check(how);
  }

  S3Answer perform(S3Request request, Set<Integer> pass) throws S3Failure {
    return wire.perform(request, pass);
  }

  // --- objects -----------------------------------------------------------------------------

  /** What is at that key. A bucket that is gone looks empty here, and only here. */
  public Optional<ObjectHead> head(String key) throws S3Failure {
    S3Answer answer = wire.perform(S3Request.of("HEAD", key), ABSENT);
    return answer.status() == 404 ? Optional.empty() : Optional.of(head(key, answer));
  }

  private static ObjectHead head(String key, S3Answer answer) throws S3Failure {
    String length = answer.field("Content-Length");
    if (length == null || !LENGTH.matcher(length).matches()) {
      throw S3Xml.malformed(new IllegalArgumentException("no length"));
    }
    return ObjectHead.of(key, Long.parseLong(length), answer.fields());
  }

  /** The whole object, which is read at once. */
  public Optional<ObjectBody> get(String key) throws S3Failure {
    return reads.whole(key);
  }

  /**
   * A range of an object that was looked at before.
   *
   * @param from first byte, before the object's end
   * @param to after the last, at most the object's size
   * @param reader at whose pace it is read, who has a share of the connections for that; null: it
   *     is read at once
   * @throws S3Failure also where another object is there meanwhile
   */
  public ObjectBody get(ObjectHead head, long from, long to, @Nullable String reader)
      throws S3Failure {
    return reads.range(head, from, to, reader);
  }

  /**
   * Writes an object in one request; nobody sees a part of it.
   *
   * @param body is not changed
   * @param metadata names in lower case
   */
  public Written put(
      String key, List<ByteBuffer> body, Map<String, String> metadata, WriteCondition condition)
      throws S3Failure {
    return put(key, body, metadata, Map.of(), condition);
  }

  /**
   * The same with what it is read with.
   *
   * @param content as {@link ObjectHead#content}
   */
  public Written put(
      String key,
      List<ByteBuffer> body,
      Map<String, String> metadata,
      Map<String, String> content,
      WriteCondition condition)
      throws S3Failure {
    String mark = UUID.randomUUID().toString();
    S3Request request =
        conditional(
            S3Request.of("PUT", key)
                .with(content)
                .with(metadata(metadata, condition instanceof WriteCondition.None ? "" : mark))
                .sending(body),
            condition);
    S3Answer answer = wire.perform(request, Set.of(412));
    if (answer.status() < 300) {
      return new Written.Stored(etag(answer));
    }
    // An attempt before may have written what is there now.
    return answer.attempt() > 1 ? ours(key, mark) : new Written.ConditionFailed();
  }

  private Written ours(String key, String mark) throws S3Failure {
    Optional<ObjectHead> there = head(key).filter(head -> mark.equals(head.metadata().get(MARK)));
    return there.isPresent()
        ? new Written.Stored(there.get().etag())
        : new Written.ConditionFailed();
  }

  private static S3Request conditional(S3Request request, WriteCondition condition) {
    return switch (condition) {
      case WriteCondition.None none -> request;
      case WriteCondition.Absent absent -> request.with("if-none-match", "*");
      case WriteCondition.Matching(String etag) -> request.with("if-match", etag);
    };
  }

  private static Map<String, String> metadata(Map<String, String> metadata, String mark) {
    Map<String, String> fields = new TreeMap<>();
    metadata.forEach((name, value) -> fields.put("x-amz-meta-" + name, value));
    if (!mark.isEmpty()) {
      fields.put("x-amz-meta-" + MARK, mark);
    }
    return fields;
  }

  private static String etag(S3Answer answer) {
    String etag = answer.field("ETag");
    return etag == null ? "" : etag;
  }

  /**
   * The entity tag in an answer's content, where Ceph leaves out the quotes that its fields have.
   */
  private static String written(S3Answer answer) throws S3Failure {
    String etag = S3Xml.text(answer.body(), "ETag");
    return etag.isEmpty() || etag.startsWith("\"") ? etag : '"' + etag + '"';
  }

  /** Removes what is at that key, if anything is. */
  public void delete(String key) throws S3Failure {
    wire.perform(S3Request.of("DELETE", key), ABSENT);
  }

  /**
   * Removes objects; those whose keys have characters that XML has not by one request each.
   *
   * @param keys at most {@link #PAGE}
   * @return those that are still there, with the engine's code for the reason
   */
  public Map<String, String> delete(List<String> keys) throws S3Failure {
    List<String> together = new ArrayList<>();
    for (String key : keys) {
      if (S3Xml.holds(key)) {
        together.add(key);
      } else {
        delete(key);
      }
    }
    if (together.isEmpty()) {
      return Map.of();
    }
    S3Request request =
        S3Request.of("POST", "").ask("delete", "").sending(List.of(S3Xml.deletion(together)));
    return S3Xml.notDeleted(wire.perform(request, NONE).body());
  }

  /**
   * Copies an object within the engine over whatever is there; metadata and tags go with it. There
   * is no condition: a copy whose answer was lost has no mark by which it is told from another's.
   *
   * @param from of at most 5 GiB, and still as the head says; more goes by {@link #copyPart}
   */
  public Written copy(ObjectHead from, String to) throws S3Failure {
    S3Request request =
        S3Request.of("PUT", to)
            .with("x-amz-copy-source", endpoint().path(from.key()))
            .with("x-amz-copy-source-if-match", from.etag())
            .slowly();
    S3Answer answer = wire.perform(request, CONDITION);
    return answer.status() < 300
        ? new Written.Stored(written(answer))
        : new Written.SourceMissing();
  }

  /** The tags of an object; none where there is none. */
  public Map<String, String> tags(String key) throws S3Failure {
    S3Answer answer = wire.perform(S3Request.of("GET", key).ask("tagging", ""), ABSENT);
    return answer.status() == 404 ? Map.of() : S3Xml.tags(answer.body());
  }

  /**
   * Replaces the tags of an object; its entity tag and time stay.
   *
   * @param tags at most ten
   * @return whether there is an object
   */
  public boolean tag(String key, Map<String, String> tags) throws S3Failure {
    S3Request request =
        S3Request.of("PUT", key).ask("tagging", "").sending(List.of(S3Xml.tagging(tags)));
    return wire.perform(request, ABSENT).status() != 404;
  }

  /**
   * A URL by which whoever has it reads that object.
   *
   * @param at the same bucket, under the address by which he reaches it
   * @param life at most a week
   * @param more what is asked beside, as {@code response-content-type}
   */
  public String presignedGet(S3Endpoint at, String key, Duration life, Map<String, String> more) {
    return wire.presigned(at, "GET", key, life, more);
  }

  // --- listings ----------------------------------------------------------------------------

  /**
   * A page of the objects whose keys begin so.
   *
   * @param flat whether those behind a further slash are listed too, and not what is before it
   * @param next what the page before said; empty for the first
   * @param most 1 to {@link #PAGE}
   */
  public ListPage list(String prefix, boolean flat, String next, int most) throws S3Failure {
    S3Request request =
        S3Request.of("GET", "")
            .ask("list-type", "2")
            .ask("encoding-type", "url")
            .ask("max-keys", Integer.toString(most))
            .ask("prefix", prefix);
    if (!flat) {
      request = request.ask("delimiter", "/");
    }
    if (!next.isEmpty()) {
      request = request.ask("continuation-token", next);
    }
    return S3Xml.page(wire.perform(request, NONE).body());
  }

  // --- uploads in parts --------------------------------------------------------------------

  /** Begins an object that nobody sees before {@link #complete}. */
  public PartUpload begin(String key, Map<String, String> metadata) throws S3Failure {
    return begin(key, metadata, Map.of());
  }

  /**
   * The same with what it is read with.
   *
   * @param content as {@link ObjectHead#content}
   */
  public PartUpload begin(String key, Map<String, String> metadata, Map<String, String> content)
      throws S3Failure {
    String mark = UUID.randomUUID().toString();
    S3Request request =
        S3Request.of("POST", key).ask("uploads", "").with(content).with(metadata(metadata, mark));
    String id = S3Xml.text(wire.perform(request, NONE).body(), "UploadId");
    if (id.isEmpty()) {
      throw S3Xml.malformed(new IllegalArgumentException("no upload id"));
    }
    begun.add(id);
    return new PartUpload(key, id, mark);
  }

  /**
   * Brings a part.
   *
   * @param number from 1 to 10,000
   * @param body is not changed
   * @return its entity tag
   */
  public String part(PartUpload upload, int number, List<ByteBuffer> body) throws S3Failure {
    return etag(wire.perform(partOf(upload, number).sending(body), NONE));
  }

  /**
   * Makes a part of a range of another object of the bucket.
   *
   * @return its entity tag
   */
  public String copyPart(PartUpload upload, int number, ObjectHead from, long first, long end)
      throws S3Failure {
    S3Request request =
        partOf(upload, number)
            .with("x-amz-copy-source", endpoint().path(from.key()))
            .with("x-amz-copy-source-if-match", from.etag())
            .with("x-amz-copy-source-range", "bytes=" + first + "-" + (end - 1))
            .slowly();
    return written(wire.perform(request, NONE));
  }

  private static S3Request partOf(PartUpload upload, int number) {
    return S3Request.of("PUT", upload.key())
        .ask("partNumber", Integer.toString(number))
        .ask("uploadId", upload.id());
  }

  /**
   * Makes the object of its parts.
   *
   * @param etags of the parts, in their order
   */
  public Written complete(PartUpload upload, List<String> etags, WriteCondition condition)
      throws S3Failure {
    Written written = completed(upload, etags, condition);
    if (written instanceof Written.Stored) {
      begun.remove(upload.id());
    }
    return written;
  }

  private Written completed(PartUpload upload, List<String> etags, WriteCondition condition)
      throws S3Failure {
    S3Request request =
        conditional(
            S3Request.of("POST", upload.key())
                .ask("uploadId", upload.id())
                .sending(List.of(S3Xml.completion(etags)))
                .slowly(),
            condition);
    S3Answer answer;
    try {
      answer = wire.perform(request, CONDITION);
    } catch (S3Failure failure) {
      if (failure.passes() && ours(upload.key(), upload.mark()) instanceof Written.Stored stored) {
        return stored;
      }
      throw failure;
    }
    if (answer.status() < 300) {
      String etag = written(answer);
      // Ceph's completion has an empty one.
      return etag.isEmpty() && ours(upload.key(), upload.mark()) instanceof Written.Stored stored
          ? stored
          : new Written.Stored(etag);
    }
    if (answer.attempt() > 1 && ours(upload.key(), upload.mark()) instanceof Written.Stored done) {
      return done;
    }
    return answer.status() == 404 ? new Written.SourceMissing() : new Written.ConditionFailed();
  }

  /** Gives an upload in parts up; it may be gone already. */
  public void abort(PartUpload upload) throws S3Failure {
    begun.remove(upload.id());
    wire.perform(S3Request.of("DELETE", upload.key()).ask("uploadId", upload.id()), ABSENT);
  }

  /**
   * A page of the uploads in parts that are under way, or were left.
   *
   * @param from the page before; null for the first
   */
  public UploadsPage uploads(String prefix, @Nullable UploadsPage from) throws S3Failure {
    S3Request request = S3Request.of("GET", "").ask("uploads", "").ask("prefix", prefix);
    if (from != null) {
      request =
          request.ask("key-marker", from.nextKey()).ask("upload-id-marker", from.nextUpload());
    }
    return S3Xml.uploads(wire.perform(request, NONE).body());
  }

  /** Whether this client began an upload in parts, and has neither completed nor given it up. */
  public boolean isAt(String uploadId) {
    return begun.contains(uploadId);
  }

  /** Whether an upload in parts is neither completed nor given up; as many requests as pages. */
  public boolean isUnderWay(PartUpload upload) throws S3Failure {
    UploadsPage page = uploads(upload.key(), null);
    while (true) {
      if (page.uploads().stream().anyMatch(each -> each.id().equals(upload.id()))) {
        return true;
      }
      if (page.nextKey().isEmpty()) {
        return false;
      }
      page = uploads(upload.key(), page);
    }
  }

  @Override
  public void close() {
    wire.close();
  }
}
