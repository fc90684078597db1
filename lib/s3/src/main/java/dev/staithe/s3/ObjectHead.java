package dev.staithe.s3;

import dev.staithe.http.Fields;
import dev.staithe.http.HeaderField;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What an engine tells of an object.
 *
 * @param key whole
 * @param size bytes
 * @param modified when it was stored, to the second
 * @param etag with its quotes
 * @param metadata that it was stored with; names in lower case without {@code x-amz-meta-}
 * @param content the fields of HTTP that it was stored with and is read with, as {@code
 *     content-type}; names in lower case
 * @param tags how many it has, as far as the engine says
 */
public record ObjectHead(
    String key,
    long size,
    Instant modified,
    String etag,
    Map<String, String> metadata,
    Map<String, String> content,
    int tags) {
  private static final String META = "x-amz-meta-";

  /** What an engine keeps of them, and brings along where it copies a whole object. */
  private static final List<String> CONTENT =
      List.of(
          "cache-control",
          "content-disposition",
          "content-encoding",
          "content-language",
          "content-type",
          "expires");

  /** Takes a copy. */
  public ObjectHead {
    metadata = Map.copyOf(metadata);
    content = Map.copyOf(content);
  }

  /**
   * Reads the head of an answer.
   *
   * @param size bytes of the whole object
   */
  static ObjectHead of(String key, long size, Fields fields) throws S3Failure {
    Map<String, String> metadata = new TreeMap<>();
    for (HeaderField each : fields.list()) {
      String name = each.name();
      if (name.regionMatches(true, 0, META, 0, META.length())) {
        metadata.put(name.substring(META.length()).toLowerCase(Locale.ROOT), each.value());
      }
    }
    Map<String, String> content = new TreeMap<>();
    for (String name : CONTENT) {
      String value = fields.first(name);
      if (value != null) {
        content.put(name, value);
      }
    }
    String etag = fields.first("ETag");
    String modified = fields.first("Last-Modified");
    String tags = fields.first("x-amz-tagging-count");
    if (etag == null || modified == null || size < 0) {
      throw new S3Failure(
          S3Failure.Kind.MALFORMED, "the object store tells an object without size, tag or time");
    }
    try {
      Instant when = S3Text.date(modified);
      return new ObjectHead(
          key, size, when, etag, metadata, content, tags == null ? 0 : Integer.parseInt(tags));
    } catch (DateTimeException | NumberFormatException e) {
      throw S3Xml.malformed(e);
    }
  }
}
