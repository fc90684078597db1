package dev.staithe.storage.issuers;

import com.nimbusds.jose.util.JSONObjectUtils;
import java.text.ParseException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON objects from outside. */
public final class Json {
  private Json() {}

  /**
   * Reads an object.
   *
   * @throws ParseException where it is none; the message may quote it
   */
  public static Map<String, Object> object(String text) throws ParseException {
    @Nullable Map<String, Object> object = JSONObjectUtils.parse(text);
    if (object == null || !text.stripLeading().startsWith("{")) {
      // Nimbus returns null for null, and an object without members for an empty array.
      throw new ParseException("it is no object", 0);
    }
    return object;
  }
}
