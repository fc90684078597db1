package dev.staithe.storage.authz;

import com.nimbusds.jose.util.JSONObjectUtils;
import java.text.ParseException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON objects from outside. */
final class Json {
  private Json() {}

  /**
   * Reads an object.
   *
   * @throws ParseException where it is none; the message may quote it
   */
  static Map<String, Object> object(String text) throws ParseException {
    @Nullable Map<String, Object> object = JSONObjectUtils.parse(text);
    if (object == null) {
      throw new ParseException("null is no object", 0); // Nimbus returns null for it
    }
    return object;
  }
}
