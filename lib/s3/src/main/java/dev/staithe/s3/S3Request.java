package dev.staithe.s3;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What an engine is asked.
 *
 * @param method in capitals
 * @param key of an object; empty for the bucket itself
 * @param query not escaped
 * @param fields beside those that every request has; names in lower case
 * @param body which is sent as it is, from each position to each limit, without changing either
 * @param slow whether the engine may work at it for minutes
 */
record S3Request(
    String method,
    String key,
    SortedMap<String, String> query,
    SortedMap<String, String> fields,
    List<ByteBuffer> body,
    boolean slow) {

  static S3Request of(String method, String key) {
    return new S3Request(method, key, new TreeMap<>(), new TreeMap<>(), List.of(), false);
  }

  S3Request ask(String name, String value) {
    SortedMap<String, String> more = new TreeMap<>(query);
    more.put(name, value);
    return new S3Request(method, key, more, fields, body, slow);
  }

  S3Request with(String name, String value) {
    return with(Map.of(name, value));
  }

  S3Request with(Map<String, String> more) {
    SortedMap<String, String> all = new TreeMap<>(fields);
    all.putAll(more);
    return new S3Request(method, key, query, all, body, slow);
  }

  S3Request sending(List<ByteBuffer> bytes) {
    return new S3Request(method, key, query, fields, List.copyOf(bytes), slow);
  }

  S3Request slowly() {
    return new S3Request(method, key, query, fields, body, true);
  }

  long length() {
    long length = 0;
    for (ByteBuffer part : body) {
      length += part.remaining();
    }
    return length;
  }

  /** Whether a body belongs to it, an empty one too. */
  boolean hasBody() {
    return method.equals("PUT") || method.equals("POST");
  }
}
