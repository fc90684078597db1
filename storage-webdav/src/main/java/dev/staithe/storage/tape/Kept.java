package dev.staithe.storage.tape;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Members of the JSON objects that requests are kept as. */
final class Kept {
  private Kept() {}

  static Object needed(Map<String, Object> object, String name) {
    Object value = object.get(name);
    if (value == null) {
      throw new IllegalArgumentException(name + " is missing");
    }
    return value;
  }

  static long number(Map<String, Object> object, String name) {
    return ((Number) needed(object, name)).longValue();
  }

  static @Nullable Instant time(Map<String, Object> object, String name) {
    return object.get(name) instanceof Number millis
        ? Instant.ofEpochMilli(millis.longValue())
        : null;
  }
}
